"""Client address, scheme and request id, determined once per request."""

import re
import secrets
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

from ..auth.tokens import redact
from .proxy_headers import Network, client_address, is_direct_and_local, is_trusted, was_secure

_KEY = "sanssouci.caller"
_ID = re.compile("[A-Za-z0-9-]{8,64}")
_STARTS = ("http.response.start", "websocket.accept", "websocket.http.response.start")
"""Messages that carry response headers."""


@dataclass(frozen=True, slots=True)
class ClientInfo:
    address: str
    """The client behind all trusted proxies."""
    secure: bool
    """Whether the client uses HTTPS."""
    local: bool
    """Whether the client is on this machine and not behind a proxy."""
    request_id: str


def client_info(scope: Any) -> ClientInfo:
    caller: ClientInfo = scope[_KEY]
    return caller


def header(scope: Scope, name: bytes) -> str | None:
    """A request header; repeated lines are joined with commas, as HTTP defines it."""
    lines = [value for key, value in scope["headers"] if key == name]
    return b", ".join(lines).decode("latin-1") if lines else None


class ClientInfoMiddleware:
    """ASGI middleware that puts ``ClientInfo`` into the scope and the request id into log and response."""

    def __init__(self, app: ASGIApp, trusted: tuple[Network, ...] = ()) -> None:
        self._app = app
        self._trusted = trusted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        caller = scope[_KEY] = self._caller(scope)

        async def send_with_id(message: Message) -> None:
            if message["type"] in _STARTS:
                own = (b"x-request-id", caller.request_id.encode("ascii"))
                message["headers"] = [*message.get("headers", ()), own]
            await send(message)

        with bound_contextvars(request_id=caller.request_id):
            await self._app(scope, receive, send_with_id)

    def _caller(self, scope: Scope) -> ClientInfo:
        peer, headers = (scope.get("client") or ("", 0))[0], scope["headers"]
        return ClientInfo(
            client_address(peer, headers, self._trusted),
            was_secure(scope["scheme"], peer, headers, self._trusted),
            is_direct_and_local(peer, headers),
            self._request_id(scope, peer),
        )

    def _request_id(self, scope: Scope, peer: str) -> str:
        """The trusted proxy's id, unless it would be redacted in the log; otherwise a new one."""
        said = header(scope, b"x-request-id") or ""
        usable = _ID.fullmatch(said) and redact(said) == said
        return said if usable and is_trusted(peer, self._trusted) else secrets.token_hex(8)
