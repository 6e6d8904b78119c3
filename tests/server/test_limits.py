"""Limits: so often and not oftener, by token and by address, in a bounded memory."""

import pytest
from limits import parse
from limits.strategies import MovingWindowRateLimiter

from sanssouci.locale import UserError
from sanssouci.server.limits.moving_windows import MovingWindows
from sanssouci.server.limits.rate_limits import (
    DEFAULT_RATES,
    Limit,
    RateDecision,
    RateLimiter,
    rate_limit_key,
    read_rates,
    write_rates,
)


class Clock:
    """Goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def allowed(limits: RateLimiter, bucket: Limit, address: str, token: str | None, tries: int) -> int:
    """How many of so many tries are allowed."""
    return sum(bool(limits.hit(bucket, address, token)) for _ in range(tries))


def test_a_token_may_so_often_and_then_waits() -> None:
    """The verdict says how long, and after that long it is true."""
    clock = Clock()
    limits = RateLimiter(read_rates("command=3/minute"), 10, clock)
    assert allowed(limits, Limit.COMMAND, "192.0.2.1", "ann", 3) == 3
    clock.now += 20.5
    assert limits.hit(Limit.COMMAND, "192.0.2.1", "ann") == RateDecision(False, 40)
    clock.now += 39
    assert not limits.hit(Limit.COMMAND, "192.0.2.1", "ann")
    clock.now += 1
    assert limits.hit(Limit.COMMAND, "192.0.2.1", "ann")


def test_the_window_moves() -> None:
    """In no minute, wherever it begins, is more allowed than the rate says."""
    clock = Clock()
    limits = RateLimiter(read_rates("join=4/minute"), 1, clock)
    granted = []
    for _ in range(400):
        if limits.hit(Limit.JOIN, "192.0.2.1"):
            granted.append(clock.now)
        clock.now += 1.7
    assert len(granted) > 30
    assert all(later - sooner >= 60 for sooner, later in zip(granted, granted[4:], strict=False))


def test_an_address_may_as_often_as_some_tokens() -> None:
    """Then nobody behind it may, while another address goes on."""
    limits = RateLimiter(read_rates("create=2/minute"), 3, Clock())
    assert [allowed(limits, Limit.CREATE, "192.0.2.1", name, 3) for name in "abcd"] == [2, 2, 2, 0]
    assert allowed(limits, Limit.CREATE, "192.0.2.2", "d", 3) == 2
    assert allowed(limits, Limit.CREATE, "192.0.2.3", None, 9) == 6, "without a token by address alone"


def test_a_denial_counts_against_nobody() -> None:
    """Who is denied by token does not use up the address, and knocking does not make it longer."""
    clock = Clock()
    limits = RateLimiter(read_rates("hint=1/minute"), 2, clock)
    assert allowed(limits, Limit.HINT, "192.0.2.1", "ann", 50) == 1
    assert limits.hit(Limit.HINT, "192.0.2.1", "bob")
    clock.now += 60
    assert limits.hit(Limit.HINT, "192.0.2.1", "ann")


def test_buckets_do_not_share() -> None:
    """Who may not create any more may still join."""
    limits = RateLimiter(clock=Clock())
    assert allowed(limits, Limit.CREATE, "192.0.2.1", "ann", 100) == DEFAULT_RATES[Limit.CREATE].amount
    assert limits.hit(Limit.JOIN, "192.0.2.1", "ann")


def test_a_rate_of_none_closes_a_bucket() -> None:
    """A host who wants no imports says so."""
    verdict = RateLimiter(read_rates("import=0/hour"), clock=Clock()).hit(Limit.IMPORT, "192.0.2.1", "ann")
    assert verdict == RateDecision(False, 3600)


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
def test_what_an_address_counts_as(address: str, counted: str) -> None:
    """A household has a /64 of IPv6, and one address of IPv4."""
    assert rate_limit_key(address) == counted


def test_memory_is_bounded() -> None:
    """However many ask, so many moments are held; who asks all the time stays counted."""
    clock = Clock()
    limits = RateLimiter(read_rates("read=5/minute"), 1, clock, max_hits=100)
    assert allowed(limits, Limit.READ, "192.0.2.1", None, 5) == 5
    for number in range(5_000):
        assert limits.hit(Limit.READ, f"10.{number >> 8}.{number & 255}.1")
        assert number % 20 or not limits.hit(Limit.READ, "192.0.2.1")
    assert len(limits._windows) <= 100 and len(limits._windows._hits) <= 100


def test_what_counts_no_more_is_forgotten() -> None:
    """An hour later only the last who asked is remembered."""
    clock = Clock()
    windows = MovingWindows(clock, 1000)
    limiter = MovingWindowRateLimiter(windows)
    for number in range(500):
        assert limiter.hit(parse("5/minute"), str(number))
    assert len(windows) == 500
    clock.now += 3600
    assert limiter.hit(parse("5/minute"), "last")
    assert len(windows) == len(windows._hits) == 1
    windows.clear(parse("5/minute").key_for("last"))
    assert len(windows) == 0 and windows.reset() == 0


def test_rates_are_written_as_they_are_read() -> None:
    """What is named changes, the others stay."""
    rates = read_rates("command=600/minute, join = 1/second,hint=2/5 minute")
    assert rates[Limit.COMMAND] == parse("600/minute") and rates[Limit.JOIN] == parse("1/second")
    assert rates[Limit.READ] == DEFAULT_RATES[Limit.READ]
    assert read_rates(write_rates(rates)) == rates
    assert set(DEFAULT_RATES) == set(Limit)


@pytest.mark.parametrize(
    "text", ["", "command", "command=", "command=many", "chat=5/minute", "join=-1/minute"]
)
def test_what_is_no_rate_is_told(text: str) -> None:
    """With the names that there are."""
    with pytest.raises(UserError, match="create, join, guest"):
        read_rates(text)
