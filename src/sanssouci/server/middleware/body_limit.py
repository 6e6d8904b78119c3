"""Bodies of requests: read to their end before any route sees them, and no longer than is allowed.

So a route never acts on half a body, a body without a stated length cannot grow while it is read, and one
that never ends is not waited for.
"""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sanssouci.locale import UserError

from .client_info import header
from .errors import send_error

WITHIN = 60.0
"""Seconds in which a body has to come."""
_CLOSE = {"connection": "close"}
"""What else comes on the line may be the rest of the body."""


class BodyLimit:
    """Pure ASGI: answers 413 to a body that is too large, 408 to one that does not come."""

    def __init__(
        self, app: ASGIApp, most: int, more: dict[str, int] | None = None, within: float = WITHIN
    ) -> None:
        """``most`` bytes; for the paths in ``more`` it may be another number."""
        self._app = app
        self._most = most
        self._more = more or {}
        self._within = within

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._more.get(scope["path"], self._most)
        try:
            async with asyncio.timeout(self._within):
                body = None if _stated_length(scope) > most else await _read(receive, most)
        except ConnectionError:
            return
        except TimeoutError:
            await send_error(scope, send, 408, UserError("request.too_slow", most=int(self._within)), _CLOSE)
            return
        if body is None:
            await send_error(scope, send, 413, UserError("request.too_large", most=most), _CLOSE)
        else:
            await self._app(scope, _replay(body, receive), send)


def _stated_length(scope: Scope) -> int:
    stated = header(scope, b"content-length") or ""
    return int(stated) if stated.isascii() and stated.isdigit() and len(stated) < 20 else 0


async def _read(receive: Receive, most: int) -> bytes | None:
    """The whole body, ``None`` if it is too large, ``ConnectionError`` if nobody is there any more."""
    parts, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionError
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > most:
            return None
        more = message.get("more_body", False)
    return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    """The body in one piece; what comes after it is asked for as before."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return waiting.pop() if waiting else await receive()

    return replayed
