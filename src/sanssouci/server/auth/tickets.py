"""Tickets: short-lived, single-use credentials for opening a WebSocket.

Proxies log the URL of a WebSocket, so it must not contain a token. A ticket is issued over HTTP, is valid for
half a minute and opens one socket. Only its hash is kept, in memory.
"""

from collections import deque
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

from sanssouci.locale import UserError

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
            self._add(token_hash(ticket), _IssuedTicket(claims, now + TICKET_SECONDS))
        return ticket

    def redeem(self, ticket: str, now: float) -> Claims | None:
        """The claims of a valid ticket, which is used up by this."""
        if not looks_like_token(ticket):
            return None
        with self._lock:
            issued = self._take(token_hash(ticket))
        return issued.claims if issued is not None and now < issued.expires_at else None

    def _add(self, key: str, issued: _IssuedTicket[Claims]) -> None:
        self._issued[key] = issued
        self._by_claimant.setdefault(self._claimant(issued.claims), deque()).append(key)

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
