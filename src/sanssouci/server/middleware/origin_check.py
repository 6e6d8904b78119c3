"""Rejects cross-site requests (CSRF) and requests with a foreign ``Host`` header.

An unknown ``Host`` means that another site's name was pointed at this server (DNS rebinding); its pages would
pass as same-origin. So the host is checked first, and only then may the origin equal the host. Numeric
addresses that the server is bound to cannot be rebound.
"""

import re
from dataclasses import dataclass

from starlette.types import ASGIApp, Receive, Scope, Send

from sanssouci.locale import UserError

from .client_info import header, parse_address
from .errors import send_error

_AUTHORITY = re.compile(r"([a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::([0-9]{1,5}))?")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_EVERYWHERE = ("0.0.0.0", "::", "")


def site(text: str) -> str | None:
    """``scheme://host:port`` as a browser writes it, without the default port; ``None`` if invalid."""
    scheme, _, rest = text.lower().partition("://")
    authority = _authority(rest, scheme) if scheme in _DEFAULT_PORTS else None
    return None if authority is None else f"{scheme}://{authority}"


def _authority(text: str, scheme: str = "http") -> str | None:
    found = _AUTHORITY.fullmatch(text.lower())
    if found is None or (found[2] and not 0 < int(found[2]) < 65536):
        return None
    plain = not found[2] or int(found[2]) == _DEFAULT_PORTS[scheme]
    return found[1] if plain else f"{found[1]}:{int(found[2])}"


@dataclass(frozen=True, slots=True)
class AllowedOrigins:
    sites: frozenset[str]
    """Public sites, such as ``https://play.example.org``."""
    hosts: set[str]
    """Names and addresses with the bound port, where the server speaks plain HTTP."""
    any_address: int | None = None
    """The port, if the server is bound to all addresses of the machine."""

    @classmethod
    def of(
        cls, host: str, port: int, public_url: str | None = None, more: tuple[str, ...] = ()
    ) -> "AllowedOrigins":
        """The origins of a server bound to a host and a port."""
        known = (site(text) for text in (public_url, *more) if text is not None)
        bound = f"[{host}]" if ":" in host else host
        names = _LOOPBACK if host in _EVERYWHERE else (*_LOOPBACK, bound)
        hosts = (_authority(f"{name}:{port}") for name in names)
        everywhere = port if host in _EVERYWHERE else None
        return cls(frozenset(filter(None, known)), set(filter(None, hosts)), everywhere)

    def add_address(self, address: str, port: int) -> None:
        """Allow one more address that the server listens on."""
        authority = _authority(f"{f'[{address}]' if ':' in address else address}:{port}")
        assert authority is not None, "it is an address"
        self.hosts.add(authority)

    def allowed_host(self, host: str | None) -> bool:
        """Whether a ``Host`` header names this server."""
        return self._is_own(host) or any(
            site(f"{scheme}://{host}") in self.sites for scheme in _DEFAULT_PORTS
        )

    def allowed_origin(self, origin: str, host: str | None) -> bool:
        """Whether an ``Origin`` header is one of the sites, or the host itself."""
        asking = site(origin)
        if asking is None:
            return False
        return asking in self.sites or (self._is_own(host) and asking == f"http://{_authority(host or '')}")

    def allows(self, origin: str | None, host: str | None, *, cookie: bool, changes: bool) -> bool:
        """Whether to accept a request.

        Programs send no ``Origin`` and authenticate with a bearer token. A cookie without an ``Origin`` is
        accepted only if the request ``changes`` nothing. WebSockets count as changes.
        """
        if not self.allowed_host(host):
            return False
        if origin is not None:
            return self.allowed_origin(origin, host)
        return not (cookie and changes)

    def _is_own(self, host: str | None) -> bool:
        authority = _authority(host or "")
        return authority is not None and (authority in self.hosts or self._is_address(authority))

    def _is_address(self, authority: str) -> bool:
        """Whether it is a numeric address with the bound port, which cannot be rebound."""
        found = _AUTHORITY.fullmatch(authority)
        ours = found is not None and int(found[2] or 80) == self.any_address
        return ours and parse_address(authority) is not None


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
