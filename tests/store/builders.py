"""Builders for rows and changes, and SQL queries that bypass the store."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

from sanssouci.store import (
    Add,
    AddGame,
    AppendEvent,
    BanRow,
    Change,
    GameRow,
    GuestRow,
    HoldingRow,
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
    return GuestRow(name, name.title(), 5.0, 7.0)


def a_token(digest: str, game: str = "", kind: TokenKind = TokenKind.GUEST, **changed: Any) -> TokenRow:
    usual: dict[str, Any] = {"chair": None, "guest": None, "created_at": 6.0}
    return TokenRow(digest, game, kind, **{**usual, **changed})


def an_event(seq: int, game: str = "g", **changed: Any) -> AppendEvent:
    """An event with a minimal body."""
    usual: dict[str, Any] = {
        "command_id": f"c{seq}",
        "seat": seq % 2,
        "body": f'{{"n":{seq}}}',
        "engine": "1",
    }
    return AppendEvent(game, seq, **{**usual, **changed})


def add_games(store: Store, *games: str, events: int = 0) -> None:
    """Add games with ``events`` events each."""
    for game in games:
        chain = [an_event(seq, game) for seq in range(events)]
        store.write(AddGame(a_game(game, seq=events - 1), SEED), *chain).result(60)


def fill_store(store: Store) -> None:
    """Write rows of every kind: two guests, two games, tokens of every kind."""
    add_games(store, "g", "h", events=3)
    changes: list[Change] = [Add(a_guest(name)) for name in ("wilhelmine", "friedrich")]
    changes += [Add(a_token(name[0] * 64, guest=name)) for name in ("wilhelmine", "friedrich")]
    kinds = [kind for kind in TokenKind if kind is not TokenKind.GUEST]
    changes += [Add(a_token(f"{place}" * 64, "g", kind)) for place, kind in enumerate(kinds)]
    changes += [
        Add(HoldingRow("g", 0, "wilhelmine")),
        Add(HoldingRow("g", 2, "friedrich")),
        Add(HoldingRow("h", 1, "friedrich")),
    ]
    changes += [Add(BanRow("h", "wilhelmine")), Add(PlayedRow("wilhelmine", "old", 9.0, "{}"))]
    changes += [Add(ReviewRow("her link", "wilhelmine", "s", 9.0, "a record", "found"))]
    store.write(*changes).result()


@cache
def empty_data_file() -> bytes:
    """A data file without rows. Copying it is quicker than creating its tables."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "tables.db")
        Store.open(path).close()
        return path.read_bytes()


def query(path: Path, sql: str) -> list[tuple[Any, ...]]:
    """The rows that another connection sees in a data file."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return connection.execute(sql).fetchall()


def all_rows(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables, sorted."""
    tables = ("guest", "game", "secret", "event", "token", "holding", "barred", "played", "review")
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        rows = {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables}
    return {table: sorted(found, key=repr) for table, found in rows.items()}


@contextmanager
def blocked_writer(store: Store) -> Iterator[None]:
    """Block the writer inside the block, so that all writes made there are taken as one batch."""
    busy, free = Event(), Event()

    def nothing() -> Iterator[Change]:
        busy.set()
        assert free.wait(60)
        yield from ()

    blocking = store.write_all(nothing())
    assert busy.wait(60)
    try:
        yield
    finally:
        free.set()
    blocking.result(60)


def accept_game(export: object) -> None:
    """Accepts every game."""
