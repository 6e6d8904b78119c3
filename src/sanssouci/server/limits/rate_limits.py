"""Rate limits: a rate for each kind of request, per client (guest or link token) and per address.

An address may send as much as several clients, because a family or a school may share it. Clients without a
token are limited by address alone. An IPv6 address counts as its /64, the size of one household.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from math import ceil

from limits import RateLimitItem, parse
from limits.strategies import MovingWindowRateLimiter

from sanssouci.locale import UserError

from .moving_windows import Clock, MovingWindows


class Limit(StrEnum):
    """Kinds of requests that are counted together."""

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
    """Every request, valid or not; counted by address alone."""


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
    """Write rates so that ``read_rates`` can parse them."""
    return ",".join(f"{limit}={_write_rate(rate)}" for limit, rate in rates.items())


def _write_rate(rate: RateLimitItem) -> str:
    unit = rate.GRANULARITY.name
    return f"{rate.amount}/{unit}" if rate.multiples == 1 else f"{rate.amount}/{rate.multiples} {unit}"


@dataclass(frozen=True, slots=True)
class RateDecision:
    """Whether a request is allowed, and if not, the seconds until it may be retried."""

    allowed: bool
    retry_after: int = 0

    def __bool__(self) -> bool:
        return self.allowed


class RateLimited(UserError):
    """The client has exceeded a rate limit."""

    def __init__(self, seconds: int) -> None:
        super().__init__("server.too_often", seconds=seconds)
        self.seconds = seconds


class RateLimiter:
    def __init__(
        self,
        rates: Rates = DEFAULT_RATES,
        address_factor: int = ADDRESS_FACTOR,
        clock: Clock = time.monotonic,
        max_hits: int = _MAX_HITS,
    ) -> None:
        self._windows = MovingWindows(clock, max_hits)
        self._limiter = MovingWindowRateLimiter(self._windows)
        self._clock = clock
        self._token_rates = dict(rates)
        self._address_rates = {limit: _times(rate, address_factor) for limit, rate in rates.items()}

    def hit(self, limit: Limit, address: str | None, token_hash: str | None = None) -> RateDecision:
        """Count a request if it is within all limits; denied ones are not counted. None is not limited."""
        limits: list[tuple[RateLimitItem, tuple[str, ...]]] = []
        if address is not None:
            limits.append((self._address_rates[limit], (limit, "address", rate_limit_key(address))))
        if token_hash is not None:
            limits.append((self._token_rates[limit], (limit, "token", token_hash)))
        delays = [self._retry_after(rate, key) for rate, key in limits if not self._limiter.test(rate, *key)]
        if delays:
            return RateDecision(False, max(delays))
        for rate, key in limits:
            self._limiter.hit(rate, *key)
        return RateDecision(True)

    def _retry_after(self, rate: RateLimitItem, key: tuple[str, ...]) -> int:
        return max(1, ceil(self._limiter.get_window_stats(rate, *key).reset_time - self._clock()))


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
