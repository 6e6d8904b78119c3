"""Tickets: a WebSocket is opened with a ticket that was asked for over HTTP just before.

The address of a socket is seen by proxies and their logs, so no token stands in it. A ticket lives half a
minute and opens one socket; what is kept of it is its hash, in memory.
"""

from collections import deque
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

from sanssouci.locale import UserError

from .tokens import Token, looks_like_token, new_token, token_hash

SECONDS = 30.0
"""How long a ticket is good for."""

Claims = TypeVar("Claims")
"""What a ticket says of the one who has it."""


class _Stub(NamedTuple, Generic[Claims]):
    """What is kept of a ticket."""

    claims: Claims
    until: float


class Tickets(Generic[Claims]):
    """Tickets that were issued and not used yet; ``now`` is the reading of a clock that never goes back."""

    def __init__(
        self,
        claimant: Callable[[Claims], Hashable],
        most: int = 10_000,
        most_each: int = 8,
        token: Callable[[], Token] = new_token,
    ) -> None:
        """At most so many tickets are open at a time, overall and for each claimant."""
        self._claimant = claimant
        self._most = most
        self._most_each = most_each
        self._token = token
        self._stubs: dict[str, _Stub[Claims]] = {}
        self._of: dict[Hashable, deque[str]] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._stubs)

    def issue(self, claims: Claims, now: float) -> str:
        """A new ticket; a claimant with too many loses the oldest. ``UserError`` if there is no room."""
        ticket = self._token().reveal()
        with self._lock:
            self._forget_expired(now)
            held = self._of.get(self._claimant(claims), deque())
            if len(held) >= self._most_each:
                self._take(held[0])
            if len(self._stubs) >= self._most:
                raise UserError("request.too_many_tickets")
            self._keep(token_hash(ticket), _Stub(claims, now + SECONDS))
        return ticket

    def redeem(self, ticket: str, now: float) -> Claims | None:
        """What a ticket says; from then on it is used, whoever asked first."""
        if not looks_like_token(ticket):
            return None
        with self._lock:
            stub = self._take(token_hash(ticket))
        return stub.claims if stub is not None and now < stub.until else None

    def _keep(self, key: str, stub: _Stub[Claims]) -> None:
        self._stubs[key] = stub
        self._of.setdefault(self._claimant(stub.claims), deque()).append(key)

    def _take(self, key: str) -> _Stub[Claims] | None:
        stub = self._stubs.pop(key, None)
        if stub is not None:
            claimant = self._claimant(stub.claims)
            self._of[claimant].remove(key)
            if not self._of[claimant]:
                del self._of[claimant]
        return stub

    def _forget_expired(self, now: float) -> None:
        """They lie in the order in which they expire."""
        while self._stubs and (oldest := next(iter(self._stubs))) and self._stubs[oldest].until <= now:
            self._take(oldest)
