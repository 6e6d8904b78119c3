"""Failures: a full disk, writes that seem to fail, evicted tables, deleted guests."""

import asyncio
import gc
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from sanssouci.server.routes.system import _works
from sanssouci.server.tables.table_registry import UnknownTable
from sanssouci.store import Add, AppendEvent, ForgetGuest, GuestRow, Store, Unavailable, sqlite

from ..harness.builders import NONCE, legal_turn
from ..harness.server import InProcessServer, with_server
from ..store.builders import blocked_writer
from ..workers.pools import until


@with_server()
async def test_a_failed_write_can_be_retried(server: InProcessServer) -> None:
    """A failed write gives a 503 with Retry-After and changes nothing, and the same command works later."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    socket = await ada.connect(table)
    await socket.receive()
    with server.store.broken():
        answer = await ada.command(table, "ready", command_id="again", seq=0, nonce=NONCE)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
        assert answer.json()["error"]["code"] == "store.unavailable"
        await socket.send_command("ready", 0, "again", nonce=NONCE)
        refused = await socket.receive()
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
            assert ((await ada.request(method, path, body)).status_code, path) == (503, path)
    await socket.send_command("ready", 0, "again", nonce=NONCE)
    assert (await socket.receive()) == {"type": "done", "seq": 1, "repeated": False, "command_id": "again"}


def test_readiness_after_the_data_file_becomes_read_only(tmp_path: Path) -> None:
    """``/ready`` is false once a write has failed, and true as soon as the file can be written again."""
    guest = Add(GuestRow("f" * 32, "Ada", 1.0, 1.0))
    with Store.open(tmp_path / "tables.db") as store:
        assert asyncio.run(_works(store))
        able, store._writer._engine = store._writer._engine, sqlite.reading_engine(store.path)
        assert isinstance(store.write(guest).exception(), Unavailable)
        assert not asyncio.run(_works(store))
        store._writer._engine.dispose()
        store._writer._engine = able
        assert asyncio.run(_works(store)) and store.write(guest).exception() is None


@with_server()
async def test_a_write_with_a_false_error_is_found_on_retry(server: InProcessServer) -> None:
    """A stored command that reported an error is done when repeated, and its event is sent to all."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    table = await ada.create_table("person", "open", visibility="open")
    socket = await bob.connect(table)
    await socket.receive()
    server.store.false_errors = True
    assert (await ada.command(table, "ready", command_id="x", seq=0, nonce=NONCE)).status_code == 503
    server.store.false_errors = False
    assert (await ada.view(table))["seq"] == 0, "the server does not know of the event yet"
    again = await ada.do(table, "ready", command_id="x", seq=0, nonce=NONCE)
    assert again == {"command_id": "x", "seq": 1, "repeated": True}
    assert [event["type"] for event in (await socket.receive())["events"]] == ["ready"]


@with_server()
async def test_a_command_after_a_write_with_a_false_error_is_stale(server: InProcessServer) -> None:
    """The next command finds the stored event and is declined as stale, if the event matters for it."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "person")
    server.store.false_errors = True
    await ada.command(table, "ready", at=0, seq=0, nonce=NONCE)
    server.store.false_errors = False
    answer = await ada.command(table, "abandon", seq=0)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "declined.stale")
    view = await ada.view(table)
    assert (view["seq"], view["chairs"][0]["ready"]) == (1, True)
    await ada.do(table, "ready", at=1, seq=0, nonce=NONCE)


@with_server()
async def test_a_conflicting_write_is_a_409(server: InProcessServer) -> None:
    """Requests of a guest who is forgotten meanwhile get a 409, not a 500."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    table = await ada.create_table("person", "open", visibility="open")
    guest = next(row[0] for row in server.rows()["guest"] if row[1] == "Bob")
    for method, path, body in (
        ("POST", f"/api/tables/{table}/seats", {}),
        ("PATCH", "/api/me", {"name": "Bobby"}),
        ("POST", "/api/tables", {"chairs": [{"sitter": "person"}] * 2}),
    ):
        with blocked_writer(server.store):
            server.store.write(ForgetGuest(guest))
            request = asyncio.create_task(bob.request(method, path, body))
            await until(lambda: server.services.registry.waiting == 1)
        answer = await request
        assert (path, answer.status_code) == (path, 409)
        assert answer.json()["error"]["code"] == "server.contradicted"
        bob = await server.guest("Bob")
        guest = next(row[0] for row in server.rows()["guest"] if row[1] == "Bob")
    assert (await ada.view(table))["seq"] == 0


@with_server(store_queue=1)
async def test_a_full_write_queue_is_refused(server: InProcessServer) -> None:
    """When the write queue is full a command is refused as busy, and works later."""
    ada = await server.guest("Ada")
    table, other = await ada.create_table("person", "open"), await ada.create_table("person", "open")
    with blocked_writer(server.store):
        first = asyncio.create_task(ada.command(table, "ready", seq=0, nonce=NONCE))
        await until(lambda: server.services.registry.waiting == 1)
        second = await ada.command(other, "ready", command_id="b", seq=0, nonce=NONCE)
        assert (second.status_code, second.json()["error"]["code"]) == (503, "server.busy")
        assert second.headers["retry-after"] == "2"
    assert (await first).status_code == 200
    await ada.do(other, "ready", command_id="b", seq=0, nonce=NONCE)


@with_server()
async def test_an_idle_table_is_evicted_and_reloaded(server: InProcessServer) -> None:
    """A table without subscribers is evicted after some time, and loaded again on demand."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    socket = await ada.connect(table)
    await socket.receive()
    server.clock.advance(10_000)
    await server.services.scheduler.sweep()
    assert len(server.services.registry) == 1, "it has a subscriber"
    await socket.close()
    await server.services.scheduler.sweep()
    gc.collect()
    assert len(server.services.registry) == len(server.services.registry.live_tables()) == 0
    await ada.do(table, "ready", nonce=NONCE)


@with_server()
async def test_a_finished_game_is_evicted_sooner(server: InProcessServer) -> None:
    """A finished game is evicted after two minutes, while a running game stays loaded."""
    ada = await server.guest("Ada")
    over, going_on = await ada.create_table("person", "open"), await ada.create_table("person", "open")
    await ada.do(over, "abandon")
    server.clock.advance(100)
    await server.services.scheduler.sweep()
    assert server.services.registry.find_loaded(going_on.id) is not None
    assert len(server.services.registry) == 1


@with_server()
async def test_a_table_is_never_loaded_twice(server: InProcessServer) -> None:
    """A table that is in use while it is evicted, and concurrent loads, give the same object."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    registry = server.services.registry
    held = await registry.table(table.id)
    registry.evict(before=server.clock.now + 1)
    assert len(registry) == 0
    assert await registry.table(table.id) is held
    assert len(registry) == 1
    del held
    registry.evict(before=server.clock.now + 1)
    gc.collect()
    opened = await asyncio.gather(*(registry.table(table.id) for _ in range(5)))
    assert len(set(map(id, opened))) == 1


@with_server()
async def test_cancelling_a_load(server: InProcessServer, caplog: pytest.LogCaptureFixture) -> None:
    """Cancelling the load of an unknown table leaves no pending load and logs nothing."""
    registry = server.services.registry
    loading = asyncio.create_task(registry.table("0" * 16))
    await asyncio.sleep(0)
    loading.cancel()
    await asyncio.gather(loading, return_exceptions=True)
    await registry.drain()
    await asyncio.sleep(0)
    gc.collect()
    assert registry._opening == {}
    assert caplog.records == [], "an unretrieved exception would be logged"
    with pytest.raises(UnknownTable):
        await registry.table("0" * 16)


@with_server()
async def test_a_damaged_table_does_not_stop_others_after_a_restart(server: InProcessServer) -> None:
    """A damaged table is reported once, and computer players at other tables continue after a restart."""
    ada = await server.guest("Ada")
    bad, good = await ada.create_table("person", "random"), await ada.create_table("person", "random")
    server.players.hold()
    for table in (bad, good):
        await ada.do(table, "ready", nonce=NONCE)
    await server.services.scheduler.stop()
    server.store.write(AppendEvent(bad.id, 3, "server:bad", None, '{"no":"event"}', "x")).result()
    server.players.release()
    server.players.asked.clear()
    with capture_logs() as lines:
        await server.restart()
        await until(lambda: server.players.asked)
        await server.sweep()
    assert (await ada.view(good))["waiting"] == [0]
    assert (await ada.request("GET", f"/api/tables/{bad}")).json()["error"]["code"] == "table.damaged"
    reports = [line for line in lines if line["event"] == "table_damaged"]
    assert [(line["table"], line["reason"]) for line in reports] == [(bad.id, "audit.chain")]


@with_server()
async def test_no_resources_leak(server: InProcessServer) -> None:
    """After many requests and sockets no task, socket, ticket or idle table is left."""
    ada = await server.guest("Ada")
    before = len(asyncio.all_tasks())
    for _ in range(20):
        table = await ada.create_table("person", "random", first=0)
        socket = await ada.connect(table)
        view = (await socket.receive())["view"]
        await socket.send_command("ready", view["seq"], nonce=NONCE)
        await socket.receive_until("done")
        await socket.send_command("reveal", view["seq"] + 1, nonce=NONCE)
        await socket.receive_until("done")
        await socket.close()
        await server.settle()
        await ada.do(table, "concede")
    await server.settle()
    services = server.services
    assert len(services.socket_limits) == 0
    assert services.tickets.__len__() == 0
    server.clock.advance(10_000)
    await services.scheduler.sweep()
    gc.collect()
    assert services.registry.live_tables() == ()
    assert len(asyncio.all_tasks()) == before


@with_server()
async def test_shutdown_waits_for_running_commands(server: InProcessServer) -> None:
    """A running command is stored before shutdown; a computer's pending turn is asked for again."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "random", first=0)
    await server.play_out(table, {0: ada}, commands=2)
    view = await ada.view(table)
    server.players.hold()
    with blocked_writer(server.store):
        turn = legal_turn(view["options"])
        playing: asyncio.Task[Any] = asyncio.create_task(
            ada.command(table, "play", seq=view["seq"], turn=turn)
        )
        await until(lambda: server.services.registry.waiting == 1)
        closing = asyncio.create_task(server._lifespan.shut_down())
        for _ in range(100):
            await asyncio.sleep(0)
        assert not closing.done()
    await closing
    assert (await playing).status_code == 200
    assert server.services.registry.live_tables()[0].bot_task is None
    server.store.close()
    server.players.release()
    server.players.asked.clear()
    await server.open()
    await until(lambda: server.players.asked)
    await server.settle()
    after = await ada.view(table)
    assert (after["seq"], after["waiting"]) == (view["seq"] + 2, [0])


@pytest.mark.parametrize("noticed_first", [False, True])
@with_server()
async def test_a_server_whose_data_file_was_replaced(server: InProcessServer, noticed_first: bool) -> None:
    """It acknowledges nothing more, says why, and is not ready, even before anybody plays."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    server.path.rename(server.path.with_name("moved.db"))
    if noticed_first:
        assert (await ada.request("GET", "/ready")).status_code == 503
    answer = await ada.command(table, "ready", seq=0, nonce=NONCE)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "store.taken_over")
    ready = await ada.request("GET", "/ready")
    assert (ready.status_code, ready.json()["store"]) == (503, False)
