"""Checks a data folder after a power cut.

The store opens the folder, with full recovery. A separate connection checks the contents, independently of
the store, and then the store writes more events.
"""

import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from sanssouci.locale import UserError
from sanssouci.store import AppendEvent, EventRow, GameRow, Store, check_chain
from sanssouci.store.tables import GAME_ROW

from . import script
from .disk import Image

DATA = "sanssouci.db"
_MEMORY = Path("/dev/shm")
"""Temporary folders need no disk."""


@dataclass(frozen=True)
class Reading:
    """The last event of each game, and any damage of the folder."""

    games: dict[str, int] = field(default_factory=dict)
    fault: str | None = None


class Damaged(Exception):
    """The folder contains something that was not written."""


class Reader:
    """Reads images, each different one once."""

    def __init__(self) -> None:
        self._known: dict[bytes, Reading] = {}

    @property
    def images(self) -> int:
        """The number of different images."""
        return len(self._known)

    def read(self, image: Image) -> Reading:
        """Open the folder as a server would after the cut, check its contents, and write more events."""
        digest = sha256()
        for name, content in image.items():
            digest.update(f"{name} {len(content)} ".encode() + content)
        if digest.digest() not in self._known:
            self._known[digest.digest()] = _read(image)
        return self._known[digest.digest()]


def _read(image: Image) -> Reading:
    with TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None) as name:
        for file, content in image.items():
            Path(name, file).write_bytes(content)
        try:
            with Store.open(Path(name, DATA)) as store:
                return Reading(_check_and_play_on(store))
        except (UserError, Damaged, sqlite3.Error) as error:
            return Reading(fault=str(error))


def _check_and_play_on(store: Store) -> dict[str, int]:
    with closing(sqlite3.connect(store.path)) as connection:
        games = _check(connection)
    for game in script.GAMES:
        store.write(*script.changes(game, games.get(game, -1) + 1)).result()
    return games


def _check(connection: sqlite3.Connection) -> dict[str, int]:
    """The last event of each game. Raises ``Damaged`` if anything is not as written."""
    _same("the file", connection.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
    _same("references", connection.execute("PRAGMA foreign_key_check").fetchall(), [])
    events = [EventRow(*row) for row in connection.execute("SELECT * FROM event ORDER BY game, seq")]
    games = {game: _last_seq(game, list(log)) for game, log in groupby(events, lambda event: event.game)}
    rows = [script.row(*each) for each in games.items()]
    columns = ", ".join(column.name for column in GAME_ROW)
    stored = connection.execute(f"SELECT {columns} FROM game ORDER BY id")
    _same("games", [GameRow(*row) for row in stored], rows)
    seeds = [(game, script.seed(game)) for game in games]
    _same("seeds", connection.execute("SELECT game, seed FROM secret ORDER BY game").fetchall(), seeds)
    links = [(game, script.token(game).hash) for game in games]
    _same("links", connection.execute("SELECT game, hash FROM token ORDER BY game").fetchall(), links)
    return games


def _last_seq(game: str, events: list[EventRow]) -> int:
    _same("the hash chain", check_chain(events), None)
    sent = [script.event(game, seq) for seq in range(len(events))]
    _same("the events", [_as_sent(event) for event in events], sent)
    return len(events) - 1


def _same(what: str, found: object, expected: object) -> None:
    if found != expected:
        raise Damaged(f"{what}: not as written")


def _as_sent(event: EventRow) -> AppendEvent:
    return AppendEvent(event.game, event.seq, event.command_id, event.seat, event.body, event.engine)
