"""Request timeouts: limits on the time and size of a request's headers.

uvicorn waits for headers without a timeout and accepts any size, so slow clients could hold connections
forever (Slowloris). No library adds this to uvicorn, hence the subclass of its protocol. The timeout for
bodies is in ``middleware/body_limit.py``; a socket must send its hello in time.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .connection_limit import ConnectionLimit

MAX_HEAD = 65_536
"""Bytes from the request line to the last header."""
HEAD_TIMEOUT = 20.0
"""Seconds to receive them."""


class TimeoutHttpProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol with a header timeout, a header size limit and a connection limit."""

    _in_head = False
    _size = 0
    _head_timer: asyncio.TimerHandle | None = None
    _counted = False

    def __init__(self, *args: Any, connections: ConnectionLimit | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._connections = connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        if self._connections is not None and self.client is not None:
            self._counted = self._connections.enter(self.client[0])
            if not self._counted:
                transport.abort()
                return
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_timer()
        if self._connections is not None and self.client is not None and self._counted:
            self._connections.leave(self.client[0])
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over; from now on the WebSocket protocol counts it."""
        self._counted = False
        super().handle_websocket_upgrade()
        # Break the reference cycle of parser and protocol; uvicorn only does so when a connection is lost.
        self.parser = None  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self._in_head or self.transport.is_closing():
            return
        self._size += len(data)
        if self._size > MAX_HEAD:
            self.send_400_response("The head of the request is too large.")
        elif self._head_timer is None:
            self._start_timer()

    def on_message_begin(self) -> None:
        self._in_head, self._size = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._cancel_timer()
        super().on_headers_complete()

    def _start_timer(self) -> None:
        self._head_timer = self.loop.call_later(HEAD_TIMEOUT, self.transport.close)

    def _cancel_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
