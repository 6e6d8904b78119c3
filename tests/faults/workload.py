"""The program that is recorded: the server's own store, under a few games that are played at once.

It says "sent GAME SEQ" before it asks the store, and "kept GAME SEQ" when it is told so. In its life the
store is opened, closed, opened again on a backup of itself and at the end dies without being closed, with
checkpoints and new beginnings of its log meanwhile, some of them while somebody reads.
"""

import ctypes
import os
import sqlite3
import sys
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from sanssouci.dealer import BulkStream
from sanssouci.store import Store, back_up

from .script import GAMES, changes

OFTEN = 40
"""Pages in the log after which they are moved into the data file; 1000 is usual."""


class Plant(StrEnum):
    """What is wrong on purpose."""

    NOTHING = "nothing"
    NO_SYNC = "synchronous=OFF"
    TOO_EARLY = "acknowledged before the commit"


class Busy(sqlite3.Connection):
    """A connection with many checkpoints."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.execute(f"PRAGMA wal_autocheckpoint={OFTEN}").close()


class Careless(Busy):
    """A connection that never syncs, whatever it is told later."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.execute("PRAGMA synchronous=OFF").close()
        self.set_authorizer(_deaf)


def _deaf(action: int, what: str | None, *_: object) -> int:
    told = action == sqlite3.SQLITE_PRAGMA and what == "synchronous"
    return sqlite3.SQLITE_IGNORE if told else sqlite3.SQLITE_OK


def recorder() -> Callable[[str], None]:
    """How to say something into the journal; fails where there is no recorder."""
    power_mark = ctypes.CDLL(None).power_mark
    power_mark.argtypes, power_mark.restype = [ctypes.c_char_p, ctypes.c_size_t], None

    def mark(text: str) -> None:
        power_mark(text.encode(), len(text))

    return mark


class Session:
    """From opening the store until it is closed, or left as it is."""

    def __init__(self, path: Path, chance: BulkStream, plant: Plant, mark: Callable[[str], None]) -> None:
        self._store = Store.open(path)
        self._chance = chance
        self._plant = plant
        self._mark = mark
        self._last = {game.id: game.seq for game in self._store.all_games()}

    def play(self, rounds: int) -> None:
        """Some events at once, again and again; now and then somebody reads for a while."""
        for _ in range(rounds):
            with ExitStack() as reading:
                if self._chance.below(4) == 0:
                    view = reading.enter_context(self._store.snapshot())
                    view.exec_driver_sql("SELECT count(*) FROM event").scalar_one()
                for _ in range(4):
                    self._burst()

    def close(self) -> None:
        """An orderly end."""
        self._store.close()

    def _burst(self) -> None:
        games = [game for game in GAMES if self._chance.below(2)]
        for answer in [self._send(game) for game in games]:
            answer.result()

    def _send(self, game: str) -> "Future[None]":
        seq = self._last[game] = self._last.get(game, -1) + 1
        self._mark(f"sent {game} {seq}")
        answer = self._store.write(*changes(game, seq))
        if self._plant is Plant.TOO_EARLY:
            self._mark(f"kept {game} {seq}")
        else:
            answer.add_done_callback(lambda done: done.exception() or self._mark(f"kept {game} {seq}"))
        return answer


def main(path: Path, key: int, plant: Plant) -> None:
    """Two sessions, the second on a backup that the first has made; it is not closed."""
    mark, chance = recorder(), BulkStream(key)
    kind = Careless if plant is Plant.NO_SYNC else Busy
    sqlite3.connect = partial(sqlite3.connect, factory=kind)  # type: ignore[assignment]
    first = Session(path, chance, plant, mark)
    first.play(8)
    copy = path.with_name("backup.db")
    back_up(path, copy)
    first.close()
    copy.replace(path)
    Session(path, chance, plant, mark).play(8)
    os._exit(0)  # as if killed: nothing is tidied up


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), Plant(sys.argv[3]))
