"""Callers: who asks, found out once for each request, and the id under which the request is logged."""

import re
import secrets
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

from ..auth.tokens import redacted
from .proxy_headers import Network, client_address, is_direct_and_local, is_trusted, was_secure

_KEY = "sanssouci.caller"
_ID = re.compile("[A-Za-z0-9-]{8,64}")
_STARTS = ("http.response.start", "websocket.accept", "websocket.http.response.start")
"""The messages that carry the headers of an answer."""


@dataclass(frozen=True, slots=True)
class ClientInfo:
    """The one who asks."""

    address: str
    """Behind all trusted proxies."""
    secure: bool
    """Whether by HTTPS."""
    local: bool
    """Whether from this machine, and through no proxy."""
    request_id: str


def client_info(scope: Any) -> ClientInfo:
    """The caller of a request or a socket."""
    caller: ClientInfo = scope[_KEY]
    return caller


def header(scope: Scope, name: bytes) -> str | None:
    """A header of a request; lines of the same name are put together, as HTTP has it."""
    lines = [value for key, value in scope["headers"] if key == name]
    return b", ".join(lines).decode("latin-1") if lines else None


class ClientInfoMiddleware:
    """Pure ASGI: leaves a ``Caller`` in the scope, and the request's id in the log and the answer."""

    def __init__(self, app: ASGIApp, trusted: tuple[Network, ...] = ()) -> None:
        self._app = app
        self._trusted = trusted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
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
        """A trusted proxy's, if the log would show it as it is; else a new one."""
        said = header(scope, b"x-request-id") or ""
        usable = _ID.fullmatch(said) and redacted(said) == said
        return said if usable and is_trusted(peer, self._trusted) else secrets.token_hex(8)
