"""Dispatches WebSockets directly to their endpoint, bypassing FastAPI's own middleware.

Every layer a socket passes stays in memory while it is open, and every message goes through it. FastAPI's
layers made up a third of the cost of a socket.
"""

from fastapi import FastAPI
from fastapi.routing import APIWebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket


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
