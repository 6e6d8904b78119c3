"""uvicorn's WebSocket protocol with protection against slow readers and floods.

Closing a WebSocket takes a message that the peer has to read. A peer that reads nothing would keep its socket
forever, because the close message waits behind the unread data; so the app can abort the connection.

Pings and fragments of unfinished messages never reach the app, so they are limited here; a peer that sends
too many is disconnected without a close message. Neither uvicorn nor websockets offers such limits.
"""

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from .connection_limit import ConnectionLimit
from .http_timeouts import MAX_HEAD


class TokenBucket:
    """Limits what one connection may send; times are those of the event loop."""

    __slots__ = ("_left", "_rate", "_since", "_whole")

    def __init__(self, whole: float, rate: float, now: float) -> None:
        self._whole = self._left = whole
        self._rate = rate
        self._since = now

    def take(self, amount: float, now: float) -> bool:
        self._left = min(self._whole, self._left + (now - self._since) * self._rate) - amount
        self._since = now
        return self._left >= 0


MAX_FRAGMENTS = 32
"""Frames of one message. Browsers send one; a library that splits the largest message into 512-byte pieces
sends no more than this.
"""
FRAMES, FRAMES_A_SECOND = 200, 50
"""Burst and rate. People send a few commands a second at most, programs some ten."""
LARGEST_MESSAGES, LARGEST_MESSAGES_A_SECOND = 8, 2
"""Burst and rate of bytes, in messages of the largest size. Commands have a few hundred bytes."""
MAX_UNREAD = 512 * 1024
"""Bytes that may be buffered when a ping is answered: more than the update of a whole game."""
_SLICE = 4096
"""Bytes parsed before frames are counted: some 700 of the smallest."""
_HANG_UP, _WRITE_TEXT = "sanssouci.hang_up", "sanssouci.write_text"
_INVALID_UTF8 = 1007


class GuardedWebSocketProtocol(WebSocketsSansIOProtocol):
    """A protocol that limits frames and bytes, and lets the app abort the connection."""

    def __init__(self, *args: Any, connections: ConnectionLimit | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._connections = connections
        now, largest = self.loop.time(), self.config.ws_max_size
        self._frames_left = TokenBucket(FRAMES, FRAMES_A_SECOND, now)
        self._bytes_left = TokenBucket(
            MAX_HEAD + LARGEST_MESSAGES * largest, LARGEST_MESSAGES_A_SECOND * largest, now
        )

    async def run_asgi(self) -> None:
        scope: Any = self.scope
        scope[_HANG_UP] = self.transport.abort
        scope[_WRITE_TEXT] = self.write_text
        try:
            await super().run_asgi()
        finally:  # a reference cycle would keep the socket, and its table, until a full garbage collection
            del scope[_HANG_UP], scope[_WRITE_TEXT]

    def write_text(self, text: bytes) -> bool:
        """Send a text message at once; False if the peer has to read earlier messages first.

        A message that passes through tasks, ASGI layers and websockets costs several times
        as much. This bypass is correct because server frames are not masked and compression is off.
        """
        if self.close_sent or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(_text_frame_head(len(text)) + text)
        return True

    async def send(self, message: Any) -> None:
        """Mark a handshake that was rejected with a response as complete, and forget an accepted one.

        uvicorn does not mark it, and would log each as an error of the app. The headers of an accepted one
        are in the scope; a second copy would take 3 KiB for each socket.
        """
        await super().send(message)
        if message["type"] == "websocket.accept":
            del self.request, self.response
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True

    def connection_lost(self, exc: Exception | None) -> None:
        """Break the reference cycle of parser and connection, which would wait for garbage collection."""
        super().connection_lost(exc)
        if self._connections is not None and self.client is not None:
            self._connections.leave(self.client[0])
        self.conn.parser.close()

    def data_received(self, data: bytes) -> None:
        """Parse in slices, because one read may contain many frames."""
        if not self._bytes_left.take(len(data), self.loop.time()):
            self.transport.abort()
        for begin in range(0, len(data), _SLICE):
            if self.transport.is_closing():
                return
            super().data_received(data[begin : begin + _SLICE])

    def handle_events(self) -> None:
        if self._frames_left.take(len(self.conn.events), self.loop.time()):
            super().handle_events()
        else:
            self.transport.abort()

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) < MAX_FRAGMENTS:
            super().handle_cont(event)
        else:
            self.transport.abort()

    def handle_ping(self) -> None:
        """Answer, unless the peer does not read the answers."""
        if self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size() <= MAX_UNREAD:
            super().handle_ping()
        else:
            self.transport.abort()

    def send_receive_event_to_app(self) -> None:
        """Close on invalid UTF-8, which is the client's error and not logged."""
        text = self.curr_msg_data_type == "text" and not self.close_sent
        if text and not _is_utf8(b"".join(self.frames)):
            self.frames = []
            self.conn.send_close(_INVALID_UTF8)
            self.handle_parser_exception()
        else:
            super().send_receive_event_to_app()

    def keepalive_timeout(self) -> None:
        """Abort: a peer that answers no ping may not read a close message either."""
        super().keepalive_timeout()
        self.transport.abort()


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _text_frame_head(length: int) -> bytes:
    """The head of an unmasked, unfragmented text frame (RFC 6455, 5.2)."""
    if length < 126:
        return bytes((0x81, length))
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2, "big")
    return b"\x81\x7f" + length.to_bytes(8, "big")


def text_writer(scope: Any) -> Callable[[bytes], bool] | None:
    """``write_text`` of a socket's connection, if the server supports it."""
    write: Callable[[bytes], bool] | None = scope.get(_WRITE_TEXT)
    return write


def hang_up(scope: Any) -> None:
    """Abort the connection of a socket, if the server supports it."""
    abort: Callable[[], None] | None = scope.get(_HANG_UP)
    if abort is not None:
        abort()
