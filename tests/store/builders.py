"""Rows and changes for tests, and looking at a data file without the store."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

from sanssouci.store import (
    AddGame,
    AddGuest,
    AddPlayed,
    AddReview,
    AddToken,
    AppendEvent,
    AssignSeat,
    Ban,
    Change,
    GameRow,
    GuestRow,
    PlayedRow,
    ReviewRow,
    Store,
    TokenKind,
    TokenRow,
)

SEED = bytes(range(32))


def a_game(name: str = "g", **changed: Any) -> GameRow:
    """A game's row before its first event."""
    usual: dict[str, Any] = {"id": name, "created_at": 1.0, "updated_at": 1.0, "phase": "lobby"}
    usual |= {"visibility": "open", "waiting": 0, "deadline": None, "seq": -1, "summary": "{}"}
    return GameRow(**{**usual, **changed})


def a_guest(name: str = "wilhelmine") -> GuestRow:
    """A guest."""
    return GuestRow(name, name.title(), 5.0, 7.0)


def a_token(digest: str, game: str = "", kind: TokenKind = TokenKind.GUEST, **changed: Any) -> TokenRow:
    """A token."""
    usual: dict[str, Any] = {"chair": None, "guest": None, "created_at": 6.0}
    return TokenRow(digest, game, kind, **{**usual, **changed})


def an_event(seq: int, game: str = "g", **changed: Any) -> AppendEvent:
    """An event that says little."""
    usual: dict[str, Any] = {
        "command_id": f"c{seq}",
        "seat": seq % 2,
        "body": f'{{"n":{seq}}}',
        "engine": "1",
    }
    return AppendEvent(game, seq, **{**usual, **changed})


def begin(store: Store, *games: str, events: int = 0) -> None:
    """Games with some events."""
    for game in games:
        chain = [an_event(seq, game) for seq in range(events)]
        store.write(AddGame(a_game(game, seq=events - 1), SEED), *chain).result(60)


def furnish(store: Store) -> None:
    """Something of everything: two guests, two games, tokens of every kind."""
    begin(store, "g", "h", events=3)
    changes: list[Change] = [AddGuest(a_guest(name)) for name in ("wilhelmine", "friedrich")]
    changes += [AddToken(a_token(name[0] * 64, guest=name)) for name in ("wilhelmine", "friedrich")]
    kinds = [kind for kind in TokenKind if kind is not TokenKind.GUEST]
    changes += [AddToken(a_token(f"{place}" * 64, "g", kind)) for place, kind in enumerate(kinds)]
    changes += [
        AssignSeat("g", 0, "wilhelmine"),
        AssignSeat("g", 2, "friedrich"),
        AssignSeat("h", 1, "friedrich"),
    ]
    changes += [Ban("h", "wilhelmine"), AddPlayed(PlayedRow("wilhelmine", "old", 9.0, "{}"))]
    changes += [AddReview(ReviewRow("her link", "wilhelmine", "s", 9.0, "a record", "found"))]
    store.write(*changes).result()


@cache
def empty_data_file() -> bytes:
    """A data file in which nothing was written yet; to copy it is quicker than to make its tables."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "tables.db")
        Store.open(path).close()
        return path.read_bytes()


def look(path: Path, query: str) -> list[tuple[Any, ...]]:
    """What another program sees in a data file, at this moment."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return connection.execute(query).fetchall()


def everything(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables."""
    tables = ("guest", "game", "secret", "event", "token", "holding", "barred", "played", "review")
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        rows = {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables}
    return {table: sorted(found, key=repr) for table, found in rows.items()}


@contextmanager
def held_up(store: Store) -> Iterator[None]:
    """The writer is busy inside, so all that is written meanwhile waits, and is then taken together."""
    busy, free = Event(), Event()

    def nothing() -> Iterator[Change]:
        busy.set()
        assert free.wait(60)
        yield from ()

    held = store.write_all(nothing())
    assert busy.wait(60)
    try:
        yield
    finally:
        free.set()
    held.result(60)


def no_examination(parcel: object) -> None:
    """Every game is fine."""
