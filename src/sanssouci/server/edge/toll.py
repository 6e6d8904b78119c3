"""The toll: an address pays for each request before anything is read, and once more where bodies are large.

What a request asks for is counted later, by guest and by address. But one that is malformed never gets that
far, and takes its time all the same; a body that is waited for takes memory, whoever sends it.
"""

from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from .callers import caller_of
from .limits import Bucket, TooOften
from .problems import send_problem

Pay = Callable[[Bucket, str], None]
"""Counts that an address asks; ``TooOften`` if it is too often."""


class Toll:
    """Pure ASGI: answers 429 to an address that asks too often, whatever it asks."""

    def __init__(self, app: ASGIApp, large: tuple[str, ...], pay: Pay) -> None:
        """``large`` are the paths to which large bodies are sent."""
        self._app = app
        self._large = large
        self._pay = pay

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            if scope["type"] == "http":
                self._take(scope)
        except TooOften as error:
            told = {"retry-after": str(error.seconds), "connection": "close"}  # a body may come next
            await send_problem(scope, send, 429, error, told)
        else:
            await self._app(scope, receive, send)

    def _take(self, scope: Scope) -> None:
        address = caller_of(scope).address
        self._pay(Bucket.REQUEST, address)
        if scope["method"] == "POST" and scope["path"] in self._large:
            self._pay(Bucket.IMPORT, address)
