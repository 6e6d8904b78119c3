"""The worker process of an arena: it plays games one after the other until its pipe is closed."""

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
"""A finished game, and its record if requested."""
READY = "ready"
"""The first message of a worker; one that dies before sending it was not killed by its game."""


def work(match: Match, records: bool, pipe: Connection) -> None:
    """Play the games that come through the pipe until it is closed."""
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
    """Send what players print to standard error: standard output belongs to the arena."""
    with contextlib.suppress(OSError):
        os.dup2(2, 1)


def _end_with_the_parent() -> None:
    """Exit when the parent is gone, even in the middle of a long turn."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
