"""Reading: what lists need, from any thread, by connections that cannot write."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from sanssouci.locale import LANGUAGES
from sanssouci.store import (
    AddGame,
    AddGuest,
    AddToken,
    AssignSeat,
    DamagedRow,
    DropTokens,
    HeldGame,
    Store,
    TokenKind,
    Unavailable,
    UpdateGame,
    reporting,
)

from .builders import SEED, a_game, a_guest, a_token, an_event, begin, furnish, look


def test_a_row_comes_back_as_it_was_written(store: Store) -> None:
    """Every kind of row; what does not exist is nothing."""
    furnish(store)
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


def test_an_update_leaves_when_a_game_was_created(store: Store) -> None:
    """All else is as the update says."""
    begin(store, "g", "h")
    changed = a_game(
        "g", created_at=99.0, updated_at=7.0, phase="play", visibility="link", waiting=3, deadline=8.5, seq=4
    )
    store.write(UpdateGame(replace(changed, summary="new"))).result()
    assert store.game("g") == replace(changed, created_at=1.0, summary="new")
    assert store.game("h") == a_game("h")


def test_events_after_a_seq(store: Store) -> None:
    """Whoever has some gets the rest, in order."""
    begin(store, "g", "h", events=12)
    assert [event.seq for event in store.events("g", after=8)] == [9, 10, 11]
    assert store.events("g", after=11) == [] and len(store.events("g", after=-1)) == 12


def test_open_games_are_those_in_the_lobby_that_anyone_may_join(store: Store) -> None:
    """The newest first, and not more than wanted."""
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


def test_running_games_are_those_that_anyone_may_watch(store: Store) -> None:
    """From the picking on until they are over, the newest first; none that has a link only."""
    phases = {"lobby": 1.0, "picking": 2.0, "playing": 3.0, "over": 4.0, "full": 5.0}
    for phase, created_at in phases.items():
        for visibility in ("open", "link"):
            name = f"{phase}-{visibility}"
            game = a_game(name, phase=phase, visibility=visibility, created_at=created_at)
            store.write(AddGame(game, SEED)).result()
    assert [game.id for game in store.running_games(10)] == ["playing-open", "picking-open"]
    assert [game.id for game in store.running_games(10, (3.0, "playing-open"))] == ["picking-open"]


def test_games_of_a_guest_come_with_the_chairs(store: Store) -> None:
    """The one that moved last first; a guest who holds two chairs of a game finds it once."""
    furnish(store)
    store.write(AssignSeat("h", 3, "friedrich"), UpdateGame(a_game("h", updated_at=50.0))).result()
    assert store.games_of("friedrich") == [
        HeldGame(a_game("h", updated_at=50.0), (1, 3)),
        HeldGame(a_game("g", seq=2), (2,)),
    ]
    assert store.games_of("nobody") == []


def test_of_many_games_of_a_guest_those_come_that_wait(store: Store) -> None:
    """However old they are: then the latest, and no more than wanted; one that waits for others does not."""
    store.write(AddGuest(a_guest("friedrich"))).result()
    for name, waiting, phase in (
        ("a", 0b10, "full"),
        ("b", 0b01, "play"),
        ("c", 0, "over"),
        ("d", 0b10, "lobby"),
    ):
        game = a_game(name, waiting=waiting, phase=phase, updated_at=float(ord(name)))
        held = [AssignSeat(name, chair, "friedrich") for chair in (-1, 1)]
        store.write(AddGame(game, SEED), *held).result()
    for most, names in ((-1, "adcb"), (3, "adc"), (1, "a")):
        found = store.games_of("friedrich", most)
        assert [held.game.id for held in found] == [*names]
        assert {held.chairs for held in found} == {(-1, 1)}
    assert [held.game.id for held in store.unfinished_games_of("friedrich")] == ["a", "b", "d"]


def test_deadlines_and_idle_games(store: Store) -> None:
    """The clock that runs out first comes first; a game without clock has none."""
    for name, deadline in (("late", 30.0), ("none", None), ("soon", 10.0)):
        store.write(AddGame(a_game(name, deadline=deadline, updated_at=deadline or 0.0), SEED)).result()
    assert store.deadlines() == [("soon", 10.0), ("late", 30.0)]
    assert [game.id for game in store.idle_games(10.0)] == ["none"]
    assert [game.id for game in store.idle_games(30.5)] == ["none", "soon", "late"]


def test_all_games_are_all_games(store: Store) -> None:
    """Each exactly once, also while a new one comes."""
    store.write(*[AddGame(a_game(f"{number:04}"), SEED) for number in range(1201)]).result()
    games = store.all_games()
    first = next(games).id
    store.write(AddGame(a_game("9999"), SEED)).result()
    assert [first, *(game.id for game in games)] == [f"{number:04}" for number in range(1201)]


def test_a_page_without_damaged_rows_is_full(store: Store, path: Path) -> None:
    """Damaged rows are left out and reported; as many others come as were asked for, if there are as many."""
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
    assert not store.unreadable, "one row is no trouble of the file"


def test_tokens_are_dropped_by_kind_and_chair(store: Store) -> None:
    """A new link for one chair leaves those of the others."""
    begin(store, "g", "h")
    tokens = [a_token(f"{chair}" * 64, "g", TokenKind.SEAT, chair=chair) for chair in range(3)]
    tokens += [a_token("a" * 64, "g", TokenKind.JOIN), a_token("b" * 64, "h", TokenKind.SEAT, chair=1)]
    store.write(*map(AddToken, tokens)).result()
    store.write(DropTokens("g", TokenKind.SEAT, 1)).result()
    assert store.tokens("g") == [tokens[0], tokens[2], tokens[3]]
    store.write(DropTokens("g", TokenKind.SEAT)).result()
    assert store.tokens("g") == [tokens[3]] and store.tokens("h") == [tokens[4]]


def test_reading_from_many_threads(store: Store) -> None:
    """More threads than connections all get their answer."""
    begin(store, "g", events=20)
    with ThreadPoolExecutor(24) as pool:
        answers = list(pool.map(lambda _: len(store.events("g")), range(300)))
    assert answers == [20] * 300


def test_what_reads_cannot_write(store: Store) -> None:
    """A reading connection refuses to change anything, and a snapshot stays at its moment."""
    begin(store, "g")
    with store.snapshot() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM event").scalar() == 0
        store.write(an_event(0)).result()
        assert connection.exec_driver_sql("SELECT count(*) FROM event").scalar() == 0
    with pytest.raises(OperationalError), store.snapshot() as connection:
        connection.exec_driver_sql("DELETE FROM event")
    assert len(store.events("g")) == 1


def test_the_disk_is_asked_for_every_commit(store: Store) -> None:
    """WAL, FULL and foreign keys on the connection that writes: a commit is on the disk when it returns."""
    begin(store, "g")
    connection = store._writer._connection
    assert connection is not None and isinstance(connection.driver_connection, sqlite3.Connection)
    told = {
        name: connection.driver_connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous", "foreign_keys")
    }
    assert told == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_nothing_hidden_is_in_a_repr(store: Store) -> None:
    """Neither a body nor its hash, a seed or a token can get into a log by way of a row or a change."""
    begin(store, "g")
    told = AddGame(a_game("h"), b"SECRET"), an_event(0, body="SECRET"), a_token("SECRET")
    store.write(told[1]).result()
    (event,) = store.events("g")
    shown = repr((told, event, store.write(told[1]).exception()))
    assert "SECRET" not in shown and event.hash not in shown


def test_a_file_that_is_spoilt_is_no_traceback(path: Path) -> None:
    """What cannot be read is unavailable, with the reason."""
    with Store.open(path) as store:
        begin(store, "g", events=30)
    (root,) = look(path, "SELECT rootpage FROM sqlite_master WHERE name = 'pk_event' OR name = 'event'")[0]
    with path.open("r+b") as file:
        file.seek((root - 1) * 4096)
        file.write(b"\xff" * 4096)
    with Store.open(path) as store, pytest.raises(Unavailable, match="contradict each other") as caught:
        store.events("g")
    assert caught.value.key == "store.cannot_read"


def test_what_could_not_be_read_is_remembered_and_asked_again(
    store: Store, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Until it can be read: that something else can does not count. The log has SQLite's name for it."""
    begin(store, "g", events=3)
    assert not store.unreadable
    alter(path, "ALTER TABLE event RENAME TO elsewhere")
    with pytest.raises(Unavailable) as caught:
        store.events("g")
    assert caught.value.key == "store.cannot_read"
    assert len({caught.value.translate(language) for language in LANGUAGES}) == 4
    assert "no such table" not in caught.value.translate() and "SQLITE_ERROR" in caplog.text
    assert store.game("g") is not None and store.unreadable
    with pytest.raises(Unavailable):
        store.read_again()
    alter(path, "ALTER TABLE elsewhere RENAME TO event")
    assert store.unreadable
    store.read_again()
    assert not store.unreadable and len(store.events("g")) == 3


def alter(path: Path, statement: str) -> None:
    """Somebody else works on the file."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)


def test_a_reader_that_outlives_the_store_is_closed(path: Path) -> None:
    """A thread may still read when the server stops; its connection does not stay open."""
    store = Store.open(path)
    with store._connected() as connection:
        raw = connection.connection.driver_connection
        assert raw is not None
        store.close()
        assert connection.exec_driver_sql("SELECT 1").scalar() == 1
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        raw.execute("SELECT 1")
