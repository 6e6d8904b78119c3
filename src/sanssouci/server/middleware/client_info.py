"""Client address, scheme and request id, determined once per request; proxy headers.

Each proxy appends the address of its client to ``X-Forwarded-For``. So the list is read from the right for as
long as its author is a trusted proxy; the rest may be forged.

uvicorn's proxy middleware overwrites the peer's address, which ``is_direct_and_local`` needs.
"""

import re
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

from ..auth.tokens import redact
from ..rate_limits import current_address

Network = IPv4Network | IPv6Network
Headers = Iterable[tuple[bytes, bytes]]
_FORWARDING = (
    b"forwarded",
    b"via",
    b"x-forwarded-for",
    b"x-forwarded-host",
    b"x-forwarded-proto",
    b"x-real-ip",
)
_MAX_HOPS = 16


def client_address(peer: str, headers: Headers, trusted: tuple[Network, ...]) -> str:
    """The nearest address that is not a trusted proxy; invalid entries end the search."""
    address = peer
    for hop in _hops(headers):
        if not is_trusted(address, trusted):
            break
        found = parse_address(hop)
        if found is None:
            break
        address = str(found)
    return address


def was_secure(scheme: str, peer: str, headers: Headers, trusted: tuple[Network, ...]) -> bool:
    """Whether the client used HTTPS, to this server or to a trusted proxy."""
    said = [value for name, value in headers if name == b"x-forwarded-proto"]
    if said and is_trusted(peer, trusted):
        return said[-1].rpartition(b",")[2].strip().lower() in (b"https", b"wss")
    return scheme in ("https", "wss")


def is_trusted(address: str, trusted: tuple[Network, ...]) -> bool:
    found = parse_address(address)
    return found is not None and any(found in network for network in trusted)


def is_direct_and_local(peer: str, headers: Headers) -> bool:
    """Whether a request comes from this machine, addresses it as such, and was not forwarded.

    A proxy that adds no header is recognised by the public host name in the request.
    """
    lines = list(headers)
    hosts = [value.decode("latin-1") for name, value in lines if name == b"host"]
    return (
        _is_loopback(peer)
        and len(hosts) == 1
        and (_is_loopback(hosts[0]) or hosts[0].lower().partition(":")[0] == "localhost")
        and not any(name in _FORWARDING for name, _ in lines)
    )


def _is_loopback(text: str) -> bool:
    found = parse_address(text)
    return found is not None and found.is_loopback


def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """An address with or without a port; IPv4-mapped IPv6 becomes IPv4."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def _hops(headers: Headers) -> Iterator[str]:
    """The entries of ``X-Forwarded-For``, last one first."""
    lines = [value for name, value in headers if name == b"x-forwarded-for"]
    hops = b",".join(lines).decode("latin-1").split(",") if lines else []
    for hop in hops[: -_MAX_HOPS - 1 : -1]:
        yield hop.strip()


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


def request_id(said: str = "") -> str:
    """An id from elsewhere if it can be logged, otherwise a new one."""
    return said if _ID.fullmatch(said) and redact(said) == said else secrets.token_hex(8)


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

        token = current_address.set(caller.address)
        try:
            with bound_contextvars(request_id=caller.request_id):
                await self._app(scope, receive, send_with_id)
        finally:
            current_address.reset(token)

    def _caller(self, scope: Scope) -> ClientInfo:
        peer, headers = (scope.get("client") or ("", 0))[0], scope["headers"]
        return ClientInfo(
            client_address(peer, headers, self._trusted),
            was_secure(scope["scheme"], peer, headers, self._trusted),
            is_direct_and_local(peer, headers),
            self._request_id(scope, peer),
        )

    def _request_id(self, scope: Scope, peer: str) -> str:
        """The trusted proxy's id, or a new one."""
        said = header(scope, b"x-request-id") or ""
        return request_id(said if is_trusted(peer, self._trusted) else "")
