"""Rate limits: a rate for each kind of request, per client (guest or link token) and per address.

An address may send as much as several clients, because a family or a school may share it. Clients without a
token are limited by address alone. An IPv6 address counts as its /64, the size of one household.
"""

import sys
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Mapping
from contextvars import ContextVar
from enum import StrEnum
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from math import ceil

from limits import RateLimitItem, parse

from sanssouci.cluster import LimitsUnavailable, NoSharedLimits, SharedLimits, Window
from sanssouci.locale import UserError

Clock = Callable[[], float]
"""Seconds, monotonic."""


class MovingWindows:
    """The times of recent hits by key, at most ``max_hits``; then the least recently used keys are dropped.

    The memory storage of ``limits`` has no bound and needs a thread, so only its notation of rates is used.
    """

    def __init__(self, clock: Clock, max_hits: int) -> None:
        self._clock = clock
        self._max_hits = max_hits
        self._hits: OrderedDict[Hashable, tuple[int, deque[float]]] = OrderedDict()
        """Per key: the length of the window, and the times of its hits, oldest first."""
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def retry_after(self, key: Hashable, rate: RateLimitItem) -> int:
        """Seconds until a hit fits into the window; 0 if it does now."""
        now, expiry = self._clock(), rate.get_expiry()
        times = self._in_window(key, expiry, now)
        if len(times) < rate.amount:
            return 0
        return max(1, ceil((times[0] if times else now) + expiry - now))

    def add(self, key: Hashable, rate: RateLimitItem) -> None:
        now, expiry = self._clock(), rate.get_expiry()
        times = self._in_window(key, expiry, now)
        times.append(now)
        self._size += 1
        self._hits[key] = (expiry, times)
        self._forget(now)

    def remove_last(self, key: Hashable) -> None:
        """Take the last hit back."""
        _, times = self._hits.get(key, (0, deque()))
        if times:
            times.pop()
            self._size -= 1

    def _in_window(self, key: Hashable, expiry: int, now: float) -> deque[float]:
        _, times = self._hits.get(key, (expiry, deque()))
        if times:
            self._hits.move_to_end(key)
        while times and times[0] <= now - expiry:
            times.popleft()
            self._size -= 1
        return times

    def _forget(self, now: float) -> None:
        """Drop keys whose hits have all expired, and the least recently used if there are too many."""
        while self._hits:
            expiry, times = next(iter(self._hits.values()))
            if times and times[-1] > now - expiry and self._size <= self._max_hits:
                return
            self._size -= len(times)
            self._hits.popitem(last=False)


class Limit(StrEnum):
    CREATE = "create"
    JOIN = "join"
    GUEST = "guest"
    COMMAND = "command"
    SOCKET = "socket"
    DIAL = "dial"
    HINT = "hint"
    IMPORT = "import"
    READ = "read"
    REQUEST = "request"
    """Every request, valid or not."""


PER_SERVER = frozenset({Limit.REQUEST})
"""Protects one server from too many requests; all others count for all servers together."""
BY_ADDRESS = frozenset({Limit.DIAL, Limit.REQUEST})
"""Counted by address alone, because they are checked before the token is read."""


Rates = Mapping[Limit, RateLimitItem]
"""Rates per client."""

DEFAULT_RATES: Rates = {
    Limit.CREATE: parse("10/minute"),
    Limit.JOIN: parse("20/minute"),
    Limit.GUEST: parse("5/minute"),
    Limit.COMMAND: parse("120/minute"),
    Limit.SOCKET: parse("30/minute"),
    Limit.DIAL: parse("60/minute"),
    Limit.HINT: parse("20/minute"),
    Limit.IMPORT: parse("20/minute"),
    Limit.READ: parse("300/minute"),
    Limit.REQUEST: parse("600/minute"),
}
ADDRESS_FACTOR = 8
"""By default an address may send as much as this many clients."""
_MAX_HITS = 500_000
"""Timestamps of all windows together: some 20 MiB."""


def read_rates(text: str) -> Rates:
    """Parse ``command=600/minute,join=1/second``; rates that are not named keep their defaults."""
    rates = {**DEFAULT_RATES}
    for part in text.split(","):
        name, _, rate = part.partition("=")
        try:
            rates[Limit(name.strip())] = parse(rate)
        except ValueError:
            raise UserError("settings.rate", text=part.strip(), known=", ".join(Limit)) from None
    return rates


def write_rates(rates: Rates) -> str:
    return ",".join(f"{limit}={_write_rate(rate)}" for limit, rate in rates.items())


def _write_rate(rate: RateLimitItem) -> str:
    unit = rate.GRANULARITY.name
    return f"{rate.amount}/{unit}" if rate.multiples == 1 else f"{rate.amount}/{rate.multiples} {unit}"


class RateLimited(UserError):
    def __init__(self, seconds: int) -> None:
        super().__init__("server.too_often", seconds=seconds)
        self.seconds = seconds


class DailyQuotaExceeded(RateLimited):
    """An address has added too much to the data file."""

    def __init__(self, seconds: int) -> None:
        UserError.__init__(self, "server.daily_quota", hours=ceil(seconds / 3600))
        self.seconds = seconds


current_address: ContextVar[str | None] = ContextVar("current_address", default=None)
"""The address whose request is being answered. Tasks inherit it, so turns of computer players count too."""
DAY = 86_400
_MAX_ADDRESSES = 50_000
_QUOTA_SHARES = {
    Limit.CREATE: 1,
    Limit.GUEST: 1,
    Limit.JOIN: 1,
    Limit.COMMAND: 2,
    Limit.IMPORT: 2,
}
"""The kinds of requests that store something. Games that have begun may go on for a second quota."""


class StorageQuota:
    """Counts the bytes that each address adds to the data file, in days that begin with its first write."""

    def __init__(self, max_bytes: int, clock: Clock = time.monotonic) -> None:
        self._max_bytes = max_bytes
        self._clock = clock
        self._added: OrderedDict[str, tuple[float, int]] = OrderedDict()
        """By address: when its day began, and the bytes since."""
        self._unreported: dict[str, int] = {}
        """By address: bytes that other servers have not been told about."""

    def add(self, size: int) -> None:
        """Count bytes that were stored for the current ``current_address``."""
        address = current_address.get()
        if address is None or size == 0:
            return
        address, now = rate_limit_key(address), self._clock()
        start, before = self._added.pop(address, (now, 0))
        self._added[address] = (start, before + size) if now < start + DAY else (now, size)
        self._unreported[address] = self._unreported.get(address, 0) + size
        if len(self._added) > _MAX_ADDRESSES:
            oldest, _ = self._added.popitem(last=False)
            self._unreported.pop(oldest, None)

    def check(self, limit: Limit, address: str) -> None:
        """``DailyQuotaExceeded`` if such a request may store nothing more today."""
        start, size = self._added.get(rate_limit_key(address), (0.0, 0))
        share = _QUOTA_SHARES.get(limit)
        left = start + DAY - self._clock()
        if share is not None and left > 0 and size >= share * self._max_bytes:
            raise DailyQuotaExceeded(ceil(left))

    def shared_window(self, limit: Limit, address: str) -> Window | None:
        """The window of an address for all servers, with the bytes added here since the last one."""
        if limit not in _QUOTA_SHARES or self._max_bytes == sys.maxsize:
            return None
        key = rate_limit_key(address)
        most = _QUOTA_SHARES[limit] * self._max_bytes
        return Window(f"stored:{key}", most, DAY, taken=0, used=self._unreported.pop(key, 0))

    def keep(self, address: str, window: Window) -> None:
        """Report the bytes of a window later, because it could not be sent."""
        key = rate_limit_key(address)
        self._unreported[key] = self._unreported.get(key, 0) + window.used


class RateLimiter:
    def __init__(
        self,
        rates: Rates = DEFAULT_RATES,
        address_factor: int = ADDRESS_FACTOR,
        clock: Clock = time.monotonic,
        storage: StorageQuota | None = None,
        max_hits: int = _MAX_HITS,
        shared: SharedLimits | None = None,
    ) -> None:
        self.storage = storage or StorageQuota(sys.maxsize)
        self.shared = shared or NoSharedLimits()
        self._is_alone = isinstance(self.shared, NoSharedLimits)
        self._windows = MovingWindows(clock, max_hits)
        self._token_rates = dict(rates)
        self._address_rates = {limit: _times(rate, address_factor) for limit, rate in rates.items()}

    async def enforce(self, limit: Limit, address: str | None, token_hash: str | None = None) -> None:
        """Count a request, here and at all servers; ``RateLimited`` or ``DailyQuotaExceeded``."""
        if address is not None:
            self.storage.check(limit, address)
        seconds = self.hit(limit, address, token_hash)
        if seconds:
            raise RateLimited(seconds)
        if not (self._is_alone or limit in PER_SERVER):
            await self._enforce_everywhere(limit, address, token_hash)

    def hit(self, limit: Limit, address: str | None, token_hash: str | None = None) -> int:
        """Count a request here and return 0, or the seconds until a retry; denied ones do not count.

        An address or token of None is not limited.
        """
        limits = self._limits(limit, address, token_hash)
        seconds = max((self._windows.retry_after(*each) for each in limits), default=0)
        if seconds == 0:
            for each in limits:
                self._windows.add(*each)
        return seconds

    def _limits(
        self, limit: Limit, address: str | None, token_hash: str | None
    ) -> list[tuple[tuple[str, ...], RateLimitItem]]:
        limits: list[tuple[tuple[str, ...], RateLimitItem]] = []
        if address is not None:
            limits.append(((limit, "address", rate_limit_key(address)), self._address_rates[limit]))
        if token_hash is not None:
            limits.append(((limit, "token", token_hash), self._token_rates[limit]))
        return limits

    async def _enforce_everywhere(self, limit: Limit, address: str | None, token_hash: str | None) -> None:
        """Ask the counters of all servers; a request that they deny does not count here either."""
        limits = self._limits(limit, address, token_hash)
        windows = [Window(":".join(key), rate.amount, rate.get_expiry()) for key, rate in limits]
        stored = None if address is None else self.storage.shared_window(limit, address)
        if stored is not None:
            windows.append(stored)
        try:
            denied = await self.shared.hit(windows)
        except LimitsUnavailable:
            if stored is not None and address is not None:
                self.storage.keep(address, stored)
            return
        if denied is None:
            return
        for key, _ in limits:
            self._windows.remove_last(key)
        raise (DailyQuotaExceeded if windows[denied.window] is stored else RateLimited)(denied.seconds)


def _times(rate: RateLimitItem, factor: int) -> RateLimitItem:
    return type(rate)(rate.amount * factor, rate.multiples, rate.namespace)


@lru_cache(maxsize=4096)
def rate_limit_key(address: str) -> str:
    """The key that an address is counted under: IPv6 by its /64."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{IPv6Address(int(found) >> 64 << 64)}/64"
