"""Writing: atomic, at most once, and acknowledged only when committed."""

import logging
import sqlite3
from collections.abc import Iterator
from concurrent.futures import Future, wait
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from sanssouci.store import (
    Add,
    AddGame,
    BanRow,
    Change,
    Conflict,
    DeleteGame,
    ForgetGuest,
    FreeChair,
    HoldingRow,
    LiftBans,
    RenameGuest,
    SeeGuest,
    SetBan,
    Store,
    TokenKind,
    Unavailable,
    UpdateGame,
    check_chain,
    sqlite,
)

from .builders import (
    SEED,
    a_game,
    a_guest,
    a_token,
    add_games,
    all_rows,
    an_event,
    blocked_writer,
    fill_store,
    query,
)


def test_a_probe_writes_without_changing_rows(store: Store, path: Path) -> None:
    """A probe writes to the log but changes no row, and fails when the store is closed."""
    add_games(store, "probed")
    before, log = all_rows(path), path.with_name(f"{path.name}-wal")
    size = log.stat().st_size
    store.probe().result(60)
    assert log.stat().st_size > size and all_rows(path) == before and not store.failing
    store.close()
    assert isinstance(store.probe().exception(60), Unavailable)


@pytest.mark.parametrize(
    "changes",
    [
        [an_event(2)],
        [an_event(3, command_id="c1")],
        [an_event(4)],
        [an_event(-1)],
        [an_event(0, "nowhere")],
        [AddGame(a_game("g"), SEED)],
        [UpdateGame(a_game("nowhere"))],
        [Add(a_guest())],
        [RenameGuest("nobody", "x")],
        [Add(a_token("w" * 64))],
        [Add(a_token("a" * 64, guest="nobody"))],
        [Add(HoldingRow("g", 0, "friedrich"))],
        [Add(HoldingRow("g", 1, "nobody"))],
        [Add(HoldingRow("nowhere", 1, "friedrich"))],
    ],
    ids=str,
)
def test_a_conflicting_write_is_rolled_back(store: Store, path: Path, changes: list[Change]) -> None:
    """A repeated number or command, a gap and a missing row are conflicts, and nothing is stored."""
    fill_store(store)
    before = all_rows(path)
    with pytest.raises(Conflict):
        store.write(UpdateGame(a_game("g", summary="changed")), Add(a_guest("new")), *changes).result()
    assert all_rows(path) == before
    store.write(an_event(3)).result()
    assert check_chain(store.events("g"), last=3) is None


def test_a_batch_is_one_commit_without_its_conflicts(store: Store, path: Path) -> None:
    """Of five writes in a batch, the two conflicts fail and the others are committed in one transaction."""
    add_games(store, "g", events=1)
    traced: list[str] = []
    connection = store._writer._connection
    assert connection is not None and isinstance(connection.driver_connection, sqlite3.Connection)
    with blocked_writer(store):
        writes = [
            store.write(an_event(1)),
            store.write(UpdateGame(a_game("g", summary="bad")), an_event(1, command_id="again")),
            store.write(an_event(2)),
            store.write(an_event(3), an_event(9)),
            store.write(an_event(3, body='{"the":"third"}')),
        ]
        connection.driver_connection.set_trace_callback(traced.append)
    wait(writes, 60)
    assert [type(write.exception()) for write in writes] == [
        type(None),
        Conflict,
        type(None),
        Conflict,
        type(None),
    ]
    assert [event.seq for event in store.events("g")] == [0, 1, 2, 3] and check_chain(
        store.events("g")
    ) is None
    assert store.events("g")[-1].body == '{"the":"third"}'
    assert query(path, "SELECT summary FROM game") == [("{}",)]
    assert traced.count("COMMIT") == 2 and traced.count("BEGIN IMMEDIATE") == 1, (
        "the other ends the blocking write"
    )


def test_a_write_is_acknowledged_after_its_commit(store: Store, path: Path) -> None:
    """When a write is acknowledged another connection can read it, also for writes in a batch."""
    add_games(store, "g")
    found: list[int] = []

    def count_events(seq: int) -> None:
        (row,) = query(path, f"SELECT count(*) FROM event WHERE seq = {seq}")
        found.append(row[0])

    def write(seq: int) -> Future[None]:
        future = store.write(an_event(seq))
        future.add_done_callback(lambda _: count_events(seq))
        return future

    write(0).result(60)
    with blocked_writer(store):
        rest = [write(seq) for seq in range(1, 20)]
    wait(rest, 60)
    store.close()
    assert found == [1] * 20


def test_more_writes_than_one_transaction_takes(store: Store) -> None:
    """A thousand waiting writes are all stored, in order."""
    add_games(store, "g")
    with blocked_writer(store):
        writes = [store.write(an_event(seq)) for seq in range(1000)]
    assert all(write.exception(60) is None for write in writes)
    assert check_chain(store.events("g"), last=999) is None


def test_threads_competing_for_the_same_numbers(store: Store) -> None:
    """If eight threads write the same event numbers, exactly one write of each number succeeds."""
    add_games(store, "g")
    won: list[tuple[int, int]] = []

    def play(player: int) -> None:
        for seq in range(30):
            if store.write(an_event(seq, command_id=f"{player}-{seq}")).exception(60) is None:
                won.append((seq, player))

    threads = [Thread(target=play, args=(player,)) for player in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seq for seq, _ in won) == list(range(30))
    assert {(event.seq, int(event.command_id[0])) for event in store.events("g")} == set(won)


@pytest.mark.parametrize(
    "changed",
    [{"body": "secret\ud800"}, {"body": ["secret"]}, {"seat": 2**70}],
    ids=["half", "list", "large"],
)
def test_an_unstorable_value_fails_its_write_only(store: Store, path: Path, changed: dict[str, Any]) -> None:
    """The write is rolled back, other writes succeed, and the error does not contain the value."""
    add_games(store, "g", events=1)
    with blocked_writer(store):
        bad = store.write(UpdateGame(a_game("g", summary="half")), an_event(1, **changed))
        good = store.write(an_event(1))
    error = bad.exception(60)
    assert type(error) is ValueError and "secret" not in repr(error) and error.__context__ is None
    assert good.exception(60) is None
    assert query(path, "SELECT summary FROM game") == [("{}",)]


def test_a_cancelled_write_is_not_made(store: Store) -> None:
    """A write that is cancelled while it waits is never made."""
    add_games(store, "g")
    with blocked_writer(store):
        cancelled, kept = store.write(an_event(0, body="no")), store.write(an_event(0, body="yes"))
        assert cancelled.cancel()
    kept.result(60)
    assert [event.body for event in store.events("g")] == ["yes"]
    with blocked_writer(store):
        assert store.write(an_event(1)).cancel()
    assert len(store.events("g")) == 1


def test_closing_finishes_waiting_writes(path: Path) -> None:
    """Closing commits all waiting writes, removes the write-ahead log and refuses later writes."""
    store = Store.open(path)
    add_games(store, "g")
    with blocked_writer(store):
        writes = [store.write(an_event(seq)) for seq in range(300)]
        closing = Thread(target=store.close)
        closing.start()
    closing.join(60)
    assert all(write.done() and write.exception() is None for write in writes)
    assert not path.with_name("games.db-wal").exists(), "only the data file is left"
    assert query(path, "SELECT count(*) FROM event") == [(300,)]
    assert isinstance(store.write(an_event(300)).exception(0), Unavailable) and not store.alive
    with pytest.raises(Unavailable):
        store.events("g")
    store.close()


def test_writes_fail_when_the_writer_thread_has_died(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    """If the writer thread dies, running, waiting and later writes fail; the log does not contain secrets."""
    add_games(store, "g", events=1)

    def dying() -> Iterator[Change]:
        yield an_event(1)
        raise SystemExit("secret")

    with caplog.at_level(logging.CRITICAL, "sanssouci.store"), blocked_writer(store):
        writes = [store.write(UpdateGame(a_game("g", summary="lost"))), store.write_all(dying())]
        writes += [store.write(an_event(1)) for _ in range(300)]
    wait(writes, 60)
    assert {type(write.exception(0)) for write in writes} == {Unavailable}
    assert isinstance(store.write(an_event(1)).exception(0), Unavailable) and not store.alive
    assert caplog.messages == ["store_writer_died"] and "secret" not in repr(vars(caplog.records[0]))
    assert vars(caplog.records[0])["error"] == "SystemExit"
    store.close()


def test_an_uncommitted_write_is_lost_with_the_writer(path: Path) -> None:
    """A write that failed because the writer died is not stored."""
    with Store.open(path) as store:
        add_games(store, "g", events=1)

        def dying() -> Iterator[Change]:
            yield an_event(1)
            raise SystemExit

        assert isinstance(store.write_all(dying()).exception(60), Unavailable)
    with Store.open(path) as store:
        assert [event.seq for event in store.events("g")] == [0]


def test_a_write_fails_while_another_program_locks_the_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A write times out while another program holds the lock, and succeeds afterwards."""
    monkeypatch.setattr(sqlite, "_BUSY_TIMEOUT", 0.01)
    with Store.open(path) as store:
        add_games(store, "g")
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable, match="another program"):
            store.write(an_event(0)).result(60)
        other.execute("ROLLBACK")
        other.close()
        store.write(an_event(0)).result(60)
        assert len(store.events("g")) == 1


def test_a_disk_error_rolls_back_the_whole_batch(store: Store) -> None:
    """After a disk error all writes of a batch fail, and the next batch succeeds."""
    add_games(store, "g")

    def failing() -> Iterator[Change]:
        yield an_event(1)
        raise sqlite3.OperationalError("disk I/O error")

    with blocked_writer(store):
        writes = [store.write(an_event(0)), store.write_all(failing()), store.write(Add(a_guest()))]
    assert {type(write.exception(60)) for write in writes} == {Unavailable}
    assert store.events("g") == [] and store.guest("wilhelmine") is None
    store.write(an_event(0)).result(60)
    assert len(store.events("g")) == 1


def test_a_lost_connection_is_replaced(store: Store) -> None:
    """The write that notices the lost connection fails, and the next one succeeds."""
    add_games(store, "g")
    connection = store._writer._connection
    assert connection is not None and isinstance(connection.driver_connection, sqlite3.Connection)
    connection.driver_connection.close()
    assert isinstance(store.write(an_event(0)).exception(60), Unavailable)
    store.write(an_event(0)).result(60)
    assert len(store.events("g")) == 1


def test_readers_do_not_see_uncommitted_writes(store: Store) -> None:
    """A read during a transaction neither waits for it nor sees its changes."""
    add_games(store, "g")
    inside, go = Event(), Event()

    def slow() -> Iterator[Change]:
        yield an_event(0)
        inside.set()
        assert go.wait(60)
        yield an_event(1)

    future = store.write_all(slow())
    assert inside.wait(60) and store.events("g") == []
    go.set()
    future.result(60)
    assert len(store.events("g")) == 2


def test_passing_a_chair_on_and_forgetting_a_guest(store: Store, path: Path) -> None:
    """A chair changes hands in one write; forgetting a guest removes tokens and chairs, but no events."""
    fill_store(store)
    store.write(
        FreeChair("g", 0), Add(HoldingRow("g", 0, "friedrich")), RenameGuest("friedrich", "Fritz")
    ).result()
    assert [(row.chair, row.guest) for row in store.holdings("g")] == [(0, "friedrich"), (2, "friedrich")]
    guest = store.guest("friedrich")
    assert guest is not None and guest.name == "Fritz"
    store.write(ForgetGuest("friedrich")).result()
    assert store.guest("friedrich") is None and store.holdings("g") == [] and store.holdings("h") == []
    assert store.token("f" * 64) is None and store.token("w" * 64) is not None
    assert len(store.events("h")) == 3


def test_forgetting_a_guest_drops_the_links_of_its_chairs(store: Store, path: Path) -> None:
    """Only links of the guest's chairs are dropped; those of other chairs, games and kinds stay."""
    fill_store(store)
    for game in ("g", "h"):
        links = [a_token(f"{game}{chair}", game, TokenKind.SEAT, chair=chair) for chair in range(3)]
        store.write(*map(Add, links), Add(BanRow(game, "friedrich"))).result()
    before = all_rows(path)["token"]
    store.write(ForgetGuest("friedrich")).result()
    gone = {row[0] for row in before} - {row[0] for row in all_rows(path)["token"]}
    assert gone == {"f" * 64, "g2", "h1"}
    assert all_rows(path)["barred"] == [("h", "wilhelmine", None)]


def test_bans_last_until_lifted(store: Store, path: Path) -> None:
    """A guest can be banned once per game, and lifting bans affects that game only."""
    fill_store(store)
    store.write(Add(BanRow("g", "wilhelmine")), Add(BanRow("g", "friedrich"))).result()
    assert [row.guest for row in store.bans("g")] == ["friedrich", "wilhelmine"]
    with pytest.raises(Conflict):
        store.write(Add(BanRow("g", "friedrich"))).result()
    store.write(SetBan("g", "friedrich", 2), SetBan("h", "friedrich", 1)).result()
    assert [row.missed for row in store.bans("g")] == [2, None] and len(store.bans("h")) == 2
    store.write(SetBan("g", "friedrich")).result()
    assert [row.missed for row in store.bans("g")] == [None, None]
    store.write(LiftBans("g")).result()
    assert store.bans("g") == [] and len(store.bans("h")) == 2


def test_idle_guests(store: Store) -> None:
    """A guest is idle if it was not seen recently and holds chairs only in games about to be deleted."""
    fill_store(store)
    store.write(Add(a_guest("voltaire")), SeeGuest("friedrich", 9.0), SeeGuest("nobody", 9.0)).result()
    assert store.idle_guests(7.0) == []
    assert store.idle_guests(8.0) == ["voltaire"]
    assert store.idle_guests(8.0, without={"g"}) == ["voltaire", "wilhelmine"]
    assert store.idle_guests(10.0, without={"g"}) == ["voltaire", "wilhelmine"]
    assert store.idle_guests(10.0, without={"g", "h"}) == ["friedrich", "voltaire", "wilhelmine"]


def test_deleting_a_game_deletes_its_rows_only(store: Store, path: Path) -> None:
    """Seed, events, tokens, chairs and bans go with the game; other games and the guests stay."""
    fill_store(store)
    store.delete(["g"])
    after = all_rows(path)
    assert len(after["guest"]) == 2 and len(after["token"]) == 2
    assert {row[0] for table in ("game", "secret", "event", "holding", "barred") for row in after[table]} == {
        "h"
    }
    store.write(DeleteGame("h")).result()
    assert all(not all_rows(path)[table] for table in ("game", "secret", "event", "holding", "barred"))


def test_a_read_only_connection_is_replaced(path: Path) -> None:
    """A connection that was opened read-only is not reused after its write has failed."""
    with Store.open(path) as store:
        writer = store._writer
        able, writer._engine = writer._engine, sqlite.reading_engine(path)
        with pytest.raises(Unavailable, match="is read-only"):
            store.write(Add(a_guest("a"))).result()
        writer._engine.dispose()
        writer._engine = able
        store.write(Add(a_guest("a"))).result()
        assert store.guest("a") is not None
