"""The players that a person types: names, and programs as ``cmd:"…"``.

Only this module turns a text into a program that can be run, and it reads only the command line.
"""

import math
import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from sanssouci.locale import UserError

if TYPE_CHECKING:
    from sanssouci.players import ExternalEngine

LIMIT = 10.0
"""Repeats ``players.LIMIT``, so that ``--help`` does not import the players."""
Limit = Annotated[
    float,
    typer.Option("--limit", help="Seconds a program (cmd:) may take to answer, on top of its budget."),
]


def read_typed(text: str, limit: float, also: tuple[str, ...] = ()) -> "tuple[str | ExternalEngine, ...]":
    """Comma-separated players, each an installed player or a program; ``also`` lists other accepted names."""
    from sanssouci.players import PREFIX, check_player

    if not 0 < limit < math.inf:
        raise UserError("program.bad_limit", limit=limit)
    players: list[str | ExternalEngine] = []
    for word in split_list(text):
        if word.startswith(PREFIX):
            players.append(read_program(word, limit))
        else:
            check_player(word, also)
            players.append(word)
    return tuple(players)


def read_program(text: str, limit: float) -> "ExternalEngine":
    """The program of a text like ``cmd:python3 bot.py``; the whole command may be quoted."""
    from sanssouci.players import PREFIX, ExternalEngine

    typed = text.removeprefix(PREFIX).strip()
    try:
        words = shlex.split(typed)
        if len(words) == 1 and typed[0] in "\"'":
            words = shlex.split(words[0])
    except ValueError:
        raise UserError("program.bad_quotes", text=text) from None
    if not words or not words[0]:
        raise UserError("program.no_words")
    return ExternalEngine(tuple(words), limit)


def split_list(text: str) -> list[str]:
    """Split at commas that are neither quoted nor escaped."""
    words, quote, escaped = [""], "", False
    for sign in text:
        if sign == "," and not quote and not escaped:
            words.append("")
            continue
        if sign in "\"'" and quote in ("", sign) and not escaped:
            quote = "" if quote else sign
        escaped = sign == "\\" and quote != "'" and not escaped
        words[-1] += sign
    return [word.strip() for word in words]
