"""The recorded program: the server's store, with a few games played at once.

It marks "sent GAME SEQ" before a write, and "kept GAME SEQ" when the write is acknowledged. The store is
opened, closed, opened again on its own backup, and finally killed without being closed. Meanwhile there are
checkpoints and restarts of the WAL file, some of them during a read transaction.
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

CHECKPOINT_PAGES = 40
"""Pages in the WAL file that trigger a checkpoint. The default is 1000."""


class Plant(StrEnum):
    """A planted fault."""

    NOTHING = "nothing"
    NO_SYNC = "synchronous=OFF"
    TOO_EARLY = "acknowledged before the commit"


class CheckpointingConnection(sqlite3.Connection):
    """A connection with frequent checkpoints."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}").close()


class UnsyncedConnection(CheckpointingConnection):
    """A connection that never syncs, and ignores later settings."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.execute("PRAGMA synchronous=OFF").close()
        self.set_authorizer(_ignore_synchronous)


def _ignore_synchronous(action: int, name: str | None, *_: object) -> int:
    ignored = action == sqlite3.SQLITE_PRAGMA and name == "synchronous"
    return sqlite3.SQLITE_IGNORE if ignored else sqlite3.SQLITE_OK


def recorder() -> Callable[[str], None]:
    """A function that writes a mark into the journal. Fails without the recorder."""
    power_mark = ctypes.CDLL(None).power_mark
    power_mark.argtypes, power_mark.restype = [ctypes.c_char_p, ctypes.c_size_t], None

    def mark(text: str) -> None:
        power_mark(text.encode(), len(text))

    return mark


class Session:
    """Plays from opening the store until it is closed or abandoned."""

    def __init__(self, path: Path, chance: BulkStream, plant: Plant, mark: Callable[[str], None]) -> None:
        self._store = Store.open(path)
        self._chance = chance
        self._plant = plant
        self._mark = mark
        self._last = {game.id: game.seq for game in self._store.all_games()}

    def play(self, rounds: int) -> None:
        """Write events of several games at once, sometimes during a read transaction."""
        for _ in range(rounds):
            with ExitStack() as reading:
                if self._chance.below(4) == 0:
                    view = reading.enter_context(self._store.snapshot())
                    view.exec_driver_sql("SELECT count(*) FROM event").scalar_one()
                for _ in range(4):
                    self._burst()

    def close(self) -> None:
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
    """Run two sessions, the second on a backup of the first. The second is not closed."""
    mark, chance = recorder(), BulkStream(key)
    kind = UnsyncedConnection if plant is Plant.NO_SYNC else CheckpointingConnection
    sqlite3.connect = partial(sqlite3.connect, factory=kind)  # type: ignore[assignment]
    first = Session(path, chance, plant, mark)
    first.play(8)
    copy = path.with_name("backup.db")
    back_up(path, copy)
    first.close()
    copy.replace(path)
    Session(path, chance, plant, mark).play(8)
    os._exit(0)  # as if killed, without cleanup


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), Plant(sys.argv[3]))
