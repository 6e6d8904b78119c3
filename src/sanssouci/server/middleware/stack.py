"""The ASGI middleware stack, from the outside in.

::

    ClientInfoMiddleware  client address and request id
    SecurityHeaders       on every response from further in
    AccessLog             one log line per request; handles uncaught exceptions
    RateLimitMiddleware   every request, by address
    OriginCheck           rejects cross-site requests and foreign host names
    RateLimitMiddleware   uploads; after OriginCheck, so other sites cannot use up a visitor's limit
    BodyLimit             reads the whole body, or rejects it

The stack wraps the app instead of being added to it, because FastAPI answers crashes outside its own
middleware.
"""

import time

from fastapi import FastAPI
from fastapi.routing import APIWebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from ..ops.metrics import Metrics
from ..rate_limits import Clock, Limit
from ..settings import Settings
from .access_log import AccessLog
from .body_limit import BodyLimit
from .client_info import ClientInfoMiddleware
from .origin_check import AllowedOrigins, OriginCheck
from .rate_limit import RateCheck, RateLimitMiddleware, unlimited
from .security_headers import SecurityHeaders


def with_middleware(
    app: ASGIApp,
    settings: Settings,
    origins: AllowedOrigins,
    metrics: Metrics,
    imports: tuple[str, ...] = (),
    check_rate: RateCheck = unlimited,
    clock: Clock = time.monotonic,
) -> ASGIApp:
    """Wrap an app; uploads to ``imports`` may be larger and have a rate limit of their own."""
    app = BodyLimit(app, settings.max_message, dict.fromkeys(imports, settings.max_import))
    app = RateLimitMiddleware(app, check_rate, Limit.IMPORT, imports)
    app = OriginCheck(app, origins)
    app = RateLimitMiddleware(app, check_rate, Limit.REQUEST)
    app = AccessLog(app, metrics.request, clock)
    app = SecurityHeaders(app, https=(settings.public_url or "").startswith("https://"))
    return ClientInfoMiddleware(app, settings.trusted_proxies)


class HeadMiddleware:
    """ASGI middleware for apps that only route GET."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def send_head(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        asked = {**scope, "method": "GET"}
        try:
            await self._app(asked, receive, send_head)
        finally:
            scope["route"] = asked.get("route")  # for the access log


class WebSocketDispatch:
    """ASGI middleware that routes WebSockets itself and passes everything else on."""

    def __init__(self, app: FastAPI, inner: ASGIApp) -> None:
        """``app`` has the WebSocket routes; ``inner`` answers all other requests."""
        self._app = app
        self._inner = inner
        self._routes = {route.path: route for route in app.routes if isinstance(route, APIWebSocketRoute)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        route = self._routes.get(scope["path"]) if scope["type"] == "websocket" else None
        if route is None:
            await self._inner(scope, receive, send)
        else:
            scope.update(app=self._app, route=route)
            await route.endpoint(WebSocket(scope, receive, send))
