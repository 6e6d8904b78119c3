"""Writing: all or nothing, once only, acknowledged only when it is on the disk."""

import logging
import sqlite3
from collections.abc import Iterator
from concurrent.futures import Future, wait
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from sanssouci.store import (
    AddGame,
    AddGuest,
    AddToken,
    AssignSeat,
    Ban,
    Change,
    Conflict,
    DeleteGame,
    ForgetGuest,
    FreeSeat,
    RenameGuest,
    SeeGuest,
    Store,
    TokenKind,
    Unavailable,
    Unban,
    UpdateGame,
    check_chain,
    sqlite,
)

from .builders import SEED, a_game, a_guest, a_token, an_event, begin, everything, furnish, held_up, look


def test_a_probe_writes_and_changes_nothing(store: Store, path: Path) -> None:
    """The log of the file grows by a page, and all that is kept is as it was; a closed store says no."""
    begin(store, "probed")
    before, log = everything(path), path.with_name(f"{path.name}-wal")
    size = log.stat().st_size
    store.probe().result(60)
    assert log.stat().st_size > size and everything(path) == before and not store.failing
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
        [AddGuest(a_guest())],
        [RenameGuest("nobody", "x")],
        [AddToken(a_token("w" * 64))],
        [AddToken(a_token("a" * 64, guest="nobody"))],
        [AssignSeat("g", 0, "friedrich")],
        [AssignSeat("g", 1, "nobody")],
        [AssignSeat("nowhere", 1, "friedrich")],
    ],
    ids=str,
)
def test_what_contradicts_is_refused_and_leaves_nothing(
    store: Store, path: Path, changes: list[Change]
) -> None:
    """A seq or a command that was there, a gap, what does not exist: and what came with it is not kept."""
    furnish(store)
    before = everything(path)
    with pytest.raises(Conflict):
        store.write(UpdateGame(a_game("g", summary="changed")), AddGuest(a_guest("new")), *changes).result()
    assert everything(path) == before
    store.write(an_event(3)).result()
    assert check_chain(store.events("g"), last=3) is None


def test_a_batch_is_one_commit_and_a_bad_write_spoils_no_good_one(store: Store, path: Path) -> None:
    """Of five writes that wait together the three good ones are kept, in one transaction."""
    begin(store, "g", events=1)
    traced: list[str] = []
    connection = store._writer._connection
    assert connection is not None and isinstance(connection.driver_connection, sqlite3.Connection)
    with held_up(store):
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
    assert look(path, "SELECT summary FROM game") == [("{}",)]
    assert traced.count("COMMIT") == 2 and traced.count("BEGIN IMMEDIATE") == 1, "one ends what held it up"


def test_it_is_acknowledged_when_others_can_see_it(store: Store, path: Path) -> None:
    """At the moment a future has its result, another program finds the row: alone, and in a batch."""
    begin(store, "g")
    found: list[int] = []

    def look_for(seq: int) -> None:
        (row,) = look(path, f"SELECT count(*) FROM event WHERE seq = {seq}")
        found.append(row[0])

    def write(seq: int) -> Future[None]:
        future = store.write(an_event(seq))
        future.add_done_callback(lambda _: look_for(seq))
        return future

    write(0).result(60)
    with held_up(store):
        rest = [write(seq) for seq in range(1, 20)]
    wait(rest, 60)
    store.close()
    assert found == [1] * 20


def test_more_than_fit_into_one_transaction_are_written(store: Store) -> None:
    """A thousand writes that wait are all kept, in their order."""
    begin(store, "g")
    with held_up(store):
        writes = [store.write(an_event(seq)) for seq in range(1000)]
    assert all(write.exception(60) is None for write in writes)
    assert check_chain(store.events("g"), last=999) is None


def test_many_threads_want_the_same_place_and_one_gets_it(store: Store) -> None:
    """Eight threads write the same seqs: each seq is taken once, and everyone else hears of it."""
    begin(store, "g")
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
def test_a_value_that_cannot_be_kept_fails_alone_and_is_not_told(
    store: Store, path: Path, changed: dict[str, Any]
) -> None:
    """With all of its write, while others are kept; nothing in the error could give it away."""
    begin(store, "g", events=1)
    with held_up(store):
        bad = store.write(UpdateGame(a_game("g", summary="half")), an_event(1, **changed))
        good = store.write(an_event(1))
    error = bad.exception(60)
    assert type(error) is ValueError and "secret" not in repr(error) and error.__context__ is None
    assert good.exception(60) is None
    assert look(path, "SELECT summary FROM game") == [("{}",)]


def test_a_write_that_was_cancelled_in_time_is_not_made(store: Store) -> None:
    """Cancelled means never written; once it is being written it cannot be cancelled."""
    begin(store, "g")
    with held_up(store):
        cancelled, kept = store.write(an_event(0, body="no")), store.write(an_event(0, body="yes"))
        assert cancelled.cancel()
    kept.result(60)
    assert [event.body for event in store.events("g")] == ["yes"]
    with held_up(store):
        assert store.write(an_event(1)).cancel()
    assert len(store.events("g")) == 1


def test_closing_writes_what_is_waiting(path: Path) -> None:
    """A store that is closed with a full queue has written all of it, and takes no more."""
    store = Store.open(path)
    begin(store, "g")
    with held_up(store):
        writes = [store.write(an_event(seq)) for seq in range(300)]
        closing = Thread(target=store.close)
        closing.start()
    closing.join(60)
    assert all(write.done() and write.exception() is None for write in writes)
    assert not path.with_name("games.db-wal").exists(), "it leaves one tidy file"
    assert look(path, "SELECT count(*) FROM event") == [(300,)]
    assert isinstance(store.write(an_event(300)).exception(0), Unavailable) and not store.alive
    with pytest.raises(Unavailable):
        store.events("g")
    store.close()


def test_nobody_waits_for_a_writer_that_has_died(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever kills the thread: those it wrote for, those who wait and those who come get an answer."""
    begin(store, "g", events=1)

    def deadly() -> Iterator[Change]:
        yield an_event(1)
        raise SystemExit("secret")

    with caplog.at_level(logging.CRITICAL, "sanssouci.store"), held_up(store):
        writes = [store.write(UpdateGame(a_game("g", summary="lost"))), store.write_all(deadly())]
        writes += [store.write(an_event(1)) for _ in range(300)]
    wait(writes, 60)
    assert {type(write.exception(0)) for write in writes} == {Unavailable}
    assert isinstance(store.write(an_event(1)).exception(0), Unavailable) and not store.alive
    assert "SystemExit" in caplog.text and "secret" not in caplog.text
    store.close()


def test_what_was_not_committed_when_the_writer_died_is_gone(path: Path) -> None:
    """Who was told no finds the data as they were."""
    with Store.open(path) as store:
        begin(store, "g", events=1)

        def deadly() -> Iterator[Change]:
            yield an_event(1)
            raise SystemExit

        assert isinstance(store.write_all(deadly()).exception(60), Unavailable)
    with Store.open(path) as store:
        assert [event.seq for event in store.events("g")] == [0]


def test_a_file_that_another_program_holds_is_waited_for_then_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lock that somebody took from outside makes writes retryable, never wrong; then it goes on."""
    monkeypatch.setattr(sqlite, "_BUSY_TIMEOUT", 0.01)
    with Store.open(path) as store:
        begin(store, "g")
        outsider = sqlite3.connect(path, isolation_level=None)
        outsider.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable, match="another program"):
            store.write(an_event(0)).result(60)
        outsider.execute("ROLLBACK")
        outsider.close()
        store.write(an_event(0)).result(60)
        assert len(store.events("g")) == 1


def test_an_error_in_the_midst_of_a_batch_undoes_all_of_it(store: Store) -> None:
    """What the disk has to say to one write is everyone's answer; the next batch begins clean."""
    begin(store, "g")

    def unlucky() -> Iterator[Change]:
        yield an_event(1)
        raise sqlite3.OperationalError("disk I/O error")

    with held_up(store):
        writes = [store.write(an_event(0)), store.write_all(unlucky()), store.write(AddGuest(a_guest()))]
    assert {type(write.exception(60)) for write in writes} == {Unavailable}
    assert store.events("g") == [] and store.guest("wilhelmine") is None
    store.write(an_event(0)).result(60)
    assert len(store.events("g")) == 1


def test_a_connection_that_is_lost_is_replaced(store: Store) -> None:
    """The write that notices is refused for now; the next one works."""
    begin(store, "g")
    connection = store._writer._connection
    assert connection is not None and isinstance(connection.driver_connection, sqlite3.Connection)
    connection.driver_connection.close()
    assert isinstance(store.write(an_event(0)).exception(60), Unavailable)
    store.write(an_event(0)).result(60)
    assert len(store.events("g")) == 1


def test_readers_see_nothing_of_what_is_being_written(store: Store) -> None:
    """A read beside an unfinished transaction neither waits for it nor sees half of it."""
    begin(store, "g")
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


def test_chairs_and_guests_come_and_go(store: Store, path: Path) -> None:
    """A chair is passed on in one write; a guest who is forgotten leaves nothing but what was played."""
    furnish(store)
    store.write(FreeSeat("g", 0), AssignSeat("g", 0, "friedrich"), RenameGuest("friedrich", "Fritz")).result()
    assert [(row.chair, row.guest) for row in store.holdings("g")] == [(0, "friedrich"), (2, "friedrich")]
    guest = store.guest("friedrich")
    assert guest is not None and guest.name == "Fritz"
    store.write(ForgetGuest("friedrich")).result()
    assert store.guest("friedrich") is None and store.holdings("g") == [] and store.holdings("h") == []
    assert store.token("f" * 64) is None and store.token("w" * 64) is not None
    assert len(store.events("h")) == 3


def test_with_a_guest_go_the_links_of_the_chairs_and_nothing_else(store: Store, path: Path) -> None:
    """The links of the guest's own chairs; those of other chairs, other games and other kinds stay."""
    furnish(store)
    for game in ("g", "h"):
        links = [a_token(f"{game}{chair}", game, TokenKind.SEAT, chair=chair) for chair in range(3)]
        store.write(*map(AddToken, links), Ban(game, "friedrich")).result()
    before = everything(path)["token"]
    store.write(ForgetGuest("friedrich")).result()
    gone = {row[0] for row in before} - {row[0] for row in everything(path)["token"]}
    assert gone == {"f" * 64, "g2", "h1"}
    assert everything(path)["barred"] == [("h", "wilhelmine")]


def test_who_is_barred_is_so_until_all_may_join_again(store: Store, path: Path) -> None:
    """At that game only, and once."""
    furnish(store)
    store.write(Ban("g", "wilhelmine"), Ban("g", "friedrich")).result()
    assert [row.guest for row in store.bans("g")] == ["friedrich", "wilhelmine"]
    with pytest.raises(Conflict):
        store.write(Ban("g", "friedrich")).result()
    store.write(Unban("g")).result()
    assert store.bans("g") == [] and len(store.bans("h")) == 1


def test_guests_are_idle_who_were_not_seen_and_hold_nothing(store: Store) -> None:
    """A chair that is to be deleted does not count, and one who is gone cannot be seen."""
    furnish(store)
    store.write(AddGuest(a_guest("voltaire")), SeeGuest("friedrich", 9.0), SeeGuest("nobody", 9.0)).result()
    assert store.idle_guests(7.0) == []
    assert store.idle_guests(8.0) == ["voltaire"]
    assert store.idle_guests(8.0, without={"g"}) == ["voltaire", "wilhelmine"]
    assert store.idle_guests(10.0, without={"g"}) == ["voltaire", "wilhelmine"]
    assert store.idle_guests(10.0, without={"g", "h"}) == ["friedrich", "voltaire", "wilhelmine"]


def test_deleting_games_takes_all_of_them_and_nothing_else(store: Store, path: Path) -> None:
    """Seed, events, tokens and chairs go with the game; other games and the guests stay."""
    furnish(store)
    store.delete(["g"])
    after = everything(path)
    assert len(after["guest"]) == 2 and len(after["token"]) == 2
    assert {row[0] for table in ("game", "secret", "event", "holding", "barred") for row in after[table]} == {
        "h"
    }
    store.write(DeleteGame("h")).result()
    assert all(not everything(path)[table] for table in ("game", "secret", "event", "holding", "barred"))


def test_a_connection_that_can_only_read_is_not_kept(path: Path) -> None:
    """One that was opened while the disk was read-only cannot write afterwards either: the next one can."""
    with Store.open(path) as store:
        writer = store._writer
        able, writer._engine = writer._engine, sqlite.reading_engine(path)
        with pytest.raises(Unavailable, match="is read-only"):
            store.write(AddGuest(a_guest("a"))).result()
        writer._engine.dispose()
        writer._engine = able
        store.write(AddGuest(a_guest("a"))).result()
        assert store.guest("a") is not None
