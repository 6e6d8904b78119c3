"""The WebSocket guard: floods are disconnected before anything piles up; honest traffic passes."""

import asyncio
import gc
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from limits import parse
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from sanssouci.server.rate_limits import Limit
from sanssouci.server.transport.websocket_guard import (
    FRAMES,
    FRAMES_A_SECOND,
    MAX_FRAGMENTS,
    MAX_UNREAD,
    GuardedWebSocketProtocol,
)

from ..harness.server import InProcessServer, with_server
from ..harness.settings import RATES
from ..harness.transports import Closed
from .fake_transport import FakeLoop, FakeTransport
from .test_http_timeouts import silent_app

LARGEST = 16_384
PING = Frame(Opcode.PING, b"x" * 125)


UPGRADE_REQUEST = (
    b"GET /api/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


class GuardedSocket:
    """A protocol with an open WebSocket on a fake transport."""

    def __init__(self, loop: FakeLoop) -> None:
        self.loop = loop
        self.transport = FakeTransport()
        self.wire = GuardedWebSocketProtocol(
            uvicorn.Config(silent_app, log_config=None, ws_max_size=LARGEST), ServerState(), {}, loop
        )
        self.wire.connection_made(self.transport)
        self.wire.data_received(UPGRADE_REQUEST)
        self.wire.conn.send_response(self.wire.response)
        assert self.wire.conn.state is State.OPEN
        self.wire.conn.data_to_send()

    def send(self, *frames: Frame) -> None:
        """Send frames in one write."""
        self.wire.data_received(b"".join(frame.serialize(mask=True) for frame in frames))

    def received(self) -> list[str]:
        """The messages for the application."""
        events = [dict(self.wire.queue.get_nowait()) for _ in range(self.wire.queue.qsize())]
        return [str(event["text"]) for event in events if event["type"] == "websocket.receive"]


@pytest.fixture
def socket() -> Iterator[GuardedSocket]:
    """An open socket whose clock advances only on demand."""
    loop = FakeLoop()
    asyncio.set_event_loop(loop)
    loop.advance(0)
    guarded = GuardedSocket(loop)
    yield guarded
    guarded.wire.connection_lost(None)
    for task in asyncio.all_tasks(loop):
        task.cancel()
    loop.run_until_complete(asyncio.sleep(0))
    asyncio.set_event_loop(None)
    loop.close()


def test_a_socket_is_freed_when_its_application_ends() -> None:
    """The scope refers to the connection only while the application runs."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await receive()

    async def open_and_lose() -> "weakref.ref[GuardedWebSocketProtocol]":
        wire = GuardedWebSocketProtocol(uvicorn.Config(application, log_config=None), ServerState(), {})
        wire.connection_made(FakeTransport())
        wire.data_received(UPGRADE_REQUEST)
        while not wire.handshake_complete:
            await asyncio.sleep(0)
        wire.connection_lost(None)
        await asyncio.gather(*wire.tasks)
        return weakref.ref(wire)

    gc.disable()
    try:
        assert asyncio.run(open_and_lose())() is None
    finally:
        gc.enable()


def test_too_many_fragments_are_disconnected(socket: GuardedSocket) -> None:
    """A message may have a maximum number of fragments; one more, even empty, ends the connection."""
    piece, last = Frame(Opcode.CONT, b"", fin=False), Frame(Opcode.CONT, b"end")
    socket.send(Frame(Opcode.TEXT, b"the ", fin=False), *[piece] * (MAX_FRAGMENTS - 2), last)
    assert socket.received() == ["the end"] and not socket.transport.closed
    socket.send(Frame(Opcode.TEXT, b"", fin=False), *[piece] * MAX_FRAGMENTS)
    assert socket.transport.aborted and len(socket.wire.frames) <= MAX_FRAGMENTS


def test_a_flood_of_pings_is_disconnected(socket: GuardedSocket) -> None:
    """Only a small part of a flood is parsed and answered before the connection is aborted."""
    socket.send(*[Frame(Opcode.PING, b"")] * 40_000)
    assert socket.transport.aborted and len(socket.transport.written) < 4096


def test_frame_rate_limit(socket: GuardedSocket) -> None:
    """Frames at the allowed rate pass; a burst plus one frame is disconnected."""
    for _ in range(100):
        socket.loop.advance(0.1)
        socket.send(*[Frame(Opcode.TEXT, b"{}")] * (FRAMES_A_SECOND // 10))
    assert len(socket.received()) == 10 * FRAMES_A_SECOND and not socket.transport.closed
    socket.loop.advance(60)
    socket.send(*[Frame(Opcode.PONG, b"")] * FRAMES)
    assert not socket.transport.closed
    socket.send(Frame(Opcode.PONG, b""))
    assert socket.transport.aborted


def test_byte_rate_limit(socket: GuardedSocket) -> None:
    """A few messages of the maximum size pass; a stream of them is disconnected."""
    large = Frame(Opcode.TEXT, b"x" * LARGEST)
    for _ in range(4):
        socket.send(large)
    assert len(socket.received()) == 4 and not socket.transport.closed
    for _ in range(20):
        if not socket.transport.closed:
            socket.send(large)
    assert socket.transport.aborted and len(socket.received()) < 10


@pytest.mark.parametrize(("unread", "answered"), [(0, True), (MAX_UNREAD, True), (MAX_UNREAD + 1, False)])
def test_pings_need_a_client_that_reads(socket: GuardedSocket, unread: int, answered: bool) -> None:
    """With too many unread bytes a ping is not answered, and the connection is aborted."""
    socket.transport.unread = unread
    socket.send(PING)
    assert (PING.data in socket.transport.written) is answered
    assert socket.transport.aborted is not answered


@with_server(rates={**RATES, Limit.DIAL: parse("1/minute")}, address_factor=2)
async def test_new_sockets_are_rate_limited_by_address(server: InProcessServer) -> None:
    """Too many new sockets of an address get a 429; other addresses and later attempts succeed."""
    here = server.client()
    for _ in range(2):
        await (await here.open_socket()).close()
    with pytest.raises(Closed) as refused:
        await here.open_socket()
    assert refused.value.code == 429
    await (await server.client(peer="192.0.2.1").open_socket()).close()
    server.clock.advance(61)
    await (await here.open_socket()).close()


async def _refusing(scope: Any, receive: Any, send: Any) -> None:
    """An application that refuses every socket with a response."""
    answer = "websocket.http.response"
    await send({"type": f"{answer}.start", "status": 429, "headers": [(b"retry-after", b"9")]})
    await send({"type": f"{answer}.body", "body": b"not so fast"})


def test_refusing_a_socket_logs_no_error(caplog: pytest.LogCaptureFixture) -> None:
    """A refused socket gets the response and is closed, without an error in the log."""
    transport = FakeTransport()

    async def dial() -> None:
        config = uvicorn.Config(_refusing, log_config=None, ws_max_size=LARGEST)
        wire = GuardedWebSocketProtocol(config, ServerState(), {}, asyncio.get_running_loop())
        wire.connection_made(transport)
        wire.data_received(UPGRADE_REQUEST)
        await asyncio.gather(*wire.tasks)

    asyncio.run(dial())
    assert transport.written.startswith(b"HTTP/1.1 429") and transport.written.endswith(b"not so fast")
    assert transport.closed and not [line for line in caplog.records if line.levelname == "ERROR"]


@pytest.mark.parametrize("length", [0, 125, 126, 65_535, 65_536])
def test_a_message_is_written_as_websockets_would(socket: GuardedSocket, length: int) -> None:
    """A message that bypasses the frame writer has the same bytes, whatever its length."""
    socket.transport.written, text = b"", b"x" * length
    assert socket.wire.write_text(text)
    assert socket.transport.written == Frame(Opcode.TEXT, text).serialize(mask=False)


def test_nothing_is_written_to_a_slow_or_closing_client(socket: GuardedSocket) -> None:
    """While the peer does not read, after a close message and on a closed connection, nothing is written."""
    socket.transport.written = b""
    socket.wire.pause_writing()
    assert not socket.wire.write_text(b"{}")
    socket.wire.resume_writing()
    assert socket.wire.write_text(b"{}")
    socket.wire.close_sent = True
    assert not socket.wire.write_text(b"{}")
    socket.wire.close_sent = False
    socket.transport.close()
    assert not socket.wire.write_text(b"{}")
    assert socket.transport.written == Frame(Opcode.TEXT, b"{}").serialize(mask=False)
