"""``sanssouci bot``: runs an installed player as an engine."""

import contextlib
import os
from collections.abc import Iterator
from typing import Annotated, BinaryIO

import typer

from .language import Lang, set_language

MAX_LINE = 262_144
"""Maximum bytes of a line."""


def bot(
    name: Annotated[str, typer.Argument(help="A computer player.", metavar="NAME")],
    lang: Lang = "",
) -> None:
    """Run a computer player over the engine protocol: JSON lines on standard input and output.

    Example: sanssouci arena --players greedy,cmd:"sanssouci bot random"
    """
    from sanssouci.players import Bot, check_player, prepare_player
    from sanssouci.players.protocol import write_message

    set_language(lang)
    check_player(name)
    questions, answers = _own_streams()
    prepare_player(name)
    player = Bot(name)
    with questions, answers, contextlib.suppress(BrokenPipeError):
        for line in _lines(questions):
            answer = player.answer(line)
            if answer is not None:
                answers.write(write_message(answer) + b"\n")
            if player.quitting:
                return


def _own_streams() -> tuple[BinaryIO, BinaryIO]:
    """Input and output that only this command uses.

    What a player prints goes to standard error, and there is nothing for it to read.
    """
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return questions, answers


def _lines(questions: BinaryIO) -> Iterator[bytes]:
    """Every line that is not empty; a line that is too long is cut, and so is no valid message."""
    while line := questions.readline(MAX_LINE + 2):
        whole = line
        while not whole.endswith(b"\n") and (whole := questions.readline(MAX_LINE)):
            pass
        if line.strip():
            yield line.rstrip(b"\n")
