"""The crowd: how many sockets are open, of all together, of each address and of each who asks."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from sanssouci.store import Unavailable

from ..tables.live_table import LiveTable
from .quotas import Full
from .rate_limits import rate_limit_key

PARTS = 4
"""One address gets one of so many parts of the places of a table's watchers."""


class SocketLimits:
    """Counts sockets; for the tasks of one event loop."""

    def __init__(self, most: int, most_each: int, address_factor: int) -> None:
        """So many of all, of one guest, and from one address as many as so many guests may have."""
        self._most = most
        self._most_each = most_each
        self._most_here = most_each * address_factor
        self._from: Counter[str] = Counter()
        self._of: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._from.total()

    @contextmanager
    def counted(self, address: str) -> Iterator[None]:
        """A socket is open inside; ``Unavailable`` if there is no room for another."""
        address = rate_limit_key(address)
        if len(self) >= self._most or self._from[address] >= self._most_here:
            raise Unavailable("server.too_many_sockets")
        with _one_more(self._from, address):
            yield

    @contextmanager
    def known(self, asker: str) -> Iterator[None]:
        """It is known inside whose socket it is; ``Full`` if that one has enough."""
        self.check(asker)
        with _one_more(self._of, asker):
            yield

    def check(self, asker: str) -> None:
        """``Full`` if somebody has as many as one may have."""
        if self._of[asker] >= self._most_each:
            raise Full("server.too_many_own_sockets", most=self._most_each)


def check_watchers(live_table: LiveTable, most: int, address: str) -> None:
    """``Full`` if as many watch a table as may, of all together or from one address: a quarter of them."""
    watching = [
        rate_limit_key(subscriber.address) for subscriber in live_table.subscribers if subscriber.watches
    ]
    if len(watching) >= most:
        raise Full("server.too_many_watchers", most=most)
    here = max(most // PARTS, 1)
    if watching.count(rate_limit_key(address)) >= here:
        raise Full("server.too_many_watchers_here", most=here)


@contextmanager
def _one_more(counter: "Counter[str]", name: str) -> Iterator[None]:
    counter[name] += 1
    try:
        yield
    finally:
        counter[name] -= 1
        if not counter[name]:
            del counter[name]
