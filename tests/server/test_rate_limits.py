"""Rate limits by token and by address, in bounded memory."""

import pytest
from limits import parse

from sanssouci.server.rate_limits import (
    DEFAULT_RATES,
    Limit,
    MovingWindows,
    RateLimiter,
    rate_limit_key,
    read_rates,
    write_rates,
)

from ..helpers import user_error


class Clock:
    """A clock that advances on demand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def allowed(limits: RateLimiter, limit: Limit, address: str, token: str | None, attempts: int) -> int:
    """How many of these attempts are allowed."""
    return sum(limits.hit(limit, address, token) == 0 for _ in range(attempts))


def test_a_token_is_limited_until_its_time_is_over() -> None:
    """A denied request gets the exact number of seconds to wait."""
    clock = Clock()
    limits = RateLimiter(read_rates("command=3/minute"), 10, clock)
    assert allowed(limits, Limit.COMMAND, "192.0.2.1", "ann", 3) == 3
    clock.now += 20.5
    assert limits.hit(Limit.COMMAND, "192.0.2.1", "ann") == 40
    clock.now += 39
    assert limits.hit(Limit.COMMAND, "192.0.2.1", "ann") == 1
    clock.now += 1
    assert limits.hit(Limit.COMMAND, "192.0.2.1", "ann") == 0


def test_the_window_is_moving() -> None:
    """In any interval of one minute no more requests are allowed than the rate."""
    clock = Clock()
    limits = RateLimiter(read_rates("join=4/minute"), 1, clock)
    granted = []
    for _ in range(400):
        if limits.hit(Limit.JOIN, "192.0.2.1") == 0:
            granted.append(clock.now)
        clock.now += 1.7
    assert len(granted) > 30
    assert all(later - sooner >= 60 for sooner, later in zip(granted, granted[4:], strict=False))


def test_addresses_have_a_multiple_of_the_token_limit() -> None:
    """An address is limited to a multiple of the rate, across tokens and without one."""
    limits = RateLimiter(read_rates("create=2/minute"), 3, Clock())
    assert [allowed(limits, Limit.CREATE, "192.0.2.1", name, 3) for name in "abcd"] == [2, 2, 2, 0]
    assert allowed(limits, Limit.CREATE, "192.0.2.2", "d", 3) == 2
    assert allowed(limits, Limit.CREATE, "192.0.2.3", None, 9) == 6, "without a token only the address counts"


def test_denied_requests_are_not_counted() -> None:
    """Requests denied by token count neither for the address nor towards the waiting time."""
    clock = Clock()
    limits = RateLimiter(read_rates("hint=1/minute"), 2, clock)
    assert allowed(limits, Limit.HINT, "192.0.2.1", "ann", 50) == 1
    assert limits.hit(Limit.HINT, "192.0.2.1", "bob") == 0
    clock.now += 60
    assert limits.hit(Limit.HINT, "192.0.2.1", "ann") == 0


def test_limits_are_independent() -> None:
    """Exhausting one limit does not affect another."""
    limits = RateLimiter(clock=Clock())
    assert allowed(limits, Limit.CREATE, "192.0.2.1", "ann", 100) == DEFAULT_RATES[Limit.CREATE].amount
    assert limits.hit(Limit.JOIN, "192.0.2.1", "ann") == 0


def test_a_rate_of_zero_denies_everything() -> None:
    """A rate of 0 denies every request for the whole period."""
    seconds = RateLimiter(read_rates("import=0/hour"), clock=Clock()).hit(Limit.IMPORT, "192.0.2.1", "ann")
    assert seconds == 3600


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_rate_limit_key(address: str, counted: str) -> None:
    """IPv6 addresses count by /64 network, IPv4 addresses each."""
    assert rate_limit_key(address) == counted


def test_memory_is_bounded() -> None:
    """The number of remembered hits is bounded, and an active address stays limited."""
    clock = Clock()
    limits = RateLimiter(read_rates("read=5/minute"), 1, clock, max_hits=100)
    assert allowed(limits, Limit.READ, "192.0.2.1", None, 5) == 5
    for number in range(5_000):
        assert limits.hit(Limit.READ, f"10.{number >> 8}.{number & 255}.1") == 0
        assert number % 20 or limits.hit(Limit.READ, "192.0.2.1") > 0
    assert len(limits._windows) <= 100 and len(limits._windows._hits) <= 100


def test_expired_hits_are_removed() -> None:
    """Expired hits are removed from memory."""
    clock = Clock()
    windows = MovingWindows(clock, 1000)
    for number in range(500):
        windows.add(str(number), parse("5/minute"))
    assert len(windows) == 500
    clock.now += 3600
    windows.add("last", parse("5/minute"))
    assert len(windows) == len(windows._hits) == 1


def test_rates_can_be_written_and_read() -> None:
    """Named rates replace the defaults, and written rates are read back."""
    rates = read_rates("command=600/minute, join = 1/second,hint=2/5 minute")
    assert rates[Limit.COMMAND] == parse("600/minute") and rates[Limit.JOIN] == parse("1/second")
    assert rates[Limit.READ] == DEFAULT_RATES[Limit.READ]
    assert read_rates(write_rates(rates)) == rates
    assert set(DEFAULT_RATES) == set(Limit)


@pytest.mark.parametrize(
    "text", ["", "command", "command=", "command=many", "chat=5/minute", "join=-1/minute"]
)
def test_invalid_rates_are_refused(text: str) -> None:
    """An invalid rate is a user error that lists the known names."""
    with user_error("settings.rate", known=", ".join(Limit)):
        read_rates(text)
