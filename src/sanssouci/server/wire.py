"""The wire of a socket: uvicorn's protocol, and a way to hang up on somebody who does not read.

A socket is closed by a message, and a message has to be read. Who reads nothing would keep the socket for
ever: neither the message nor the end of the connection gets past what already waits.
"""

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

_HANG_UP = "sanssouci.hang_up"
_NOT_TEXT = 1007


class Wire(WebSocketsSansIOProtocol):
    """A protocol whose app can hang up."""

    async def run_asgi(self) -> None:
        """Serve one socket."""
        scope: Any = self.scope
        scope[_HANG_UP] = self.transport.abort
        await super().run_asgi()

    def connection_lost(self, exc: Exception | None) -> None:
        """Parser and connection hold each other: they would stay until somebody looks for garbage."""
        super().connection_lost(exc)
        self.conn.parser.close()

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
