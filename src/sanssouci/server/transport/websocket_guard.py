"""The wire of a socket: uvicorn's protocol, and a way to hang up on somebody who does not read.

A socket is closed by a message, and a message has to be read. Who reads nothing would keep the socket for
ever: neither the message nor the end of the connection gets past what already waits.

Frames that never become a message, and pings, are dealt with before anything can ask who sends them. So they
are counted here, and whoever sends too many is hung up on without a word.
"""

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from ..limits.token_bucket import TokenBucket
from .connection_limit import ConnectionLimit
from .http_timeouts import MOST_HEAD

MOST_FRAGMENTS = 32
"""Frames of one message. Browsers send one; a library that cuts the largest message into pieces of 512 bytes
sends no more than this."""
FRAMES, FRAMES_A_SECOND = 200, 50
"""A person gives a few commands a second at most, and a program that tries a lot some ten."""
LARGEST_MESSAGES, LARGEST_MESSAGES_A_SECOND = 8, 2
"""Bytes, in messages of the largest size: commands have a few hundred bytes."""
MOST_UNREAD = 512 * 1024
"""Bytes that may wait to be read while a ping is answered: more than the update of a whole game."""
_SLICE = 4096
"""Bytes that are taken apart before frames are counted: some 700 of the smallest."""
_HANG_UP = "sanssouci.hang_up"
_NOT_TEXT = 1007


class GuardedWebSocketProtocol(WebSocketsSansIOProtocol):
    """A protocol whose app can hang up, and which does so itself if it is flooded."""

    def __init__(self, *args: Any, connections: ConnectionLimit | None = None, **more: Any) -> None:
        """It was among the connections already when it was none of a socket."""
        super().__init__(*args, **more)
        self._open = connections
        now, largest = self.loop.time(), self.config.ws_max_size
        self._frames_left = TokenBucket(FRAMES, FRAMES_A_SECOND, now)
        self._bytes_left = TokenBucket(
            MOST_HEAD + LARGEST_MESSAGES * largest, LARGEST_MESSAGES_A_SECOND * largest, now
        )

    async def run_asgi(self) -> None:
        """Serve one socket."""
        scope: Any = self.scope
        scope[_HANG_UP] = self.transport.abort
        await super().run_asgi()

    async def send(self, message: Any) -> None:
        """Something of the app. A socket that is refused with an answer is done with, which uvicorn forgets.

        It would log that as a fault of the app, one line for each.
        """
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True

    def connection_lost(self, exc: Exception | None) -> None:
        """Parser and connection hold each other: they would stay until somebody looks for garbage."""
        super().connection_lost(exc)
        if self._open is not None and self.client is not None:
            self._open.leave(self.client[0])
        self.conn.parser.close()

    def data_received(self, data: bytes) -> None:
        """Some bytes: taken in little by little, for many frames fit into what comes at once."""
        if not self._bytes_left.take(len(data), self.loop.time()):
            self.transport.abort()
        for begin in range(0, len(data), _SLICE):
            if self.transport.is_closing():
                return
            super().data_received(data[begin : begin + _SLICE])

    def handle_events(self) -> None:
        """What the bytes were: the request that opened the socket, or frames."""
        if self._frames_left.take(len(self.conn.events), self.loop.time()):
            super().handle_events()
        else:
            self.transport.abort()

    def handle_cont(self, event: Frame) -> None:
        """One more piece of a message."""
        if len(self.frames) < MOST_FRAGMENTS:
            super().handle_cont(event)
        else:
            self.transport.abort()

    def handle_ping(self) -> None:
        """It is answered, if answers are read."""
        if self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size() <= MOST_UNREAD:
            super().handle_ping()
        else:
            self.transport.abort()

    def send_receive_event_to_app(self) -> None:
        """A message is whole. Text that is none ends the socket: no fault of ours, so it is not logged."""
        text = self.curr_msg_data_type == "text" and not self.close_sent
        if text and not _is_text(b"".join(self.frames)):
            self.frames = []
            self.conn.send_close(_NOT_TEXT)
            self.handle_parser_exception()
        else:
            super().send_receive_event_to_app()

    def keepalive_timeout(self) -> None:
        """Nobody has answered: perhaps nobody reads."""
        super().keepalive_timeout()
        self.transport.abort()


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def hang_up(scope: Any) -> None:
    """End a socket at once, if its server lets us."""
    abort: Callable[[], None] | None = scope.get(_HANG_UP)
    if abort is not None:
        abort()
