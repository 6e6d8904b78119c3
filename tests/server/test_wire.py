"""The wire: whoever floods it is hung up on before anything piles up; honest talk passes."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from limits import parse
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from sanssouci.server.limits.rate_limits import Limit
from sanssouci.server.transport.websocket_guard import (
    FRAMES,
    FRAMES_A_SECOND,
    MAX_FRAGMENTS,
    MAX_UNREAD,
    GuardedWebSocketProtocol,
)

from .house import RATES, House, Person, housed
from .line import Closed
from .test_patience import nothing
from .transport import Clock, Transport

LARGEST = 16_384
PING = Frame(Opcode.PING, b"x" * 125)


DIAL = (
    b"GET /api/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


class Dialled:
    """A wire that is open, and its other end."""

    def __init__(self, loop: Clock) -> None:
        self.loop = loop
        self.transport = Transport()
        self.wire = GuardedWebSocketProtocol(
            uvicorn.Config(nothing, log_config=None, ws_max_size=LARGEST), ServerState(), {}, loop
        )
        self.wire.connection_made(self.transport)
        self.wire.data_received(DIAL)
        self.wire.conn.send_response(self.wire.response)
        assert self.wire.conn.state is State.OPEN
        self.wire.conn.data_to_send()

    def say(self, *frames: Frame) -> None:
        """Send frames at once."""
        self.wire.data_received(b"".join(frame.serialize(mask=True) for frame in frames))

    def heard(self) -> list[str]:
        """The messages that the app would be given."""
        events = [dict(self.wire.queue.get_nowait()) for _ in range(self.wire.queue.qsize())]
        return [str(event["text"]) for event in events if event["type"] == "websocket.receive"]


@pytest.fixture
def dialled() -> Iterator[Dialled]:
    """A socket whose time stands still until the test moves it on."""
    loop = Clock()
    asyncio.set_event_loop(loop)
    loop.advance(0)
    found = Dialled(loop)
    yield found
    found.wire.connection_lost(None)
    for task in asyncio.all_tasks(loop):
        task.cancel()
    loop.run_until_complete(asyncio.sleep(0))
    asyncio.set_event_loop(None)
    loop.close()


def test_a_message_has_not_many_pieces(dialled: Dialled) -> None:
    """As many as there may be make one; one more, even an empty one, ends the socket."""
    piece, last = Frame(Opcode.CONT, b"", fin=False), Frame(Opcode.CONT, b"end")
    dialled.say(Frame(Opcode.TEXT, b"the ", fin=False), *[piece] * (MAX_FRAGMENTS - 2), last)
    assert dialled.heard() == ["the end"] and not dialled.transport.closed
    dialled.say(Frame(Opcode.TEXT, b"", fin=False), *[piece] * MAX_FRAGMENTS)
    assert dialled.transport.aborted and len(dialled.wire.frames) <= MAX_FRAGMENTS


def test_a_flood_ends_where_it_begins(dialled: Dialled) -> None:
    """Of what comes at once only a little is taken apart, and no answers pile up."""
    dialled.say(*[Frame(Opcode.PING, b"")] * 40_000)
    assert dialled.transport.aborted and len(dialled.transport.written) < 4096


def test_frames_come_at_a_rate(dialled: Dialled) -> None:
    """Honest ones for ever; as many as a burst and one more at once are too many."""
    for _ in range(100):
        dialled.loop.advance(0.1)
        dialled.say(*[Frame(Opcode.TEXT, b"{}")] * (FRAMES_A_SECOND // 10))
    assert len(dialled.heard()) == 10 * FRAMES_A_SECOND and not dialled.transport.closed
    dialled.loop.advance(60)
    dialled.say(*[Frame(Opcode.PONG, b"")] * FRAMES)
    assert not dialled.transport.closed
    dialled.say(Frame(Opcode.PONG, b""))
    assert dialled.transport.aborted


def test_bytes_come_at_a_rate(dialled: Dialled) -> None:
    """The largest messages may be sent, but not one after the other."""
    large = Frame(Opcode.TEXT, b"x" * LARGEST)
    for _ in range(4):
        dialled.say(large)
    assert len(dialled.heard()) == 4 and not dialled.transport.closed
    for _ in range(20):
        if not dialled.transport.closed:
            dialled.say(large)
    assert dialled.transport.aborted and len(dialled.heard()) < 10


@pytest.mark.parametrize(("unread", "answered"), [(0, True), (MAX_UNREAD, True), (MAX_UNREAD + 1, False)])
def test_pings_are_answered_to_those_who_read(dialled: Dialled, unread: int, answered: bool) -> None:
    """Where too much waits already no answer is added, and the socket ends."""
    dialled.transport.unread = unread
    dialled.say(PING)
    assert (PING.data in dialled.transport.written) is answered
    assert dialled.transport.aborted is not answered


@housed(rates={**RATES, Limit.DIAL: parse("1/minute")}, address_factor=2)
async def test_an_address_opens_so_many_sockets(house: House) -> None:
    """One more is answered 429 before it is open; another address and a later moment have their own."""
    here = house.nobody()
    for _ in range(2):
        await (await here.line()).hang_up()
    with pytest.raises(Closed) as refused:
        await here.line()
    assert refused.value.code == 429
    await (await Person(house, peer="192.0.2.1").line()).hang_up()
    house.world.advance(61)
    await (await here.line()).hang_up()


async def _refusing(scope: Any, receive: Any, send: Any) -> None:
    """An app that lets no socket in, and says why."""
    answer = "websocket.http.response"
    await send({"type": f"{answer}.start", "status": 429, "headers": [(b"retry-after", b"9")]})
    await send({"type": f"{answer}.body", "body": b"not so fast"})


def test_a_socket_that_is_refused_with_an_answer_is_no_fault(caplog: pytest.LogCaptureFixture) -> None:
    """It is answered, closed, and no line in the log says that something went wrong."""
    transport = Transport()

    async def dial() -> None:
        config = uvicorn.Config(_refusing, log_config=None, ws_max_size=LARGEST)
        wire = GuardedWebSocketProtocol(config, ServerState(), {}, asyncio.get_running_loop())
        wire.connection_made(transport)
        wire.data_received(DIAL)
        await asyncio.gather(*wire.tasks)

    asyncio.run(dial())
    assert transport.written.startswith(b"HTTP/1.1 429") and transport.written.endswith(b"not so fast")
    assert transport.closed and not [line for line in caplog.records if line.levelname == "ERROR"]
