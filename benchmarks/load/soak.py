"""The soak: games begin and end, sockets come and go, for a long time; the server's memory must not grow."""

import asyncio
from dataclasses import dataclass
from math import sqrt

import uvloop

from sanssouci.arena import t_quantile

from .figures import Tell
from .generator import TURNS, Generator, Stretch
from .host import Host, Usage
from .tables import Desk

MIB = 1 << 20
HOUR = 3600.0
_EVERY = 1.0
"""Seconds between two looks at the memory, and between two watchers who leave."""


@dataclass(frozen=True)
class SoakPlan:
    """How long, and how much."""

    games: int = 100
    rate: float = 60.0
    warm_up: float = 300.0
    seconds: float = 1200.0
    block: float = 60.0
    """Seconds whose mean is one point: what is measured in the same minute is not independent."""


@dataclass(frozen=True)
class Growth:
    """A line through the memory after the warm-up."""

    points: int
    first: float
    last: float
    """MiB at its ends."""
    slope: float
    bound: float
    """MiB an hour, and the upper end of its 95 % interval."""


@dataclass(frozen=True)
class Soak:
    """What came of it."""

    plan: SoakPlan
    stretch: Stretch
    memory: tuple[Usage, ...]
    growth: Growth


def measure_soak(host: Host, plan: SoakPlan, tell: Tell) -> Soak:
    """Play as planned."""
    return uvloop.run(_soak(host, plan, tell))


def growth(memory: list[Usage], block: float) -> Growth:
    """The growth of the memory, by means over blocks of so many seconds."""
    return _line(_means(memory, block))


async def _soak(host: Host, plan: SoakPlan, tell: Tell) -> Soak:
    desk = Desk(host.url)
    generator = Generator(host, desk)
    spares = 5 + plan.games // 4
    tell(f"preparing {plan.games} games")
    await generator.prepare(plan.games + spares)
    await generator.open(plan.games)
    await generator.scatter()
    memory: list[Usage] = []
    keeping = asyncio.create_task(_keep_going(host, generator, spares, memory))
    tell(f"warming up for {plan.warm_up:.0f} s")
    await generator.run(plan.rate, plan.warm_up)
    begun = len(memory)
    tell(f"{plan.rate:.0f} turns/s for {plan.seconds:.0f} s")
    stretch = await generator.run(plan.rate, plan.seconds)
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)
    generator.close()
    await desk.close()
    return Soak(plan, stretch, tuple(memory), growth(memory[begun:], plan.block))


async def _keep_going(host: Host, generator: Generator, spares: int, memory: list[Usage]) -> None:
    """Look at the memory, make tables ready, let watchers come and go."""
    number = 0
    while True:
        memory.append(host.usage())
        number += TURNS
        await asyncio.gather(
            generator.prepare(spares), generator.change_watcher(number), asyncio.sleep(_EVERY)
        )


def _means(memory: list[Usage], block: float) -> list[tuple[float, float]]:
    """Hours since the first, and MiB: the mean of each block that is whole."""
    blocks: dict[int, list[Usage]] = {}
    for usage in memory:
        blocks.setdefault(int((usage.at - memory[0].at) / block), []).append(usage)
    whole = [found for _, found in sorted(blocks.items())][:-1]
    return [
        (
            sum(usage.at - memory[0].at for usage in found) / len(found) / HOUR,
            sum(usage.memory for usage in found) / len(found) / MIB,
        )
        for found in whole
    ]


def _line(points: list[tuple[float, float]]) -> Growth:
    """Least squares, with the interval of the slope by Student's t."""
    n = len(points)
    if n < 3:
        raise SystemExit("that was too short to say anything")
    middle, level = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    spread = sum((x - middle) ** 2 for x, _ in points)
    slope = sum((x - middle) * (y - level) for x, y in points) / spread
    left = sum((y - level - slope * (x - middle)) ** 2 for x, y in points)
    exposure = t_quantile(n - 2) * sqrt(left / (n - 2) / spread)
    ends = [level + slope * (x - middle) for x in (points[0][0], points[-1][0])]
    return Growth(n, ends[0], ends[1], slope, slope + exposure)
