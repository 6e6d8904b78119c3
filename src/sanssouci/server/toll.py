"""The toll: where large bodies are sent, the address pays its rate before any of the body is read.

Later a guest pays too. But a body that is waited for takes memory, whoever sends it.
"""

from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from .callers import caller_of, header
from .replies import no
from .visitor import TooOften, language_of

Pay = Callable[[str], None]
"""Counts that an address asks; ``TooOften`` if it is too often."""


class Toll:
    """Pure ASGI: answers 429 to an address that sends too many large bodies."""

    def __init__(self, app: ASGIApp, paths: tuple[str, ...], pay: Pay) -> None:
        self._app = app
        self._paths = paths
        self._pay = pay

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            if scope["type"] == "http" and scope["method"] == "POST" and scope["path"] in self._paths:
                self._pay(caller_of(scope).address)
        except TooOften as error:
            refusal = no(error, language_of(header(scope, b"accept-language") or ""))
            refusal.headers["connection"] = "close"  # what else comes on the line may be the body
            await refusal(scope, receive, send)
        else:
            await self._app(scope, receive, send)
