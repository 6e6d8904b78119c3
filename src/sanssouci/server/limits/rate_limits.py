"""How often one may ask: a rate for each kind of request, per token and per address.

An address may ask as often as a few tokens, for a family or a school stands behind it; somebody without a
token counts by address alone. An IPv6 address counts as its /64, which is what one household has.
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
    """What is counted together."""

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
    """Any at all, well formed or not; counted by address alone."""


Rates = Mapping[Limit, RateLimitItem]
"""How often one token may ask."""

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
"""How many tokens' worth an address may ask, if nothing else is said."""
_MOST_MOMENTS = 500_000
"""What all windows hold together: some 20 MiB."""


def read_rates(text: str) -> Rates:
    """Rates that are written ``command=600/minute,join=1/second``; the others stay as they are."""
    rates = {**DEFAULT_RATES}
    for part in text.split(","):
        name, _, rate = part.partition("=")
        try:
            rates[Limit(name.strip())] = parse(rate)
        except ValueError:
            raise UserError("settings.rate", text=part.strip(), known=", ".join(Limit)) from None
    return rates


def write_rates(rates: Rates) -> str:
    """Rates as they can be read again."""
    return ",".join(f"{bucket}={_written(rate)}" for bucket, rate in rates.items())


def _written(rate: RateLimitItem) -> str:
    unit = rate.GRANULARITY.name
    return f"{rate.amount}/{unit}" if rate.multiples == 1 else f"{rate.amount}/{rate.multiples} {unit}"


@dataclass(frozen=True, slots=True)
class RateDecision:
    """Whether one may, and if not, after how many seconds one may try again."""

    allowed: bool
    retry_after: int = 0

    def __bool__(self) -> bool:
        return self.allowed


class RateLimited(UserError):
    """Somebody asks more often than the server allows."""

    def __init__(self, seconds: int) -> None:
        super().__init__("server.too_often", seconds=seconds)
        self.seconds = seconds


class RateLimiter:
    """Counts who asks for what."""

    def __init__(
        self,
        rates: Rates = DEFAULT_RATES,
        address_factor: int = ADDRESS_FACTOR,
        clock: Clock = time.monotonic,
        most: int = _MOST_MOMENTS,
    ) -> None:
        self._windows = MovingWindows(clock, most)
        self._limiter = MovingWindowRateLimiter(self._windows)
        self._clock = clock
        self._of_token = dict(rates)
        self._of_address = {bucket: _times(rate, address_factor) for bucket, rate in rates.items()}

    def ask(self, bucket: Limit, address: str | None, token_hash: str | None = None) -> RateDecision:
        """Whether this one may, now; a denial counts against nobody. Who is ``None`` is not asked about."""
        limits: list[tuple[RateLimitItem, tuple[str, ...]]] = []
        if address is not None:
            limits.append((self._of_address[bucket], (bucket, "address", rate_limit_key(address))))
        if token_hash is not None:
            limits.append((self._of_token[bucket], (bucket, "token", token_hash)))
        waits = [self._wait(rate, key) for rate, key in limits if not self._limiter.test(rate, *key)]
        if waits:
            return RateDecision(False, max(waits))
        for rate, key in limits:
            self._limiter.hit(rate, *key)
        return RateDecision(True)

    def _wait(self, rate: RateLimitItem, key: tuple[str, ...]) -> int:
        return max(1, ceil(self._limiter.get_window_stats(rate, *key).reset_time - self._clock()))


def _times(rate: RateLimitItem, factor: int) -> RateLimitItem:
    return type(rate)(rate.amount * factor, rate.multiples, rate.namespace)


@lru_cache(maxsize=4096)
def rate_limit_key(address: str) -> str:
    """What an address counts as."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{IPv6Address(int(found) >> 64 << 64)}/64"
