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
_STEP = 1.25
_HALVINGS = 2
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
    steps = await _climb(generator, plan, tell) if plan.step_seconds and is_good(at_rate) else []
    generator.close()
    await desk.close()
    return Load(plan, before, after, at_rate, tuple(steps))


async def _stretch(generator: Generator, plan: Plan, rate: float, seconds: float, tell: Tell) -> Stretch:
    """Play at a rate; tables for the games that will end are made ready before."""
    await generator.prepare(2 + int(rate * seconds / TURNS) + plan.games // 10)
    tell(f"{rate:.0f} turns/s for {seconds:.0f} s")
    return await generator.run(rate, seconds)


async def _climb(generator: Generator, plan: Plan, tell: Tell) -> list[Stretch]:
    """Go up in steps until it is too much, then look closer between the last two."""
    steps: list[Stretch] = []
    good, rate, bad = plan.rate, plan.rate * _STEP, None
    for _ in range(100):
        steps.append(await _stretch(generator, plan, rate, plan.step_seconds, tell))
        if is_good(steps[-1]):
            good = rate
        else:
            bad = rate
        if bad is not None and bad / good < 1 + (_STEP - 1) / 2**_HALVINGS:
            break
        rate = good * _STEP if bad is None else (good + bad) / 2
    return steps
