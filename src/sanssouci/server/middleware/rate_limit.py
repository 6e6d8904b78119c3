"""Rate limit per client address, applied before the body is read.

Limits per guest are checked in the routes. Malformed and rejected requests never reach a route, so they are
counted here. Large uploads have a limit of their own, because waiting for a body costs memory.
"""

from collections.abc import Awaitable, Callable, Container

from starlette.types import ASGIApp, Receive, Scope, Send

from ..rate_limits import Limit, RateLimited
from .client_info import client_info
from .errors import send_error

RateCheck = Callable[[Limit, str], Awaitable[None]]
"""Counts a request of an address; raises ``RateLimited``."""


async def unlimited(limit: Limit, address: str) -> None: ...


class RateLimitMiddleware:
    """ASGI middleware that answers 429 with Retry-After when an address exceeds its limit."""

    def __init__(
        self, app: ASGIApp, check: RateCheck, limit: Limit, paths: Container[str] | None = None
    ) -> None:
        """Apply ``limit`` to POSTs on ``paths``, or to every request and socket if ``paths`` is None."""
        self._app = app
        self._check = check
        self._limit = limit
        self._paths = paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if self._applies_to(scope):
                await self._check(self._limit, client_info(scope).address)
        except RateLimited as error:
            headers = {"retry-after": str(error.seconds), "connection": "close"}  # an unread body may follow
            await send_error(scope, send, 429, error, headers)
        else:
            await self._app(scope, receive, send)

    def _applies_to(self, scope: Scope) -> bool:
        if self._paths is None:
            return scope["type"] in ("http", "websocket")
        return scope["type"] == "http" and scope["method"] == "POST" and scope["path"] in self._paths
