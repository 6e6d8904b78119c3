"""Limits on open WebSockets: in total, per address and per client; and on spectators per table."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from sanssouci.store import Unavailable

from ..tables.live_table import LiveTable
from .quotas import QuotaExceeded
from .rate_limits import rate_limit_key

ADDRESS_SHARE = 4
"""One address may take at most a fourth of a table's spectator slots."""


class SocketLimits:
    """Counts open sockets; for the tasks of one event loop."""

    def __init__(self, max_sockets: int, max_per_client: int, address_factor: int) -> None:
        """Limit sockets in total and per client; an address may have as many as several clients."""
        self._max_sockets = max_sockets
        self._max_per_client = max_per_client
        self._max_per_address = max_per_client * address_factor
        self._by_address: Counter[str] = Counter()
        self._by_client: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._by_address.total()

    @contextmanager
    def track_address(self, address: str) -> Iterator[None]:
        """Count a socket while it is open; ``Unavailable`` if there are too many."""
        address = rate_limit_key(address)
        if len(self) >= self._max_sockets or self._by_address[address] >= self._max_per_address:
            raise Unavailable("server.too_many_sockets")
        with _one_more(self._by_address, address):
            yield

    @contextmanager
    def track_client(self, client_key: str) -> Iterator[None]:
        """Count a client's socket while it is open; ``QuotaExceeded`` if there are too many."""
        self.check(client_key)
        with _one_more(self._by_client, client_key):
            yield

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


@contextmanager
def _one_more(counter: "Counter[str]", name: str) -> Iterator[None]:
    counter[name] += 1
    try:
        yield
    finally:
        counter[name] -= 1
        if not counter[name]:
            del counter[name]
