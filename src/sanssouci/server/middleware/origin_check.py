"""The gate: requests of strangers' pages, and to names that are not ours, are turned away."""

from starlette.types import ASGIApp, Receive, Scope, Send

from sanssouci.locale import UserError

from .allowed_origins import AllowedOrigins
from .client_info import header
from .errors import send_error

COOKIE = "sanssouci_guest"
"""The cookie by which a browser is known."""
_READING = ("GET", "HEAD", "OPTIONS")
_FORBIDDEN = 4403


class OriginCheck:
    """Pure ASGI: lets in what ``Origins`` allow."""

    def __init__(self, app: ASGIApp, origins: AllowedOrigins) -> None:
        self._app = app
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] not in ("http", "websocket") or self._may_enter(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": _FORBIDDEN})  # before it is accepted: HTTP's 403
        elif self._origins.allowed_host(header(scope, b"host")):
            unnamed = header(scope, b"origin") is None
            key = "request.no_origin" if unnamed else "request.wrong_origin"
            await send_error(scope, send, 403, UserError(key))
        else:
            await send_error(scope, send, 421, UserError("request.wrong_host"))

    def _may_enter(self, scope: Scope) -> bool:
        cookie = f"{COOKIE}=" in (header(scope, b"cookie") or "")
        return self._origins.may_ask(
            header(scope, b"origin"),
            header(scope, b"host"),
            cookie=cookie and not _is_bearer(scope),
            changes=scope.get("method") not in _READING,
        )


def _is_bearer(scope: Scope) -> bool:
    """Whether a program says who it is; by any other word the cookie would still be believed."""
    scheme, _, token = (header(scope, b"authorization") or "").partition(" ")
    return scheme.lower() == "bearer" and bool(token.strip())
