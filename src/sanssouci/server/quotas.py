"""Quotas: unfinished tables and seats per guest, open WebSockets, and spectators per table."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from weakref import WeakValueDictionary

import structlog

from sanssouci.cluster import NoSharedLimits, SharedLimits
from sanssouci.locale import UserError
from sanssouci.store import HeldGame, Store, Unavailable

from .ops.logs import ThrottledWarning
from .ops.metrics import Metrics
from .rate_limits import Clock, rate_limit_key
from .tables.live_table import OWNER, LiveTable

_log = structlog.stdlib.get_logger("sanssouci.server.quotas")


class QuotaExceeded(UserError):
    """A limit is reached; the user can free a slot."""


class Quotas:
    """Checks quotas against one store; for the tasks of one event loop."""

    def __init__(self, store: Store, tables: int, seats: int, shared: SharedLimits | None = None) -> None:
        self._shared = shared or NoSharedLimits()
        self._store = store
        self._tables = tables
        self._seats = seats
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def opening(
        self, guest: str, sits: bool = False, error_key: str = "server.too_many_tables"
    ) -> AsyncIterator[None]:
        """Hold the lock while opening a table (and sitting there, if ``sits``), or ``QuotaExceeded``."""
        async with self._lock(guest):
            games = await self._unfinished(guest)
            if sum(OWNER in held.chairs for held in games) >= self._tables:
                raise QuotaExceeded(error_key, most=self._tables)
            if sits:
                self._check_seats(_seated(games))
            yield

    @asynccontextmanager
    async def sitting(self, guest: str, table: str) -> AsyncIterator[None]:
        """Hold the guest's lock while sitting down; ``QuotaExceeded`` unless the guest sits there already."""
        async with self._lock(guest):
            self._check_seats(_seated(await self._unfinished(guest)) - {table})
            yield

    @asynccontextmanager
    async def leaving(self, guest: str) -> AsyncIterator[None]:
        """Hold the guest's lock, so the guest cannot open or join tables meanwhile."""
        async with self._lock(guest):
            yield

    @asynccontextmanager
    async def _lock(self, guest: str) -> AsyncIterator[None]:
        """One task at a time for each guest, at all servers."""
        async with self._locks.setdefault(guest, asyncio.Lock()), self._shared.lock(f"guest:{guest}"):
            yield

    def _check_seats(self, others: set[str]) -> None:
        if len(others) >= self._seats:
            raise QuotaExceeded("server.too_many_seats", most=self._seats)

    async def _unfinished(self, guest: str) -> list[HeldGame]:
        return await asyncio.to_thread(self._store.unfinished_games_of, guest)


def _seated(games: list[HeldGame]) -> set[str]:
    return {held.game.id for held in games if set(held.chairs) - {OWNER}}


ADDRESS_SHARE = 4
"""One address may take at most a fourth of a table's spectator slots."""


class SocketLimits:
    """Counts open sockets; for the tasks of one event loop."""

    def __init__(
        self, max_sockets: int, max_per_address: int, max_per_client: int, metrics: Metrics, clock: Clock
    ) -> None:
        """Limit sockets in total, per address and per client."""
        self._max_sockets = max_sockets
        self._max_per_address = max_per_address
        self._max_per_client = max_per_client
        self._metrics = metrics
        self._warning = ThrottledWarning(_log, "too_many_sockets", clock)
        self._by_address: Counter[str] = Counter()
        self._by_client: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._by_address.total()

    def track_address(self, address: str) -> "CountedSocket":
        """Counts a socket while it is open; ``Unavailable`` or ``QuotaExceeded`` if there are too many."""
        name = rate_limit_key(address)
        if len(self) >= self._max_sockets:
            self._refuse("sockets", address)
            raise Unavailable("server.too_many_sockets")
        if self._by_address[name] >= self._max_per_address:
            self._refuse("sockets_per_address", address)
            raise QuotaExceeded("server.too_many_sockets_here", most=self._max_per_address)
        return CountedSocket(self._by_address, name)

    def _refuse(self, limit: str, address: str) -> None:
        self._metrics.refused_sockets.labels(limit).inc()
        here = self._by_address[rate_limit_key(address)]
        self._warning.refuse(limit=limit, address=address, here=here, all=len(self))

    def track_client(self, client_key: str) -> "CountedSocket":
        """Counts a client's socket while it is open; ``QuotaExceeded`` if there are too many."""
        self.check(client_key)
        return CountedSocket(self._by_client, client_key)

    def check(self, client_key: str) -> None:
        """``QuotaExceeded`` if the client may not open another socket."""
        if self._by_client[client_key] >= self._max_per_client:
            raise QuotaExceeded("server.too_many_own_sockets", most=self._max_per_client)


def check_watchers(live_table: LiveTable, most: int, address: str) -> None:
    """``QuotaExceeded`` if a table has too many spectators, in total or from this address."""
    watching = [
        rate_limit_key(subscriber.address) for subscriber in live_table.subscribers if subscriber.watches
    ]
    if len(watching) >= most:
        raise QuotaExceeded("server.too_many_watchers", most=most)
    here = max(most // ADDRESS_SHARE, 1)
    if watching.count(rate_limit_key(address)) >= here:
        raise QuotaExceeded("server.too_many_watchers_here", most=here)


@dataclass(frozen=True, slots=True)
class CountedSocket:
    """A context in which a socket is counted. A generator would take 1 KiB for each socket."""

    counter: "Counter[str]"
    name: str

    def __enter__(self) -> None:
        self.counter[self.name] += 1

    def __exit__(self, *_: object) -> None:
        self.counter[self.name] -= 1
        if not self.counter[self.name]:
            del self.counter[self.name]
