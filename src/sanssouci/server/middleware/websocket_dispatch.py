"""The shortcut: a socket goes straight to the function that serves it, past the layers of FastAPI.

All that a socket has come through stays in memory as long as it is open, and every message that is sent goes
back through it. Of what a socket costs, those layers were a third.
"""

from fastapi import FastAPI
from fastapi.routing import APIWebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket


class WebSocketDispatch:
    """Pure ASGI: finds the routes of sockets by itself; all else is for the app."""

    def __init__(self, app: FastAPI, inner: ASGIApp) -> None:
        """The app whose sockets these are, and what answers all other requests."""
        self._app = app
        self._inner = inner
        self._routes = {route.path: route for route in app.routes if isinstance(route, APIWebSocketRoute)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        route = self._routes.get(scope["path"]) if scope["type"] == "websocket" else None
        if route is None:
            await self._inner(scope, receive, send)
        else:
            scope.update(app=self._app, route=route)
            await route.endpoint(WebSocket(scope, receive, send))
