"""Rejects cross-site requests (CSRF) and requests with a foreign ``Host`` header."""

from starlette.types import ASGIApp, Receive, Scope, Send

from sanssouci.locale import UserError

from .allowed_origins import AllowedOrigins
from .client_info import header
from .errors import send_error

COOKIE = "sanssouci_guest"
"""The cookie that authenticates a browser."""
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
_FORBIDDEN = 4403


class OriginCheck:
    """ASGI middleware that accepts only what ``AllowedOrigins`` allow."""

    def __init__(self, app: ASGIApp, origins: AllowedOrigins) -> None:
        self._app = app
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or self._is_allowed(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": _FORBIDDEN})  # before accepting: becomes HTTP 403
        elif self._origins.allowed_host(header(scope, b"host")):
            unnamed = header(scope, b"origin") is None
            key = "request.no_origin" if unnamed else "request.wrong_origin"
            await send_error(scope, send, 403, UserError(key))
        else:
            await send_error(scope, send, 421, UserError("request.wrong_host"))

    def _is_allowed(self, scope: Scope) -> bool:
        cookie = f"{COOKIE}=" in (header(scope, b"cookie") or "")
        return self._origins.allows(
            header(scope, b"origin"),
            header(scope, b"host"),
            cookie=cookie and not _is_bearer(scope),
            changes=scope.get("method") not in _SAFE_METHODS,
        )


def _is_bearer(scope: Scope) -> bool:
    """Whether a bearer token is present. With any other scheme the cookie would still authenticate."""
    scheme, _, token = (header(scope, b"authorization") or "").partition(" ")
    return scheme.lower() == "bearer" and bool(token.strip())
