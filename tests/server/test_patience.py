"""The patience of a server: what does not come to an end, or is no text, is not waited for and not kept."""

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

from .transport import Clock, Transport

HEAD = b"GET / HTTP/1.1\r\nhost: x\r\n"
UPGRADE = (
    b"connection: upgrade\r\nupgrade: websocket\r\n"
    b"sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


async def nothing(scope: Scope, receive: Receive, send: Send) -> None:
    """An app that never answers."""


@pytest.fixture
def line() -> Any:
    """A connection that was just made."""
    loop = Clock()
    config = uvicorn.Config(nothing, log_config=None, ws=GuardedWebSocketProtocol, http=TimeoutHttpProtocol)
    patient = TimeoutHttpProtocol(config, ServerState(), {}, loop)
    patient.connection_made(Transport())
    yield patient
    patient.connection_lost(None)
    for task in asyncio.all_tasks(loop):
        task.cancel()
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()


def test_who_says_nothing_has_to_go(line: Any) -> None:
    """Somebody who comes and keeps silent does not keep the connection."""
    assert line.loop.ring() == [HEAD_TIMEOUT]
    assert line.transport.closed


def test_half_a_head_is_not_waited_for(line: Any) -> None:
    """Also not if a little more comes now and then, and also not after a request that was whole."""
    line.data_received(HEAD + b"\r\n" + HEAD)
    assert len([alarm for alarm in line.loop.alarms if not alarm.cancelled()]) == 1
    line.data_received(b"x: y\r\n")
    assert line.loop.ring() == [HEAD_TIMEOUT] and line.transport.closed


def test_a_whole_head_puts_the_alarm_off(line: Any) -> None:
    """However long the answer takes."""
    line.data_received(HEAD + b"\r\n")
    assert line.loop.ring() == [] and not line.transport.closed


def test_a_head_cannot_grow_for_ever(line: Any) -> None:
    """One endless header, or many."""
    for _ in range(MAX_HEAD // 1000 + 2):
        if not line.transport.closed:
            line.data_received(HEAD + b"x: " + b"y" * 1000 if not line.transport.written else b"y" * 1000)
    assert line.transport.closed and line.transport.written.startswith(b"HTTP/1.1 400 ")


def test_a_large_body_is_no_large_head(line: Any) -> None:
    """What comes together with the head is not counted as one."""
    body = b"x" * (2 * MAX_HEAD)
    line.data_received(HEAD + b"content-length: %d\r\n\r\n" % (2 * len(body)) + body)
    line.data_received(body[:-1])
    assert not line.transport.closed and line.transport.written == b""


def test_a_socket_leaves_nothing_behind_that_must_be_searched_for() -> None:
    """What spoke HTTP until the socket was open is free at once, not only when memory is searched."""
    loop = Clock()
    asyncio.set_event_loop(loop)
    gc.disable()
    try:
        config = uvicorn.Config(
            nothing, log_config=None, ws=GuardedWebSocketProtocol, http=TimeoutHttpProtocol
        )
        patient, transport = TimeoutHttpProtocol(config, ServerState(), {}, loop), Transport()
        patient.connection_made(transport)
        patient.data_received(HEAD + UPGRADE)
        wire, left = transport.protocol, weakref.ref(patient)
        del patient
        assert isinstance(wire, GuardedWebSocketProtocol) and left() is None
    finally:
        gc.enable()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        asyncio.set_event_loop(None)
        loop.close()


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    """Whoever has stopped to send is told so, and the line is closed: the rest may still come."""
    sent: list[Message] = []

    async def never() -> Message:
        return await asyncio.get_running_loop().create_future()  # type: ignore[no-any-return]

    async def send(message: Message) -> None:
        sent.append(message)

    limit = BodyLimit(nothing, 1000, timeout=0.0)
    asyncio.run(_called(limit, {"type": "http", "path": "/", "headers": []}, never, send))
    assert sent[0]["status"] == 408 and (b"connection", b"close") in sent[0]["headers"]
    assert b"request.too_slow" in sent[1]["body"]


async def _called(app: BodyLimit, scope: Scope, receive: Receive, send: Send) -> None:
    await app(scope, receive, send)


def test_text_that_is_none_ends_a_socket_quietly(caplog: pytest.LogCaptureFixture) -> None:
    """It is closed with 1007, the app hears that it is over, and the log has no failure to show."""
    loop = Clock()
    asyncio.set_event_loop(loop)
    try:
        wire = GuardedWebSocketProtocol(uvicorn.Config(nothing, log_config=None), ServerState(), {}, loop)
        transport = Transport()
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
