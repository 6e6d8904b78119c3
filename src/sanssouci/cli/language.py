"""The output language: ``--lang``, then the environment, then English."""

import os
from typing import Annotated

import typer

from sanssouci.locale import LANGUAGES, UserError, translate

Lang = Annotated[
    str,
    typer.Option("--lang", help="en, de, fr or es.", show_default="from the environment", metavar="LANGUAGE"),
]

_chosen: list[str] = []


def set_language(language: str) -> str:
    """Set the language of this call, and return it; an empty text means that of the environment."""
    if language and language not in LANGUAGES:
        raise UserError("language.unknown", text=language, known=", ".join(LANGUAGES))
    _chosen[:] = [language] if language else []
    return current_language()


def current_language() -> str:
    return _chosen[0] if _chosen else _of_the_environment()


def sentence(key: str, **args: object) -> str:
    return translate(key, current_language(), **args)


def _of_the_environment() -> str:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value:
            return value[:2].lower() if value[:2].lower() in LANGUAGES else "en"
    return "en"
