"""Options that are server settings too; their help texts come from the settings."""

from typing import Annotated, Any

import typer

from sanssouci.locale import OPTION_TEXTS


def _option(name: str) -> Any:
    text = OPTION_TEXTS[name]
    return typer.Option(help=text.help, metavar=text.kind, show_default=text.default)


Host = Annotated[str | None, _option("host")]
Port = Annotated[str | None, _option("port")]
Data = Annotated[str | None, _option("data")]
PublicUrl = Annotated[str | None, _option("public_url")]
