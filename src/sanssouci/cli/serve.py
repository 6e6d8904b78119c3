"""``sanssouci serve``: the game for friends by link, on this machine or for the internet."""

from typing import Annotated

import typer

from .data_file import Data
from .hosting import host_until_stopped
from .language import Lang, speak

Host = Annotated[
    str | None,
    typer.Option(
        help="The address to listen at; 0.0.0.0 or :: for all.", metavar="HOST", show_default="127.0.0.1"
    ),
]
Port = Annotated[
    str | None,
    typer.Option(
        help="The port to listen at; 0 takes any that is free.", metavar="NUMBER", show_default="8017"
    ),
]
PublicUrl = Annotated[
    str | None,
    typer.Option(
        help="Where players find the server, if not at the address it listens at.",
        metavar="URL",
        show_default="none",
    ),
]
Open = Annotated[bool, typer.Option("--open", help="Open it in the browser once it is ready.")]


def serve(
    host: Host = None,
    port: Port = None,
    data: Data = None,
    public_url: PublicUrl = None,
    open_: Open = False,
    lang: Lang = "",
) -> None:
    """Serve the game over HTTP; Ctrl-C stops it, and nothing is lost.

    These and all other settings can be given in the environment too: SANSSOUCI_PORT and so on.
    """
    speak(lang)
    host_until_stopped({"host": host, "port": port, "data": data, "public_url": public_url}, opens=open_)
