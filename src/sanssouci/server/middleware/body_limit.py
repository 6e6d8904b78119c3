"""Limits the size of request bodies and the time to receive them (request timeout).

The whole body is read before the route runs. So a route never acts on half a body, a chunked body cannot grow
without limit, and a body that never ends times out.
"""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sanssouci.locale import UserError

from .client_info import header
from .errors import send_error

BODY_TIMEOUT = 60.0
"""Seconds to receive a body."""
_CLOSE = {"connection": "close"}
"""The connection cannot be reused, because the rest of the body may still arrive."""


class BodyLimit:
    """ASGI middleware that answers 413 to a body that is too large and 408 to one that is too slow."""

    def __init__(
        self,
        app: ASGIApp,
        max_bytes: int,
        max_bytes_by_path: dict[str, int] | None = None,
        timeout: float = BODY_TIMEOUT,
    ) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._max_bytes_by_path = max_bytes_by_path or {}
        self._timeout = timeout

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        max_bytes = self._max_bytes_by_path.get(scope["path"], self._max_bytes)
        try:
            async with asyncio.timeout(self._timeout):
                body = None if _stated_length(scope) > max_bytes else await _read(receive, max_bytes)
        except ConnectionError:
            return
        except TimeoutError:
            await send_error(scope, send, 408, UserError("request.too_slow", most=int(self._timeout)), _CLOSE)
            return
        if body is None:
            await send_error(scope, send, 413, UserError("request.too_large", most=max_bytes), _CLOSE)
        else:
            await self._app(scope, _replay(body, receive), send)


def _stated_length(scope: Scope) -> int:
    stated = header(scope, b"content-length") or ""
    return int(stated) if stated.isascii() and stated.isdigit() and len(stated) < 20 else 0


async def _read(receive: Receive, max_bytes: int) -> bytes | None:
    """The whole body; ``None`` if it is too large, ``ConnectionError`` if the client has disconnected."""
    parts, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionError
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > max_bytes:
            return None
        more = message.get("more_body", False)
    return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    """A ``receive`` that returns the body in one piece."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return waiting.pop() if waiting else await receive()

    return replayed
