"""Access log: one line for each request and socket, with the route's template.

Paths and queries may contain secrets and are never logged.
"""

import time
from collections.abc import Callable
from contextlib import suppress

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from sanssouci.locale import UserError

from ..rate_limits import Clock
from .client_info import client_info
from .errors import send_error

OnResponse = Callable[[str, str, int, float], None]
"""Called with method, route, status and seconds of each request."""
_OPEN = 101
_FAILED = 1011
_UNAVAILABLE = 503
"""Deliberate, so it is not logged as an error here."""
_INFO, _ERROR = 20, 40
NO_ROUTE = "-"
"""Logged for requests that match no route."""


class AccessLog:
    """ASGI middleware that logs requests and handles uncaught exceptions.

    An exception is logged with the request id. If no response was started it becomes a 500; an open socket is
    closed.
    """

    def __init__(self, app: ASGIApp, on_response: OnResponse, clock: Clock = time.monotonic) -> None:
        self._app = app
        self._on_response = on_response
        self._clock = clock
        self._log = structlog.stdlib.get_logger("sanssouci.server.access")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        begun, status = self._clock(), 0

        async def send_watched(message: Message) -> None:
            nonlocal status
            status = _status(message) or status
            await send(message)

        try:
            await self._app(scope, receive, send_watched)
        except WebSocketDisconnect:
            pass  # clients may disconnect at any time
        except Exception:
            self._log.exception("request_failed", route=route_of(scope))
            if status in (0, _OPEN):
                await _send_failure(scope, send_watched)
        finally:
            self._record(scope, status, self._clock() - begun)

    def _record(self, scope: Scope, status: int, seconds: float) -> None:
        method, route = scope.get("method", "SOCKET"), route_of(scope)
        self._on_response(method, route, status, seconds)
        self._log.log(
            _ERROR if 500 <= status < 600 and status != _UNAVAILABLE else _INFO,
            "socket" if scope["type"] == "websocket" else "request",
            method=method,
            route=route,
            status=status,
            ms=round(seconds * 1000, 1),
            address=client_info(scope).address,
        )


def route_of(scope: Scope) -> str:
    """The template of the matched route."""
    return getattr(scope.get("route"), "path", NO_ROUTE)


async def _send_failure(scope: Scope, send: Send) -> None:
    with suppress(OSError, RuntimeError):
        if scope["type"] == "http":
            await send_error(scope, send, 500, UserError("request.failed"))
        else:
            await send({"type": "websocket.close", "code": _FAILED})


def _status(message: Message) -> int:
    """The HTTP status or WebSocket close code of a message; 0 if it has none."""
    match message["type"]:
        case "http.response.start" | "websocket.http.response.start":
            return int(message["status"])
        case "websocket.accept":
            return _OPEN
        case "websocket.close":
            return int(message.get("code", 1000))
        case _:
            return 0
