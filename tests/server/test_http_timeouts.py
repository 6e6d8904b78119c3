"""HTTP timeouts: slow and incomplete requests are disconnected; invalid text closes a socket."""

import asyncio
import gc
import logging
import weakref
from typing import Any

import pytest
import uvicorn
from starlette.types import Message, Receive, Scope, Send
from uvicorn.server import ServerState
from websockets.protocol import State

from sanssouci.server.middleware.body_limit import BodyLimit
from sanssouci.server.transport.http_timeouts import HEAD_TIMEOUT, MAX_HEAD, TimeoutHttpProtocol
from sanssouci.server.transport.websocket_guard import GuardedWebSocketProtocol

from .fake_transport import FakeLoop, FakeTransport

HEAD = b"GET / HTTP/1.1\r\nhost: x\r\n"
UPGRADE = (
    b"connection: upgrade\r\nupgrade: websocket\r\n"
    b"sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


async def silent_app(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that never answers."""


@pytest.fixture
def connection() -> Any:
    """A connection that was just opened."""
    loop = FakeLoop()
    config = uvicorn.Config(
        silent_app, log_config=None, ws=GuardedWebSocketProtocol, http=TimeoutHttpProtocol
    )
    protocol = TimeoutHttpProtocol(config, ServerState(), {}, loop)
    protocol.connection_made(FakeTransport())
    yield protocol
    protocol.connection_lost(None)
    for task in asyncio.all_tasks(loop):
        task.cancel()
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()


def test_a_silent_connection_is_closed(connection: Any) -> None:
    """A connection without a request is closed after the timeout."""
    assert connection.loop.fire_timers() == [HEAD_TIMEOUT]
    assert connection.transport.closed


def test_an_incomplete_head_times_out(connection: Any) -> None:
    """Further header lines do not extend the timeout, also after a complete request."""
    connection.data_received(HEAD + b"\r\n" + HEAD)
    assert len([timer for timer in connection.loop.timers if not timer.cancelled()]) == 1
    connection.data_received(b"x: y\r\n")
    assert connection.loop.fire_timers() == [HEAD_TIMEOUT] and connection.transport.closed


def test_a_complete_head_cancels_the_timeout(connection: Any) -> None:
    """A complete head cancels the timeout, however long the response takes."""
    connection.data_received(HEAD + b"\r\n")
    assert connection.loop.fire_timers() == [] and not connection.transport.closed


def test_a_large_head_is_refused(connection: Any) -> None:
    """A head above the size limit is a 400."""
    for _ in range(MAX_HEAD // 1000 + 2):
        if not connection.transport.closed:
            connection.data_received(
                HEAD + b"x: " + b"y" * 1000 if not connection.transport.written else b"y" * 1000
            )
    assert connection.transport.closed and connection.transport.written.startswith(b"HTTP/1.1 400 ")


def test_a_body_does_not_count_as_head(connection: Any) -> None:
    """A body that arrives together with the head does not count towards its limit."""
    body = b"x" * (2 * MAX_HEAD)
    connection.data_received(HEAD + b"content-length: %d\r\n\r\n" % (2 * len(body)) + body)
    connection.data_received(body[:-1])
    assert not connection.transport.closed and connection.transport.written == b""


def test_an_upgrade_leaves_no_reference_cycle() -> None:
    """The HTTP protocol object is freed at once when the connection becomes a WebSocket."""
    loop = FakeLoop()
    asyncio.set_event_loop(loop)
    gc.disable()
    try:
        config = uvicorn.Config(
            silent_app, log_config=None, ws=GuardedWebSocketProtocol, http=TimeoutHttpProtocol
        )
        protocol, transport = TimeoutHttpProtocol(config, ServerState(), {}, loop), FakeTransport()
        protocol.connection_made(transport)
        protocol.data_received(HEAD + UPGRADE)
        wire, left = transport.protocol, weakref.ref(protocol)
        del protocol
        assert isinstance(wire, GuardedWebSocketProtocol) and left() is None
    finally:
        gc.enable()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        asyncio.set_event_loop(None)
        loop.close()


def test_a_slow_body_times_out() -> None:
    """A body that does not arrive in time is a 408, and the connection is closed."""
    sent: list[Message] = []

    async def never() -> Message:
        return await asyncio.get_running_loop().create_future()  # type: ignore[no-any-return]

    async def send(message: Message) -> None:
        sent.append(message)

    limit = BodyLimit(silent_app, 1000, timeout=0.0)
    asyncio.run(_call(limit, {"type": "http", "path": "/", "headers": []}, never, send))
    assert sent[0]["status"] == 408 and (b"connection", b"close") in sent[0]["headers"]
    assert b"request.too_slow" in sent[1]["body"]


async def _call(app: BodyLimit, scope: Scope, receive: Receive, send: Send) -> None:
    await app(scope, receive, send)


def test_invalid_utf8_closes_a_socket(caplog: pytest.LogCaptureFixture) -> None:
    """Invalid UTF-8 closes the socket with 1007, without an error in the log."""
    loop = FakeLoop()
    asyncio.set_event_loop(loop)
    try:
        wire = GuardedWebSocketProtocol(uvicorn.Config(silent_app, log_config=None), ServerState(), {}, loop)
        transport = FakeTransport()
        wire.connection_made(transport)
        wire.conn.state = State.OPEN
        wire.curr_msg_data_type, wire.frames = "text", [b"\xff", b"\xfe"]
        with caplog.at_level(logging.DEBUG):
            wire.send_receive_event_to_app()
        assert transport.closed and b"\x03\xef" in transport.written
        assert dict(wire.queue.get_nowait())["code"] == 1007
        assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    finally:
        asyncio.set_event_loop(None)
        loop.close()
