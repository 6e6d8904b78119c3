"""The toll: an address pays for each request before anything is read, and once more where bodies are large.

What a request asks for is counted later, by guest and by address. But one that is malformed or turned away
never gets that far, and takes its time all the same; a body that is waited for takes memory too.
"""

from collections.abc import Callable, Container

from starlette.types import ASGIApp, Receive, Scope, Send

from ..limits.rate_limits import Limit, RateLimited
from .client_info import client_info
from .errors import send_error

Pay = Callable[[Limit, str], None]
"""Counts that an address asks; ``TooOften`` if it is too often."""


class RateLimitMiddleware:
    """Pure ASGI: answers 429 to an address that asks too often, whatever it asks."""

    def __init__(self, app: ASGIApp, pay: Pay, bucket: Limit, posts: Container[str] | None = None) -> None:
        """It is paid for what is sent to the paths of ``posts``, or for everything, sockets too."""
        self._app = app
        self._pay = pay
        self._bucket = bucket
        self._posts = posts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            if self._costs(scope):
                self._pay(self._bucket, client_info(scope).address)
        except RateLimited as error:
            told = {"retry-after": str(error.seconds), "connection": "close"}  # a body may come next
            await send_error(scope, send, 429, error, told)
        else:
            await self._app(scope, receive, send)

    def _costs(self, scope: Scope) -> bool:
        if self._posts is None:
            return scope["type"] in ("http", "websocket")
        return scope["type"] == "http" and scope["method"] == "POST" and scope["path"] in self._posts
