"""What a data folder holds that lived through a power cut.

The store opens it, with all that it does then; another connection looks at what there is, so that nothing is
believed because the store says so; and the store plays on.
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

from . import script
from .disk import Image

DATA = "sanssouci.db"
_MEMORY = Path("/dev/shm")
"""Folders that are read once need no disk."""


@dataclass(frozen=True)
class Reading:
    """The last event of each game, and what is wrong with the folder whatever was acknowledged."""

    games: dict[str, int] = field(default_factory=dict)
    fault: str | None = None


class Wrong(Exception):
    """Something is there that nobody wrote."""


class Reader:
    """Reads images; one that it has seen before is not read again."""

    def __init__(self) -> None:
        self._known: dict[bytes, Reading] = {}

    @property
    def images(self) -> int:
        """How many different ones it has read."""
        return len(self._known)

    def read(self, image: Image) -> Reading:
        """Open the folder as a server would after the cut, look at all there is, and play on."""
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
                return Reading(_look_and_play_on(store))
        except (UserError, Wrong, sqlite3.Error) as error:
            return Reading(fault=str(error))


def _look_and_play_on(store: Store) -> dict[str, int]:
    with closing(sqlite3.connect(store.path)) as eye:
        games = _look(eye)
    for game in script.GAMES:
        store.write(*script.changes(game, games.get(game, -1) + 1)).result()
    return games


def _look(eye: sqlite3.Connection) -> dict[str, int]:
    """The last event of each game; ``Wrong`` if anything is not as it was written."""
    _same("the file", eye.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
    _same("references", eye.execute("PRAGMA foreign_key_check").fetchall(), [])
    events = [EventRow(*row) for row in eye.execute("SELECT * FROM event ORDER BY game, seq")]
    games = {game: _last(game, list(log)) for game, log in groupby(events, lambda event: event.game)}
    rows = [script.row(*each) for each in games.items()]
    _same("games", [GameRow(*row) for row in eye.execute("SELECT * FROM game ORDER BY id")], rows)
    seeds = [(game, script.seed(game)) for game in games]
    _same("seeds", eye.execute("SELECT game, seed FROM secret ORDER BY game").fetchall(), seeds)
    links = [(game, script.token(game).hash) for game in games]
    _same("links", eye.execute("SELECT game, hash FROM token ORDER BY game").fetchall(), links)
    return games


def _last(game: str, events: list[EventRow]) -> int:
    _same("the hash chain", check_chain(events), None)
    sent = [script.event(game, seq) for seq in range(len(events))]
    _same("the events", [_as_sent(event) for event in events], sent)
    return len(events) - 1


def _same(what: str, found: object, wanted: object) -> None:
    if found != wanted:
        raise Wrong(f"{what}: not as written")


def _as_sent(event: EventRow) -> AppendEvent:
    return AppendEvent(event.game, event.seq, event.command_id, event.seat, event.body, event.engine)
