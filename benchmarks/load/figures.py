"""Measures load, step by step."""

from collections.abc import Callable
from dataclasses import dataclass

import uvloop

from tests.harness.process import ServerProcess

from .games import SOCKETS
from .generator import TURNS, Generator, Stretch
from .tables import TableFactory
from .usage import usage_of

KIB = 1024
MAX_WAIT = 0.100
"""Seconds that 99 % of all events may take at the highest rate."""
_STEP, _CLOSE, _MIN_RATE = 1.25, 1.07, 10.0
"""Rates change by a factor, until a good and a bad one are close, or the rate is very low."""
_TRUSTED_LAG, _TRUSTED_SHARE = 0.010, 0.9
"""If the lag or CPU share of the generator is higher, the generator is the bottleneck."""
Progress = Callable[[str], None]
"""Called with the current step."""


@dataclass(frozen=True)
class Plan:
    """The size of the load test."""

    games: int = 500
    sockets_per_game: int = SOCKETS
    rate: float = 300.0
    seconds: float = 60.0
    step_seconds: float = 10.0
    """Seconds at each of the other rates; 0 skips them."""

    @property
    def sockets(self) -> int:
        return self.games * self.sockets_per_game


@dataclass(frozen=True)
class Load:
    """The results."""

    plan: Plan
    memory_before: int
    """Bytes of the server with all tables and no socket."""
    memory_after: int
    """Bytes with all sockets."""
    at_rate: Stretch
    steps: tuple[Stretch, ...]

    @property
    def kib_per_socket(self) -> float:
        """The server's memory per socket."""
        return (self.memory_after - self.memory_before) / KIB / self.plan.sockets

    @property
    def highest(self) -> Stretch | None:
        """The highest rate at which events arrive in time."""
        good = [stretch for stretch in (self.at_rate, *self.steps) if is_good(stretch)]
        return max(good, key=lambda stretch: stretch.rate, default=None)


def is_good(stretch: Stretch) -> bool:
    """Whether 99 % of all events arrived in time."""
    return stretch.wait(0.99) <= MAX_WAIT


def is_doubtful(stretch: Stretch) -> bool:
    """Whether the generator rather than the server may have been the bottleneck."""
    return stretch.lag > _TRUSTED_LAG or stretch.shares[1] > _TRUSTED_SHARE


def measure_load(server: ServerProcess, plan: Plan, progress: Progress) -> Load:
    return uvloop.run(_load(server, plan, progress))


async def _load(server: ServerProcess, plan: Plan, progress: Progress) -> Load:
    factory = TableFactory(server.host)
    generator = Generator(server, factory, plan.sockets_per_game)
    progress(f"preparing {plan.games} tables")
    await generator.prepare(plan.games)
    before = usage_of(server.pid).memory
    progress(f"opening {plan.sockets} sockets")
    await generator.open(plan.games)
    after = usage_of(server.pid).memory
    progress("playing all games to different turns")
    await generator.scatter()
    at_rate = await _stretch(generator, plan, plan.rate, plan.seconds, progress)
    steps = await _search(generator, plan, at_rate, progress) if plan.step_seconds else []
    generator.close()
    return Load(plan, before, after, at_rate, tuple(steps))


async def _stretch(
    generator: Generator, plan: Plan, rate: float, seconds: float, progress: Progress
) -> Stretch:
    """Play at a rate, with enough tables prepared to replace finished games."""
    await generator.prepare(2 + int(rate * seconds / TURNS) + plan.games // 10)
    progress(f"{rate:.0f} turns/s for {seconds:.0f} s")
    return await generator.run(rate, seconds)


async def _search(generator: Generator, plan: Plan, first: Stretch, progress: Progress) -> list[Stretch]:
    """Search the highest good rate: up or down in steps, then by bisection."""
    steps: list[Stretch] = []
    while (rate := next_rate([first, *steps])) is not None:
        steps.append(await _stretch(generator, plan, rate, plan.step_seconds, progress))
    return steps


def next_rate(measured: list[Stretch]) -> float | None:
    """The rate to try next, or None if the highest good one is known well enough."""
    good = max((stretch.rate for stretch in measured if is_good(stretch)), default=None)
    bad = min((stretch.rate for stretch in measured if not is_good(stretch)), default=None)
    if bad is None:
        assert good is not None, "at least one rate was measured"
        return good * _STEP
    if good is None:
        return bad / _STEP if bad > _MIN_RATE else None
    return (good + bad) / 2 if bad / good > _CLOSE else None
