"""What a worker process of an arena does: games, one after the other, until nobody asks for more."""

import contextlib
import os
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from threading import Thread
from typing import TypeAlias

from sanssouci.locale import UserError
from sanssouci.players import stop_engines

from .match import Match
from .outcome import GameId, Outcome

Answer: TypeAlias = tuple[Outcome, bytes]
"""A finished game, and its record if records are wanted."""
READY = "ready"
"""What a worker says first; one that dies before that was not killed by its game."""


def work(match: Match, records: bool, pipe: Connection) -> None:
    """Answer games until the other end of the pipe is closed."""
    _keep_results_clean()
    Thread(target=_end_with_the_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        pipe.send(READY)
        while True:
            pipe.send(_answer(match, pipe.recv(), records))
    stop_engines()


def _answer(match: Match, game: GameId, records: bool) -> Answer | UserError:
    try:
        outcome, played = match.play(game, deaf=True)
    except UserError as user_error:
        return user_error
    return outcome, match.record(outcome, played) if records else b""


def _keep_results_clean() -> None:
    """What a player prints goes to standard error: standard output is the arena's."""
    with contextlib.suppress(OSError):
        os.dup2(2, 1)


def _end_with_the_parent() -> None:
    """Also in the middle of a long turn, and if the parent was killed without a word."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
