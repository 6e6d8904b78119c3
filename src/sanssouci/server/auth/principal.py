"""Authentication: the guest behind a request, by cookie or bearer token, and the secret of a link."""

import asyncio
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from sanssouci.locale import UserError
from sanssouci.store import GuestRow, SeeGuest, TokenKind

from ..limits.rate_limits import Limit, RateLimited, rate_limit_key
from ..middleware.client_info import client_info
from ..middleware.errors import language_of
from ..middleware.origin_check import COOKIE
from ..services import Served, Services
from .tokens import looks_like_token, token_hash

KEY_HEADER = "x-sanssouci-key"
"""The header that carries the secret of a link, which never appears in a URL path."""
SEEN_INTERVAL = 86_400.0
"""Seconds between two updates of a guest's ``seen_at``."""


class NotAGuest(UserError):
    """The request needs a guest: the client has to choose a name first."""

    def __init__(self) -> None:
        super().__init__("server.no_guest")


@dataclass(frozen=True, slots=True)
class Principal:
    """The authenticated client of a request."""

    address: str
    language: str
    guest: GuestRow | None
    key: str | None
    """The secret of a link."""

    @property
    def client_key(self) -> str | None:
        """The key for rate limits per client, in addition to those per address.

        Many people may share a link, so without a guest it is the link together with the address.
        """
        if self.guest is not None:
            return self.guest.id
        return token_hash(f"{self.key} {rate_limit_key(self.address)}") if self.key is not None else None

    def require_guest(self) -> GuestRow:
        """The guest, or ``NotAGuest``."""
        if self.guest is None:
            raise NotAGuest
        return self.guest


async def authenticate(connection: HTTPConnection, services: Served) -> Principal:
    """FastAPI dependency: the principal of a request."""
    headers, token = connection.headers, _guest_token(connection)
    guest = await asyncio.to_thread(_guest, services, token) if token is not None else None
    if guest is not None:
        _see(services, guest)
    key = headers.get(KEY_HEADER)
    return Principal(
        client_info(connection.scope).address,
        language_of(headers.get("accept-language", "")),
        guest,
        key if key is not None and looks_like_token(key) else None,
    )


CurrentUser = Annotated[Principal, Depends(authenticate)]


def check_rate(services: Services, principal: Principal, limit: Limit) -> None:
    """Count a request; ``RateLimited`` if the principal has exceeded the limit."""
    enforce_rate_limit(services, limit, principal.address, principal.client_key)


def enforce_rate_limit(services: Services, limit: Limit, address: str | None, client_key: str | None) -> None:
    """Count a request by address and client key; ``RateLimited`` if either exceeds the limit."""
    decision = services.limits.hit(limit, address, client_key)
    if not decision:
        services.metrics.limited(limit)
        raise RateLimited(decision.retry_after)


def _see(services: Services, guest: GuestRow) -> None:
    """Update ``seen_at`` once a day, without waiting for the write; a failed one is repeated by the next
    request.
    """
    now = services.registry.dependencies.now()
    if now - guest.seen_at >= SEEN_INTERVAL:
        services.store.write(SeeGuest(guest.id, now))


def _guest_token(connection: HTTPConnection) -> str | None:
    scheme, _, said = connection.headers.get("authorization", "").partition(" ")
    token = said.strip() if scheme.lower() == "bearer" else connection.cookies.get(COOKIE)
    return token if token is not None and looks_like_token(token) else None


def _guest(services: Services, token: str) -> GuestRow | None:
    row = services.store.token(token_hash(token))
    if row is None or row.kind is not TokenKind.GUEST or row.guest is None:
        return None
    return services.store.guest(row.guest)
