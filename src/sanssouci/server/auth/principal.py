"""Authentication: the guest behind a request, by cookie or bearer token, and the secret of a link."""

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends
from starlette.requests import HTTPConnection

from sanssouci.locale import UserError
from sanssouci.store import GuestRow, SeeGuest, TokenKind

from ..middleware.client_info import client_info
from ..middleware.errors import language_of
from ..middleware.origin_check import COOKIE
from ..rate_limits import DailyQuotaExceeded, Limit, RateLimited, rate_limit_key
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


def rate_limited(limit: Limit, *, by_address: bool = True) -> Any:
    """FastAPI dependency: counts a request of a route, or raises ``RateLimited``.

    The middleware has already counted uploads by address.
    """

    async def count(services: Served, principal: CurrentUser) -> None:
        address = principal.address if by_address else None
        await enforce_rate_limit(services, limit, address, principal.client_key)

    return Depends(count)


async def enforce_rate_limit(
    services: Services, limit: Limit, address: str | None, client_key: str | None
) -> None:
    """Count a request by address and client key; ``RateLimited`` if either exceeds a limit."""
    try:
        await services.limits.enforce(limit, address, client_key)
    except RateLimited as error:
        if not isinstance(error, DailyQuotaExceeded):
            services.metrics.limited(limit)
        raise


def _see(services: Services, guest: GuestRow) -> None:
    """Update ``seen_at`` once a day, without waiting for the write; a failed one is repeated by the next
    request.
    """
    now = services.registry.dependencies.now()
    if abs(now - guest.seen_at) >= SEEN_INTERVAL:  # it may be in the future if the clock was set back
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
