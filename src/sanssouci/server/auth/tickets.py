"""Tickets: short-lived, single-use credentials for opening a WebSocket.

Proxies log the URL of a WebSocket, so it must not contain a token. A ticket is issued over HTTP, is valid for
half a minute and opens one socket. Only its hash is kept: in memory, or in the store if other servers use
it too.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

from sanssouci.locale import UserError
from sanssouci.store import AddTicket, Conflict, Store, UseTicket

from .tokens import Token, looks_like_token, new_token, token_hash

TICKET_SECONDS = 30.0
"""Lifetime of a ticket."""

Claims = TypeVar("Claims")
"""What a ticket grants."""


class _IssuedTicket(NamedTuple, Generic[Claims]):
    claims: Claims
    expires_at: float


class Tickets(Generic[Claims]):
    """Unused tickets; ``now`` is always a reading of a monotonic clock."""

    def __init__(
        self,
        claimant: Callable[[Claims], Hashable],
        max_tickets: int = 10_000,
        max_per_claimant: int = 8,
        token: Callable[[], Token] = new_token,
    ) -> None:
        """Limit the open tickets overall and per claimant."""
        self._claimant = claimant
        self._max_tickets = max_tickets
        self._max_per_claimant = max_per_claimant
        self._token = token
        self._issued: dict[str, _IssuedTicket[Claims]] = {}
        self._by_claimant: dict[Hashable, deque[str]] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._issued)

    def issue(self, claims: Claims, now: float) -> str:
        """Issue a ticket; a claimant with too many loses the oldest. ``UserError`` if all slots are taken."""
        ticket = self._token().reveal()
        with self._lock:
            self._drop_expired(now)
            held = self._by_claimant.get(self._claimant(claims), deque())
            if len(held) >= self._max_per_claimant:
                self._take(held[0])
            if len(self._issued) >= self._max_tickets:
                raise UserError("request.too_many_tickets")
            key = token_hash(ticket)
            self._issued[key] = _IssuedTicket(claims, now + TICKET_SECONDS)
            self._by_claimant.setdefault(self._claimant(claims), deque()).append(key)
        return ticket

    def redeem(self, ticket: str, now: float) -> Claims | None:
        """The claims of a valid ticket, which is used up by this."""
        if not looks_like_token(ticket):
            return None
        with self._lock:
            issued = self._take(token_hash(ticket))
        return issued.claims if issued is not None and now < issued.expires_at else None

    def _take(self, key: str) -> _IssuedTicket[Claims] | None:
        issued = self._issued.pop(key, None)
        if issued is not None:
            claimant = self._claimant(issued.claims)
            self._by_claimant[claimant].remove(key)
            if not self._by_claimant[claimant]:
                del self._by_claimant[claimant]
        return issued

    def _drop_expired(self, now: float) -> None:
        while (
            self._issued and (oldest := next(iter(self._issued))) and self._issued[oldest].expires_at <= now
        ):
            self._take(oldest)


class StoredTickets:
    """Tickets that every server on the same store accepts; each is valid for one of them."""

    def __init__(self, store: Store, token: Callable[[], Token], now: Callable[[], float]) -> None:
        self._store, self._token, self._now = store, token, now

    async def issue(self, claims: str) -> str:
        ticket, now = self._token().reveal(), self._now()
        kept = AddTicket(token_hash(ticket), claims, now, now + TICKET_SECONDS)
        await asyncio.wrap_future(self._store.write(kept))
        return ticket

    async def redeem(self, ticket: str) -> str | None:
        if not looks_like_token(ticket):
            return None
        key = token_hash(ticket)
        claims = await asyncio.to_thread(self._store.ticket, key, self._now())
        if claims is None:
            return None
        try:
            await asyncio.wrap_future(self._store.write(UseTicket(key)))
        except Conflict:  # another server was quicker
            return None
        return claims
