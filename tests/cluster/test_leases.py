"""Computer turns, clocks and reviews are one server's work at a time, and pass to another when it ends."""

import asyncio
import threading

from sanssouci.server.tables import scheduler
from sanssouci.store import ReviewRow, Store

from ..harness.builders import NONCE, legal_command
from ..harness.server import InProcessServer
from ..server.test_reviews import request_review, review_state
from ..workers.pools import TIMEOUT, until
from .shared_servers import at, check_sound, cut, started, with_servers


@with_servers()
async def test_one_server_asks_the_computer_player(a: InProcessServer, b: InProcessServer) -> None:
    """Both servers have the table in memory, and a turn is thought about once."""
    ada = await a.guest("Ada")
    table = await ada.create_table("person", "random", visibility="open", first=1)
    there = await at(b, ada).connect(table)
    await there.receive()
    await ada.do(table, "ready", nonce=NONCE)
    await until(lambda: a.players.asked or b.players.asked)  # the first one that leases the table
    for server in (a, b):
        await server.settle()
    view = await ada.view(table)
    assert view["waiting"] == [0]
    await there.catch_up(view["seq"])
    turns = [key for server in (a, b) for key in map(repr, server.players.asked)]
    assert len(turns) == len(set(turns))
    check_sound(b)


@with_servers()
async def test_the_work_of_a_dead_server_is_taken_over(a: InProcessServer, b: InProcessServer) -> None:
    """A server dies while its computer player thinks; another one plays when the lease has ended."""
    a.players.hold()
    ada = await a.guest("Ada")
    table = await ada.create_table("person", "random", visibility="open", first=1)
    await ada.do(table, "ready", nonce=NONCE)
    await until(lambda: a.players.asked)
    await a.services.scheduler.stop(end_leases=False)
    await b.sweep()
    assert not b.players.asked
    b.clock.advance(scheduler.TURN_LEASE + 0.1)
    await b.sweep()
    await until(lambda: b.players.asked)
    await b.settle()
    assert (await at(b, ada).view(table))["waiting"] == [0]
    check_sound(b)


@with_servers()
async def test_a_server_that_watches_a_clock_does_not_delay_the_next_turn(
    a: InProcessServer, b: InProcessServer
) -> None:
    """One server loads a table because a person's clock runs out; the computer's turn begins at another."""
    ada = await a.guest("Ada")
    clock = {"pace": "turn", "amount": 30}
    table = await ada.create_table("person", "random", visibility="open", first=0, clock=clock)
    await ada.do(table, "ready", nonce=NONCE)
    await ada.do(table, at=0, **legal_command(await ada.view(table, 0)))  # a garden
    await a.settle()
    assert (await ada.view(table))["stage"] == "playing"
    asked = len(a.players.asked)
    await b.sweep()
    b.clock.advance(scheduler.TURN_LEASE + 0.1)
    cut(a, b)  # the other server does not learn of the turn
    await ada.do(table, at=0, **legal_command(await ada.view(table, 0)))
    await until(lambda: len(a.players.asked) > asked)


@with_servers()
async def test_the_work_of_a_stopped_server_is_taken_over_at_once(
    a: InProcessServer, b: InProcessServer
) -> None:
    """A server that stops while its computer player thinks ends its lease."""
    a.players.hold()
    ada = await a.guest("Ada")
    table = await ada.create_table("person", "random", visibility="open", first=1)
    await ada.do(table, "ready", nonce=NONCE)
    await until(lambda: a.players.asked)
    await a.services.scheduler.stop()
    await b.sweep()
    await until(lambda: b.players.asked)
    await b.settle()
    assert (await at(b, ada).view(table))["waiting"] == [0]


@with_servers()
async def test_one_server_works_on_a_review(a: InProcessServer, b: InProcessServer) -> None:
    """The other one shows its progress and does not begin it too, not even after a restart."""
    a.players.hold()
    ada = await a.guest("Ada")
    review = await request_review(ada)
    await until(lambda: a.players.reviewed)
    there = at(b, ada)
    assert (await review_state(there, review))["state"] == "working"
    assert await request_review(there) == review
    await b.restart()
    await b.services.reviews.update_leases()
    assert not b.players.reviewed
    running = a.services.reviews.running(review)
    assert running is not None
    running.done = 12
    await a.services.reviews.update_leases()
    assert (await review_state(there, review))["done"] == 12
    a.players.release()
    await until(lambda: a.services.reviews.running(review) is None)
    assert (await review_state(there, review))["state"] == "ready"
    assert b.store.review_progress(review) is None


@with_servers()
async def test_two_servers_asked_at_once_make_one_review(a: InProcessServer, b: InProcessServer) -> None:
    """Both have looked before either writes; the one whose write is refused returns the other's review."""
    ada, looked = await a.guest("Ada"), threading.Barrier(2)

    def look_together(store: Store) -> None:
        reviews_of, waiting = store.reviews_of, [looked]

        def slow(guest: str) -> list[ReviewRow]:
            found = reviews_of(guest)
            if waiting:
                waiting.pop().wait(TIMEOUT)
            return found

        store.reviews_of = slow  # type: ignore[method-assign]

    look_together(a.store)
    look_together(b.store)
    one, other = await asyncio.gather(request_review(ada), request_review(at(b, ada)))
    assert one == other
    row = a.store.review(one)
    assert row is not None and len(a.store.reviews_of(row.guest)) == 1
    await until(lambda: not any(server.services.reviews.running(one) for server in (a, b)))
    assert (await review_state(ada, one))["state"] == "ready"
    assert [len(server.players.reviewed) for server in (a, b)].count(0) == 1, "one of them has worked on it"


@with_servers()
async def test_the_review_of_a_dead_server_is_taken_over(a: InProcessServer, b: InProcessServer) -> None:
    """Another server begins it again when the lease has ended; until then it is not called stopped."""
    a.players.hold()
    ada = await a.guest("Ada")
    review = await request_review(ada)
    await until(lambda: a.players.reviewed)
    await a.services.reviews.stop(end_leases=False)
    await b.services.reviews.update_leases()
    assert not b.players.reviewed
    b.clock.advance(scheduler.LEASE + 0.1)
    assert (await review_state(at(b, ada), review))["state"] == "working"
    await b.services.reviews.update_leases()
    await until(lambda: b.store.review_progress(review) is None)
    assert len(b.players.reviewed) == 37
    assert (await review_state(at(b, ada), review))["state"] == "ready"


@with_servers()
async def test_the_review_of_a_stopped_server_is_taken_over_at_once(
    a: InProcessServer, b: InProcessServer
) -> None:
    """A server that stops ends the leases of its reviews."""
    a.players.hold()
    review = await request_review(await a.guest("Ada"))
    await until(lambda: a.players.reviewed)
    await a.services.reviews.stop()
    await b.services.reviews.update_leases()
    await until(lambda: b.store.review_progress(review) is None)
    assert len(b.players.reviewed) == 37


@with_servers()
async def test_a_server_stops_a_review_that_it_has_lost(a: InProcessServer, b: InProcessServer) -> None:
    """A server that was slow finds that another one works on its review; what is done twice counts once."""
    a.players.hold()
    b.players.hold()
    ada = await a.guest("Ada")
    review = await request_review(ada)
    await until(lambda: a.players.reviewed)
    a.clock.advance(scheduler.LEASE + 0.1)
    await b.services.reviews.update_leases()
    await until(lambda: b.players.reviewed)
    await a.services.reviews.update_leases()
    await until(lambda: a.services.reviews.running(review) is None)
    assert b.services.reviews.running(review) is not None
    await at(a, ada).request("DELETE", f"/api/reviews/{review}")
    await b.services.reviews.update_leases()
    await until(lambda: b.services.reviews.running(review) is None)


@with_servers()
async def test_a_review_that_has_failed_is_stopped_at_every_server(
    a: InProcessServer, b: InProcessServer
) -> None:
    """It is begun again on request, at any server."""
    a.players.error = ValueError("planted")
    ada = await a.guest("Ada")
    review = await request_review(ada)
    await until(lambda: a.services.reviews.running(review) is None)
    assert (await review_state(at(b, ada), review))["state"] == "stopped"
    await b.services.reviews.update_leases()
    assert not b.players.reviewed
    assert await request_review(at(b, ada)) == review
    await until(lambda: b.services.reviews.running(review) is None)
    assert (await review_state(ada, review))["state"] == "ready"


@with_servers()
async def test_a_clock_that_runs_out_at_two_servers_counts_once(
    a: InProcessServer, b: InProcessServer
) -> None:
    """Both servers give the command, which has the same id: there is one event."""
    table, ada, bob = await started(a, b, clock={"pace": "turn", "amount": 30})
    view = await a.play_out(table, {0: ada, 1: at(a, bob)}, commands=2)
    sockets = [await ada.connect(table), await bob.connect(table)]
    cut(a, b)
    a.clock.advance(200)
    await asyncio.gather(a.sweep(), b.sweep())
    after = f"/api/tables/{table}/events?after={view['seq']}"
    events = (await ada.get(after))["events"]
    assert [event["type"] for event in events].count("time_out") == 1
    for socket in sockets:
        await socket.close()
    check_sound(a)
