"""A server that stops lets its players go on elsewhere."""

import asyncio
from concurrent.futures import Future

import pytest

from sanssouci.server.drain import Drain
from sanssouci.server.tables.live_table import RESTARTING

from ..harness.server import InProcessServer, with_server
from ..harness.transports import Closed
from ..workers.pools import until


@with_server()
async def test_a_command_in_progress_is_acknowledged(
    server: InProcessServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The socket gets its acknowledgement and its update, then 1012; other sockets get 1012 too."""
    table, ada, bob = await server.two_players()
    sockets = [await ada.connect(table), await bob.connect(table)]
    for socket in sockets:
        await socket.receive()
    written: Future[None] = Future()
    monkeypatch.setattr(server.store, "write", lambda *changes: written)
    await sockets[0].send_command("wear", sockets[0].view["seq"], "last", chair=0, colour="teal")
    live_table = server.services.registry.find_loaded(table.id)
    assert live_table is not None
    await until(live_table.lock.locked)
    draining = asyncio.create_task(server.services.drain.run())
    await until(lambda: server.services.drain.begun)
    written.set_result(None)
    assert (await sockets[0].receive_until("done"))["command_id"] == "last"
    assert [await socket.close_code() for socket in sockets] == [RESTARTING] * 2
    assert sockets[1].view["seq"] == live_table.table.seq
    await draining


@with_server()
async def test_a_proxy_notices_before_sockets_are_closed(server: InProcessServer) -> None:
    """``/ready`` fails first; requests are answered, new sockets refused, and open ones stay for a while."""
    table, ada, _ = await server.two_players()
    socket = await ada.connect(table)
    await socket.receive()
    services, is_urgent = server.services, False
    drain = Drain(services.registry, 3600)
    object.__setattr__(services, "drain", drain)
    draining = asyncio.create_task(drain.run(lambda: is_urgent))
    await until(lambda: drain.begun)
    ready = await server.client().request("GET", "/ready")
    assert (ready.status_code, ready.json()["stopping"]) == (503, True)
    seq = await socket.do("ready", commitment="1" * 64)
    assert (await ada.view(table))["seq"] == seq
    with pytest.raises(Closed) as refused:
        await ada.open_socket()
    assert refused.value.code == 503
    is_urgent = True
    await draining
    assert await socket.close_code() == RESTARTING
