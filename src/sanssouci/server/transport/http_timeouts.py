"""How long and how large the head of a request may be: uvicorn's protocol waits for ever, and takes anything.

A body is bounded by ``BodyLimit``, a socket by its hello.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .connection_limit import ConnectionLimit

MOST_HEAD = 65_536
"""Bytes from the first line of a request to its last header."""
HEAD_WITHIN = 20.0
"""Seconds in which they have to come."""


class TimeoutHttpProtocol(HttpToolsProtocol):
    """One connection; its patience has an end."""

    _in_head = False
    _size = 0
    _hurry: asyncio.TimerHandle | None = None
    _entered = False

    def __init__(self, *args: Any, connections: ConnectionLimit | None = None, **more: Any) -> None:
        super().__init__(*args, **more)
        self._open = connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Somebody has come, and should say something."""
        super().connection_made(transport)
        if self._open is not None and self.client is not None:
            self._entered = self._open.enter(self.client[0])
            if not self._entered:
                transport.abort()
                return
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is there any more."""
        self._relax()
        if self._open is not None and self.client is not None and self._entered:
            self._open.leave(self.client[0])
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """It becomes a socket, whose wire sees its end."""
        self._entered = False
        super().handle_websocket_upgrade()
        # Parser and protocol would keep each other alive; uvicorn parts them only where a connection is lost.
        self.parser = None  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        """Some bytes; where a head is not complete with them, not many more may follow."""
        super().data_received(data)
        if not self._in_head or self.transport.is_closing():
            return
        self._size += len(data)
        if self._size > MOST_HEAD:
            self.send_400_response("The head of the request is too large.")
        elif self._hurry is None:
            self._wait()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._in_head, self._size = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Its head is there."""
        self._in_head = False
        self._relax()
        super().on_headers_complete()

    def _wait(self) -> None:
        self._hurry = self.loop.call_later(HEAD_WITHIN, self.transport.close)

    def _relax(self) -> None:
        if self._hurry is not None:
            self._hurry.cancel()
            self._hurry = None
