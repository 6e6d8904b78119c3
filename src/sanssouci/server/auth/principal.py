"""Who a request comes from: a guest, by cookie or bearer token, perhaps with the secret of a link."""

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
"""The header in which the secret of a link is sent; never in the address."""
SEEN_WITHIN = 86_400.0
"""Seconds within which it is kept once that a guest was here."""


class NotAGuest(UserError):
    """Somebody has to choose a name first."""

    def __init__(self) -> None:
        super().__init__("server.no_guest")


@dataclass(frozen=True, slots=True)
class Principal:
    """Somebody who asks."""

    address: str
    language: str
    guest: GuestRow | None
    key: str | None
    """The secret of a link."""

    @property
    def asker(self) -> str | None:
        """Whose rates count, beside those of the address.

        A link may be in many hands: who is no guest counts by the link and by the address it is used from.
        """
        if self.guest is not None:
            return self.guest.id
        return token_hash(f"{self.key} {rate_limit_key(self.address)}") if self.key is not None else None

    def known(self) -> GuestRow:
        """The guest, or ``NoGuest``."""
        if self.guest is None:
            raise NotAGuest
        return self.guest


async def authenticate(connection: HTTPConnection, services: Served) -> Principal:
    """Who asks, from the headers of a request."""
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


def check_rate(services: Services, principal: Principal, bucket: Limit) -> None:
    """``TooOften`` if this one has asked too often."""
    count(services, bucket, principal.address, principal.asker)


def count(services: Services, bucket: Limit, address: str | None, asker: str | None) -> None:
    """Count that somebody asks; ``TooOften`` if it is too often."""
    verdict = services.limits.ask(bucket, address, asker)
    if not verdict:
        services.metrics.limited(bucket)
        raise RateLimited(verdict.retry_after)


def _see(services: Services, guest: GuestRow) -> None:
    """Keep that a guest was here, once a day; nobody waits for it, and the next request makes up for it."""
    now = services.registry.dependencies.now()
    if now - guest.seen_at >= SEEN_WITHIN:
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
