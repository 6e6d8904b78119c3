"""A WebSocket client with minimal overhead, so that the server is measured and not the client."""

import asyncio
import re
from collections.abc import Callable
from typing import cast

_UPGRADE = (
    "GET /api/socket HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: c2Fuc3NvdWNpIGdhcmRlbg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10
_SHORT, _LONG = 126, 127
_SEQ = re.compile(rb'\{"type":"update","seq":(\d+),')


class Socket(asyncio.Protocol):
    """A socket. Calls ``on_message`` with each message, and ``on_lost`` if the server closes it."""

    def __init__(
        self, host: str, on_message: "Callable[[Socket, bytes], None]", on_lost: Callable[[str], None]
    ) -> None:
        self._host = host
        self._on_message = on_message
        self._on_lost = on_lost
        self._buffer = b""
        self._transport: asyncio.WriteTransport | None = None
        self._closed = False
        self.open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when messages can be sent."""
        self.first_message: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the first message has arrived."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Request the upgrade."""
        self._transport = cast(asyncio.WriteTransport, transport)  # uvloop's transports are not subclasses
        self._transport.write(_UPGRADE.format(host=self._host).encode())

    def connection_lost(self, error: Exception | None) -> None:
        if not self._closed:
            self._end(f"the connection was closed: {error}")

    def data_received(self, data: bytes) -> None:
        """Process the answer to the upgrade, then frames."""
        self._buffer += data
        if not self.open.done():
            head, found, rest = self._buffer.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head.split(b"\r\n")[0]:
                self._end(head.decode("latin-1"))
                return
            self._buffer = rest
            self.open.set_result(None)
        while self._frame():
            pass

    def send(self, text: bytes) -> None:
        self._write(_TEXT, text)

    def close(self) -> None:
        if not self._closed and self._transport is not None:
            self._closed = True
            self._write(_CLOSE, b"\x03\xe8")
            self._transport.close()

    def _frame(self) -> bool:
        """Process one frame if it is complete."""
        rest = self._buffer
        if len(rest) < 2 or self._closed:
            return False
        size, start = rest[1] & 127, 2
        if size == _SHORT:
            size, start = int.from_bytes(rest[2:4], "big"), 4
        elif size == _LONG:
            size, start = int.from_bytes(rest[2:10], "big"), 10
        if len(rest) < start + size:
            return False
        self._buffer = rest[start + size :]
        self._process(rest[0] & 15, rest[start : start + size])
        return True

    def _process(self, kind: int, payload: bytes) -> None:
        if kind == _TEXT:
            if not self.first_message.done():
                self.first_message.set_result(None)
            self._on_message(self, payload)
        elif kind == _PING:
            self._write(_PONG, payload)
        elif kind == _CLOSE:
            self._end(f"the server closed the socket: {int.from_bytes(payload[:2], 'big')}")

    def _write(self, kind: int, payload: bytes) -> None:
        """Send a frame with an all-zero mask, which the protocol permits."""
        size = len(payload)
        length = bytes((128 | size,)) if size < _SHORT else bytes((128 | _SHORT,)) + size.to_bytes(2, "big")
        assert self._transport is not None, "the socket is connected"
        self._transport.write(bytes((128 | kind,)) + length + b"\0\0\0\0" + payload)

    def _end(self, reason: str) -> None:
        self._closed = True
        for awaited in (self.open, self.first_message):
            awaited.cancel()
        self._on_lost(reason)


def seq_of(update: bytes) -> int | None:
    """The sequence number of an update, without parsing the rest. None for other messages."""
    found = _SEQ.match(update)
    return None if found is None else int(found[1])
