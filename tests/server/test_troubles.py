"""Troubles: a disk that is full, a write that seemed to fail, tables put away, guests that are gone."""

import asyncio
import gc
from typing import Any

import pytest
from structlog.testing import capture_logs

from sanssouci.server.tables.table_registry import UnknownTable
from sanssouci.store import AppendEvent, ForgetGuest

from ..store.builders import held_up
from ..workers.pools import until
from .house import NONCE, House, first_turn, housed


@housed()
async def test_what_cannot_be_kept_is_refused_and_can_be_tried_again(house: House) -> None:
    """503 with Retry-After, the table has not moved, and the same command works when there is room again."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    line = await ada.sit(table)
    await line.next()
    with house.store.broken():
        answer = await ada.give(table, "ready", command_id="again", seq=0, nonce=NONCE)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
        assert answer.json()["error"]["code"] == "store.unavailable"
        await line.command("ready", 0, "again", nonce=NONCE)
        refused = await line.next()
        assert (refused["type"], refused["retry_after"]) == ("refused", 2)
        assert (await ada.view(table))["seq"] == 0
        for method, path, body in (
            ("POST", "/api/guests", {"name": "B"}),
            ("PATCH", "/api/me", {"name": "B"}),
            ("DELETE", "/api/me", None),
            ("POST", "/api/tables", {"chairs": [{"sitter": "open"}] * 2}),
            ("POST", f"/api/tables/{table}/seats/0/link", None),
            ("POST", f"/api/tables/{table}/seats/0/claim", None),
        ):
            assert ((await ada.ask(method, path, body)).status_code, path) == (503, path)
    await line.command("ready", 0, "again", nonce=NONCE)
    assert (await line.next()) == {"type": "done", "seq": 1, "repeated": False, "command_id": "again"}


@housed()
async def test_a_write_that_seemed_to_fail_is_found_again(house: House) -> None:
    """It was kept though an error was told: the repeat is told that it is done, and all hear of the event."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", visibility="open")
    line = await bob.sit(table)
    await line.next()
    house.store.deceiving = True
    assert (await ada.give(table, "ready", command_id="x", seq=0, nonce=NONCE)).status_code == 503
    house.store.deceiving = False
    assert (await ada.view(table))["seq"] == 0, "nobody can know yet"
    again = await ada.do(table, "ready", command_id="x", seq=0, nonce=NONCE)
    assert again == {"command_id": "x", "seq": 1, "repeated": True}
    assert [event["type"] for event in (await line.next())["events"]] == ["ready"]


@housed()
async def test_another_command_meets_the_event_that_was_kept(house: House) -> None:
    """Decided for a table that has moved on in the store: it is looked at again once, and is stale."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "person")
    house.store.deceiving = True
    await ada.give(table, "ready", at=0, seq=0, nonce=NONCE)
    house.store.deceiving = False
    answer = await ada.give(table, "ready", at=1, seq=0, nonce=NONCE)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "declined.stale")
    view = await ada.view(table)
    assert (view["seq"], view["chairs"][0]["ready"]) == (1, True)
    await ada.do(table, "ready", at=1, seq=1, nonce=NONCE)


@housed()
async def test_a_contradiction_is_no_failure_of_the_server(house: House) -> None:
    """A guest who is forgotten while a request is under way is told to look again, with 409 and no 500."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", visibility="open")
    guest = next(row[0] for row in house.rows()["guest"] if row[1] == "Bob")
    for method, path, body in (
        ("POST", f"/api/tables/{table}/seats", {}),
        ("PATCH", "/api/me", {"name": "Bobby"}),
        ("POST", "/api/tables", {"chairs": [{"sitter": "person"}] * 2}),
    ):
        with held_up(house.store):
            house.store.write(ForgetGuest(guest))
            request = asyncio.create_task(bob.ask(method, path, body))
            await until(lambda: house.services.registry.waiting == 1)
        answer = await request
        assert (path, answer.status_code) == (path, 409)
        assert answer.json()["error"]["code"] == "server.contradicted"
        bob = await house.guest("Bob")
        guest = next(row[0] for row in house.rows()["guest"] if row[1] == "Bob")
    assert (await ada.view(table))["seq"] == 0


@housed(store_queue=1)
async def test_too_much_that_waits_for_the_disk_is_refused(house: House) -> None:
    """One write may wait here; the next is told to come later, and comes later."""
    ada = await house.guest("Ada")
    table, other = await ada.open("person", "open"), await ada.open("person", "open")
    with held_up(house.store):
        first = asyncio.create_task(ada.give(table, "ready", seq=0, nonce=NONCE))
        await until(lambda: house.services.registry.waiting == 1)
        second = await ada.give(other, "ready", command_id="b", seq=0, nonce=NONCE)
        assert (second.status_code, second.json()["error"]["code"]) == (503, "server.busy")
        assert second.headers["retry-after"] == "2"
    assert (await first).status_code == 200
    await ada.do(other, "ready", command_id="b", seq=0, nonce=NONCE)


@housed()
async def test_a_table_is_put_away_and_read_again(house: House) -> None:
    """Nobody needs it for some time: it leaves the memory, and is there again when it is asked for."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    line = await ada.sit(table)
    await line.next()
    house.world.advance(10_000)
    await house.services.scheduler.sweep()
    assert len(house.services.registry) == 1, "somebody listens"
    await line.hang_up()
    await house.services.scheduler.sweep()
    gc.collect()
    assert len(house.services.registry) == len(house.services.registry.live_tables()) == 0
    await ada.do(table, "ready", nonce=NONCE)


@housed()
async def test_a_game_that_is_over_is_put_away_sooner(house: House) -> None:
    """After a minute or two it leaves the memory, while one that goes on stays."""
    ada = await house.guest("Ada")
    over, going_on = await ada.open("person", "open"), await ada.open("person", "open")
    await ada.do(over, "abandon")
    house.world.advance(100)
    await house.services.scheduler.sweep()
    assert house.services.registry.find_loaded(going_on.id) is not None
    assert len(house.services.registry) == 1


@housed()
async def test_a_table_is_never_there_twice(house: House) -> None:
    """Whoever has it in hand while it is put away, and whoever asks for it then, have the same one."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    registry = house.services.registry
    held = await registry.table(table.id)
    registry.evict(before=house.world.now + 1)
    assert len(registry) == 0
    assert await registry.table(table.id) is held
    assert len(registry) == 1
    del held
    registry.evict(before=house.world.now + 1)
    gc.collect()
    opened = await asyncio.gather(*(registry.table(table.id) for _ in range(5)))
    assert len(set(map(id, opened))) == 1


@housed()
async def test_who_opens_a_table_may_leave(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """A request is cancelled while a table is read that is not there: nothing is left, nothing is said."""
    registry = house.services.registry
    asking = asyncio.create_task(registry.table("0" * 16))
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    await registry.drain()
    await asyncio.sleep(0)
    gc.collect()
    assert registry._opening == {}
    assert caplog.records == [], "an exception that nobody retrieves would be told"
    with pytest.raises(UnknownTable):
        await registry.table("0" * 16)


@housed()
async def test_a_log_that_cannot_be_read_stops_no_other_table(house: House) -> None:
    """It is told once that a table cannot be read; computers at the other tables play on after a restart."""
    ada = await house.guest("Ada")
    bad, good = await ada.open("person", "random"), await ada.open("person", "random")
    house.players.let.clear()
    for table in (bad, good):
        await ada.do(table, "ready", nonce=NONCE)
    await house.services.scheduler.stop()
    house.store.write(AppendEvent(bad.id, 2, "house:bad", None, '{"no":"event"}', "x")).result()
    house.players.let.set()
    house.players.asked.clear()
    with capture_logs() as lines:
        await house.restart()
        await until(lambda: house.players.asked)
        await house.attend()
    assert (await ada.view(good))["waiting"] == [0]
    assert (await ada.ask("GET", f"/api/tables/{bad}")).json()["error"]["code"] == "table.damaged"
    told = [line for line in lines if line["event"] == "table_damaged"]
    assert [(line["table"], line["reason"]) for line in told] == [(bad.id, "audit.chain")]


@housed()
async def test_nothing_is_left_behind(house: House) -> None:
    """After many requests and sockets no task is left, no socket counted, no table kept that nobody needs."""
    ada = await house.guest("Ada")
    before = len(asyncio.all_tasks())
    for _ in range(20):
        table = await ada.open("person", "random", first=0)
        line = await ada.sit(table)
        view = (await line.next())["view"]
        await line.command("ready", view["seq"], nonce=NONCE)
        await line.until("done")
        await line.hang_up()
        await house.quiet()
        await ada.do(table, "concede")
    await house.quiet()
    services = house.services
    assert len(services.socket_limits) == 0
    assert services.tickets.__len__() == 0
    house.world.advance(10_000)
    await services.scheduler.sweep()
    gc.collect()
    assert services.registry.live_tables() == ()
    assert len(asyncio.all_tasks()) == before


@housed()
async def test_the_end_waits_for_what_was_begun(house: House) -> None:
    """A command that is under way when the server stops is kept; errands are given up and found again."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "random", first=0)
    await house.play_out(table, {0: ada}, turns=2)
    view = await ada.view(table)
    house.players.let.clear()
    with held_up(house.store):
        turn = first_turn(view["options"])
        asked: asyncio.Task[Any] = asyncio.create_task(ada.give(table, "play", seq=view["seq"], turn=turn))
        await until(lambda: house.services.registry.waiting == 1)
        closing = asyncio.create_task(house._lifespan.end())
        for _ in range(100):
            await asyncio.sleep(0)
        assert not closing.done()
    await closing
    assert (await asked).status_code == 200
    assert house.services.registry.live_tables()[0].bot_task is None
    house.store.close()
    house.players.let.set()
    house.players.asked.clear()
    await house.open()
    await until(lambda: house.players.asked)
    await house.quiet()
    after = await ada.view(table)
    assert (after["seq"], after["waiting"]) == (view["seq"] + 2, [0])
