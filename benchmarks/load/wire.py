"""A WebSocket client that costs next to nothing, so that the server is measured and not the one who asks."""

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
    """One socket; ``heard`` is given each message, ``lost`` is told if the server ends it."""

    def __init__(
        self, host: str, heard: "Callable[[Socket, bytes], None]", lost: Callable[[str], None]
    ) -> None:
        self._host = host
        self._heard = heard
        self._lost = lost
        self._rest = b""
        self._transport: asyncio.WriteTransport | None = None
        self._closed = False
        self.open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when messages can be sent."""
        self.greeted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the first message has come."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade."""
        self._transport = cast(asyncio.WriteTransport, transport)  # uvloop's own are no subclass of it
        self._transport.write(_UPGRADE.format(host=self._host).encode())

    def connection_lost(self, error: Exception | None) -> None:
        """Nobody wanted that."""
        if not self._closed:
            self._end(f"the connection is lost: {error}")

    def data_received(self, data: bytes) -> None:
        """First the answer to the upgrade, then frames."""
        self._rest += data
        if not self.open.done():
            head, found, rest = self._rest.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head.split(b"\r\n")[0]:
                self._end(head.decode("latin-1"))
                return
            self._rest = rest
            self.open.set_result(None)
        while self._frame():
            pass

    def send(self, text: bytes) -> None:
        """Send a message."""
        self._write(_TEXT, text)

    def close(self) -> None:
        """Leave."""
        if not self._closed and self._transport is not None:
            self._closed = True
            self._write(_CLOSE, b"\x03\xe8")
            self._transport.close()

    def _frame(self) -> bool:
        """Take one frame from what has come, if it is whole."""
        rest = self._rest
        if len(rest) < 2 or self._closed:
            return False
        size, start = rest[1] & 127, 2
        if size == _SHORT:
            size, start = int.from_bytes(rest[2:4], "big"), 4
        elif size == _LONG:
            size, start = int.from_bytes(rest[2:10], "big"), 10
        if len(rest) < start + size:
            return False
        self._rest = rest[start + size :]
        self._take(rest[0] & 15, rest[start : start + size])
        return True

    def _take(self, kind: int, payload: bytes) -> None:
        if kind == _TEXT:
            if not self.greeted.done():
                self.greeted.set_result(None)
            self._heard(self, payload)
        elif kind == _PING:
            self._write(_PONG, payload)
        elif kind == _CLOSE:
            self._end(f"the server has closed it: {int.from_bytes(payload[:2], 'big')}")

    def _write(self, kind: int, payload: bytes) -> None:
        """A whole frame, masked by nothing, as a client may."""
        size = len(payload)
        length = bytes((128 | size,)) if size < _SHORT else bytes((128 | _SHORT,)) + size.to_bytes(2, "big")
        assert self._transport is not None, "it was connected"
        self._transport.write(bytes((128 | kind,)) + length + b"\0\0\0\0" + payload)

    def _end(self, why: str) -> None:
        self._closed = True
        for awaited in (self.open, self.greeted):
            awaited.cancel()
        self._lost(why)


def seq_of(update: bytes) -> int | None:
    """The number of an update, without reading the rest; None of any other message."""
    found = _SEQ.match(update)
    return None if found is None else int(found[1])
