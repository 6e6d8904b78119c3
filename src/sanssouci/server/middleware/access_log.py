"""The access log: a line for each request and each socket, by the route's template.

A path may have a secret in it, and a query mostly has; neither is ever logged.
"""

import time
from collections.abc import Callable
from contextlib import suppress

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from sanssouci.locale import UserError

from ..limits.moving_windows import Clock
from .client_info import client_info
from .errors import send_error

Count = Callable[[str, str, int, float], None]
"""Takes method, route, status and seconds of a request that was answered."""
_OPEN = 101
_FAILED = 1011
_NOT_NOW = 503
"""Said on purpose; whoever says it has logged why, if anything is wrong."""
_INFO, _ERROR = 20, 40
NO_ROUTE = "-"
"""Stands for everything that has no route."""


class AccessLog:
    """Pure ASGI: logs who asked for what, what came of it, and how long it took.

    What a route raises ends here: it is logged with the request's id; if there was no answer yet it is 500,
    and a socket that is open is closed.
    """

    def __init__(self, app: ASGIApp, count: Count, clock: Clock = time.monotonic) -> None:
        self._app = app
        self._count = count
        self._clock = clock
        self._log = structlog.stdlib.get_logger("sanssouci.server.auth.table_access")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        begun, status = self._clock(), 0

        async def watched(message: Message) -> None:
            nonlocal status
            status = _status(message) or status
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except WebSocketDisconnect:
            pass  # who reads may leave at any moment
        except Exception:
            self._log.exception("failed", route=route_of(scope))
            if status in (0, _OPEN):
                await _give_up(scope, watched)
        finally:
            self._tell(scope, status, self._clock() - begun)

    def _tell(self, scope: Scope, status: int, seconds: float) -> None:
        method, route = scope.get("method", "SOCKET"), route_of(scope)
        self._count(method, route, status, seconds)
        self._log.log(
            _ERROR if 500 <= status < 600 and status != _NOT_NOW else _INFO,
            "socket" if scope["type"] == "websocket" else "request",
            method=method,
            route=route,
            status=status,
            ms=round(seconds * 1000, 1),
            address=client_info(scope).address,
        )


def route_of(scope: Scope) -> str:
    """The template of the route that was found."""
    return getattr(scope.get("route"), "path", NO_ROUTE)


async def _give_up(scope: Scope, send: Send) -> None:
    """The last word on something that failed, if there is still somebody to hear it."""
    with suppress(OSError, RuntimeError):
        if scope["type"] == "http":
            await send_error(scope, send, 500, UserError("request.failed"))
        else:
            await send({"type": "websocket.close", "code": _FAILED})


def _status(message: Message) -> int:
    """What a message says of how it went: a status of HTTP, or a socket's close code."""
    match message["type"]:
        case "http.response.start" | "websocket.http.response.start":
            return int(message["status"])
        case "websocket.accept":
            return _OPEN
        case "websocket.close":
            return int(message.get("code", 1000))
        case _:
            return 0
