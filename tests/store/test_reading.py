"""Reading: queries from any thread, on read-only connections."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from sanssouci.locale import LANGUAGES
from sanssouci.store import (
    Add,
    AddGame,
    DamagedRow,
    DropTokens,
    HeldGame,
    HoldingRow,
    Store,
    TokenKind,
    Unavailable,
    UpdateGame,
    reporting,
)

from .builders import SEED, a_game, a_guest, a_token, add_games, an_event, fill_store, query


def test_rows_are_read_as_they_were_written(store: Store) -> None:
    """Rows of every kind are read back unchanged, and missing rows are ``None`` or an empty list."""
    fill_store(store)
    game = a_game("new", created_at=3.25, deadline=1e10 + 0.5, waiting=0b1010, summary='{"Zoë": "𝄞\\n"}')
    store.write(AddGame(game, b"\x00\xff" * 16), an_event(0, "new", seat=None, body="Zoë 𝄞 \x00")).result()
    assert store.game("new") == game and store.game("nowhere") is None
    assert store.seed("new") == b"\x00\xff" * 16 and store.seed("nowhere") is None
    (event,) = store.events("new")
    assert (event.game, event.seq, event.command_id, event.seat, event.body, event.engine) == (
        "new",
        0,
        "c0",
        None,
        "Zoë 𝄞 \x00",
        "1",
    )
    assert store.token("w" * 64) == a_token("w" * 64, guest="wilhelmine")
    assert store.token("0" * 64, "g") == a_token("0" * 64, "g", TokenKind.SEAT)
    assert store.token("0" * 64, "h") is None and store.token("0" * 64) is None
    assert store.guest("nobody") is None and store.events("nowhere") == []


def test_an_update_keeps_the_creation_time(store: Store) -> None:
    """An update replaces every field of a game except its creation time."""
    add_games(store, "g", "h")
    changed = a_game(
        "g", created_at=99.0, updated_at=7.0, phase="play", visibility="link", waiting=3, deadline=8.5, seq=4
    )
    store.write(UpdateGame(replace(changed, summary="new"))).result()
    assert store.game("g") == replace(changed, created_at=1.0, summary="new")
    assert store.game("h") == a_game("h")


def test_events_after_a_seq(store: Store) -> None:
    """Events after a given number are returned in order."""
    add_games(store, "g", "h", events=12)
    assert [event.seq for event in store.events("g", after=8)] == [9, 10, 11]
    assert store.events("g", after=11) == [] and len(store.events("g", after=-1)) == 12


def test_open_games(store: Store) -> None:
    """Open games are public games in the lobby, newest first, in pages."""
    for number in range(5):
        store.write(
            AddGame(a_game(f"open{number}", created_at=float(number % 3 * 10 + number)), SEED)
        ).result()
    store.write(
        AddGame(a_game("begun", phase="play"), SEED), AddGame(a_game("hidden", visibility="link"), SEED)
    )
    assert [game.id for game in store.open_games(10)] == ["open2", "open4", "open1", "open3", "open0"]
    assert [game.id for game in store.open_games(2)] == ["open2", "open4"]
    assert [game.id for game in store.open_games(2, (14.0, "open4"))] == ["open1", "open3"]


def test_running_games(store: Store) -> None:
    """Running games are public games from picking to the end, newest first, in pages."""
    phases = {"lobby": 1.0, "picking": 2.0, "playing": 3.0, "over": 4.0, "full": 5.0}
    for phase, created_at in phases.items():
        for visibility in ("open", "link"):
            name = f"{phase}-{visibility}"
            game = a_game(name, phase=phase, visibility=visibility, created_at=created_at)
            store.write(AddGame(game, SEED)).result()
    assert [game.id for game in store.running_games(10)] == ["playing-open", "picking-open"]
    assert [game.id for game in store.running_games(10, (3.0, "playing-open"))] == ["picking-open"]


def test_games_of_a_guest_include_the_chairs(store: Store) -> None:
    """Games are sorted by last update; a game in which the guest holds two chairs is listed once."""
    fill_store(store)
    store.write(Add(HoldingRow("h", 3, "friedrich")), UpdateGame(a_game("h", updated_at=50.0))).result()
    assert store.games_of("friedrich") == [
        HeldGame(a_game("h", updated_at=50.0), (1, 3)),
        HeldGame(a_game("g", seq=2), (2,)),
    ]
    assert store.games_of("nobody") == []


def test_games_that_await_the_guest_come_first(store: Store) -> None:
    """Games that await the guest come first, then the latest, up to a limit."""
    store.write(Add(a_guest("friedrich"))).result()
    for name, waiting, phase in (
        ("a", 0b10, "full"),
        ("b", 0b01, "play"),
        ("c", 0, "over"),
        ("d", 0b10, "lobby"),
    ):
        game = a_game(name, waiting=waiting, phase=phase, updated_at=float(ord(name)))
        held = [Add(HoldingRow(name, chair, "friedrich")) for chair in (-1, 1)]
        store.write(AddGame(game, SEED), *held).result()
    for most, names in ((-1, "adcb"), (3, "adc"), (1, "a")):
        found = store.games_of("friedrich", most)
        assert [held.game.id for held in found] == [*names]
        assert {held.chairs for held in found} == {(-1, 1)}
    assert [held.game.id for held in store.unfinished_games_of("friedrich")] == ["a", "b", "d"]


def test_deadlines_and_idle_games(store: Store) -> None:
    """Deadlines are sorted by time without games that have none; idle games are sorted by last update."""
    for name, deadline in (("late", 30.0), ("none", None), ("soon", 10.0)):
        store.write(AddGame(a_game(name, deadline=deadline, updated_at=deadline or 0.0), SEED)).result()
    assert store.deadlines() == [("soon", 10.0), ("late", 30.0)]
    assert [game.id for game in store.idle_games(10.0)] == ["none"]
    assert [game.id for game in store.idle_games(30.5)] == ["none", "soon", "late"]


def test_all_games_during_a_write(store: Store) -> None:
    """``all_games`` yields every game once, also if a game is added meanwhile."""
    store.write(*[AddGame(a_game(f"{number:04}"), SEED) for number in range(1201)]).result()
    games = store.all_games()
    first = next(games).id
    store.write(AddGame(a_game("9999"), SEED)).result()
    assert [first, *(game.id for game in games)] == [f"{number:04}" for number in range(1201)]


def test_damaged_rows_do_not_shorten_a_page(store: Store, path: Path) -> None:
    """Damaged rows are left out and reported, and a page is filled up with the next readable games."""
    names = [f"{number}" for number in range(9)]
    store.write(*[AddGame(a_game(name, created_at=9.0 - int(name)), SEED) for name in names]).result()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE game SET summary = CAST(x'ff' AS TEXT) WHERE id IN ('0', '2', '3', '8')")
    for most, wanted in ((0, ""), (1, "1"), (3, "145"), (9, "14567")):
        found: list[DamagedRow] = []
        with reporting(store, found.append):
            assert [game.id for game in store.open_games(most)] == list(wanted)
        assert {row.game for row in found} <= {"0", "2", "3", "8"}
    with pytest.raises(DamagedRow) as caught:
        store.game("2")
    assert (caught.value.table, caught.value.column, caught.value.game) == ("game", "summary", "2")
    assert not store.unreadable, "a damaged row does not make the file unreadable"


def test_tokens_are_dropped_by_kind_and_chair(store: Store) -> None:
    """Tokens are dropped for one chair or for all chairs of a game, and only of the given kind."""
    add_games(store, "g", "h")
    tokens = [a_token(f"{chair}" * 64, "g", TokenKind.SEAT, chair=chair) for chair in range(3)]
    tokens += [a_token("a" * 64, "g", TokenKind.JOIN), a_token("b" * 64, "h", TokenKind.SEAT, chair=1)]
    store.write(*map(Add, tokens)).result()
    store.write(DropTokens("g", TokenKind.SEAT, 1)).result()
    assert store.tokens("g") == [tokens[0], tokens[2], tokens[3]]
    store.write(DropTokens("g", TokenKind.SEAT)).result()
    assert store.tokens("g") == [tokens[3]] and store.tokens("h") == [tokens[4]]


def test_reading_from_many_threads(store: Store) -> None:
    """More threads than connections can read at the same time."""
    add_games(store, "g", events=20)
    with ThreadPoolExecutor(24) as pool:
        answers = list(pool.map(lambda _: len(store.events("g")), range(300)))
    assert answers == [20] * 300


def test_reading_connections_cannot_write(store: Store) -> None:
    """A snapshot does not see later writes, and a write on its connection fails."""
    add_games(store, "g")
    with store.snapshot() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM event").scalar() == 0
        store.write(an_event(0)).result()
        assert connection.exec_driver_sql("SELECT count(*) FROM event").scalar() == 0
    with pytest.raises(OperationalError), store.snapshot() as connection:
        connection.exec_driver_sql("DELETE FROM event")
    assert len(store.events("g")) == 1


def test_commits_are_durable(store: Store) -> None:
    """The writing connection uses WAL, ``synchronous=FULL`` and foreign keys."""
    add_games(store, "g")
    connection = store._writer._connection
    assert connection is not None and isinstance(connection.driver_connection, sqlite3.Connection)
    pragmas = {
        name: connection.driver_connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous", "foreign_keys")
    }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_reprs_contain_no_secrets(store: Store) -> None:
    """The repr of a row, change or error contains no event body, hash, seed or token."""
    add_games(store, "g")
    changes = AddGame(a_game("h"), b"SECRET"), an_event(0, body="SECRET"), a_token("SECRET")
    store.write(changes[1]).result()
    (event,) = store.events("g")
    shown = repr((changes, event, store.write(changes[1]).exception()))
    assert "SECRET" not in shown and event.hash not in shown


def test_reading_a_corrupt_file_is_unavailable(path: Path) -> None:
    """Reading a corrupt page raises ``Unavailable`` with the reason."""
    with Store.open(path) as store:
        add_games(store, "g", events=30)
    (root,) = query(path, "SELECT rootpage FROM sqlite_master WHERE name = 'pk_event' OR name = 'event'")[0]
    with path.open("r+b") as file:
        file.seek((root - 1) * 4096)
        file.write(b"\xff" * 4096)
    with Store.open(path) as store, pytest.raises(Unavailable, match="the file is corrupt") as caught:
        store.events("g")
    assert caught.value.key == "store.cannot_read"


def test_a_failed_read_is_remembered_and_retried(
    store: Store, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A store is unreadable until the failed query succeeds again; the log names SQLite's error code."""
    add_games(store, "g", events=3)
    assert not store.unreadable
    alter(path, "ALTER TABLE event RENAME TO elsewhere")
    with pytest.raises(Unavailable) as caught:
        store.events("g")
    assert caught.value.key == "store.cannot_read"
    assert len({caught.value.translate(language) for language in LANGUAGES}) == 4
    assert "no such table" not in caught.value.translate()
    assert [vars(line)["error"] for line in caplog.records] == ["SQLITE_ERROR"]
    assert store.game("g") is not None and store.unreadable
    with pytest.raises(Unavailable):
        store.read_again()
    alter(path, "ALTER TABLE elsewhere RENAME TO event")
    assert store.unreadable
    store.read_again()
    assert not store.unreadable and len(store.events("g")) == 3


def alter(path: Path, statement: str) -> None:
    """Change the file through another connection."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)


def test_closing_the_store_closes_a_connection_in_use(path: Path) -> None:
    """A connection that is in use when the store closes still works, and is closed after its use."""
    store = Store.open(path)
    with store._connected(snapshot=True) as connection:
        raw = connection.connection.driver_connection
        assert raw is not None
        store.close()
        assert connection.exec_driver_sql("SELECT 1").scalar() == 1
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        raw.execute("SELECT 1")
