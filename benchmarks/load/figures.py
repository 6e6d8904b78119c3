"""What is measured under load, step by step."""

from collections.abc import Callable
from dataclasses import dataclass

import uvloop

from .games import SOCKETS
from .generator import TURNS, Generator, Stretch
from .host import Host
from .tables import Desk

KIB = 1024
PATIENCE = 0.100
"""Seconds: the highest rate is the one at which 99 % of all events take no longer."""
_STEP, _CLOSE, _LEAST = 1.25, 1.07, 10.0
"""Rates go up or down by a step, until a good and a bad one are close, or there is hardly any load left."""
_TRUSTED_LAG, _TRUSTED_SHARE = 0.010, 0.9
"""Where the generator is later, or takes more of its core, it is the generator that is measured."""
Tell = Callable[[str], None]
"""Is told what is done now."""


@dataclass(frozen=True)
class Plan:
    """How much is played."""

    games: int = 500
    rate: float = 300.0
    seconds: float = 60.0
    step_seconds: float = 10.0
    """At each of the higher rates; 0 leaves them out."""

    @property
    def sockets(self) -> int:
        """How many are open."""
        return self.games * SOCKETS


@dataclass(frozen=True)
class Load:
    """What came of it."""

    plan: Plan
    memory_before: int
    """Of the server with all tables and no socket, in bytes."""
    memory_after: int
    """With all sockets."""
    at_rate: Stretch
    steps: tuple[Stretch, ...]

    @property
    def kib_per_socket(self) -> float:
        """What a socket costs the server."""
        return (self.memory_after - self.memory_before) / KIB / self.plan.sockets

    @property
    def highest(self) -> Stretch | None:
        """The highest rate at which the others wait no longer than they should."""
        good = [stretch for stretch in (self.at_rate, *self.steps) if is_good(stretch)]
        return max(good, key=lambda stretch: stretch.rate, default=None)


def is_good(stretch: Stretch) -> bool:
    """Whether nearly everyone has heard of everything in time."""
    return stretch.wait(0.99) <= PATIENCE


def is_doubtful(stretch: Stretch) -> bool:
    """Whether the generator, and not the server, may be what was slow."""
    return stretch.lag > _TRUSTED_LAG or stretch.shares[1] > _TRUSTED_SHARE


def measure_load(host: Host, plan: Plan, tell: Tell) -> Load:
    """Play as planned."""
    return uvloop.run(_load(host, plan, tell))


async def _load(host: Host, plan: Plan, tell: Tell) -> Load:
    desk = Desk(host.url)
    generator = Generator(host, desk)
    tell(f"preparing {plan.games} tables")
    await generator.prepare(plan.games)
    before = host.usage().memory
    tell(f"opening {plan.sockets} sockets")
    await generator.open(plan.games)
    after = host.usage().memory
    tell("playing all games to different turns")
    await generator.scatter()
    at_rate = await _stretch(generator, plan, plan.rate, plan.seconds, tell)
    steps = await _search(generator, plan, at_rate, tell) if plan.step_seconds else []
    generator.close()
    await desk.close()
    return Load(plan, before, after, at_rate, tuple(steps))


async def _stretch(generator: Generator, plan: Plan, rate: float, seconds: float, tell: Tell) -> Stretch:
    """Play at a rate; tables for the games that will end are made ready before."""
    await generator.prepare(2 + int(rate * seconds / TURNS) + plan.games // 10)
    tell(f"{rate:.0f} turns/s for {seconds:.0f} s")
    return await generator.run(rate, seconds)


async def _search(generator: Generator, plan: Plan, first: Stretch, tell: Tell) -> list[Stretch]:
    """Go up in steps until it is too much, or down until it is not, then look closer between the two."""
    steps: list[Stretch] = []
    while (rate := next_rate([first, *steps])) is not None:
        steps.append(await _stretch(generator, plan, rate, plan.step_seconds, tell))
    return steps


def next_rate(tried: list[Stretch]) -> float | None:
    """The rate to try next; None if the highest good one is known well enough."""
    good = max((stretch.rate for stretch in tried if is_good(stretch)), default=None)
    bad = min((stretch.rate for stretch in tried if not is_good(stretch)), default=None)
    if bad is None:
        assert good is not None, "something was tried"
        return good * _STEP
    if good is None:
        return bad / _STEP if bad > _LEAST else None
    return (good + bad) / 2 if bad / good > _CLOSE else None
