"""The soak test: games and sockets come and go for a long time, and the server's memory must not grow."""

import asyncio
from dataclasses import dataclass
from math import sqrt

import uvloop

from sanssouci.arena import t_quantile
from tests.harness.process import ServerProcess

from .figures import Progress
from .generator import TURNS, Generator, Stretch
from .tables import TableFactory
from .usage import Usage, usage_of

MIB = 1 << 20
HOUR = 3600.0
_INTERVAL = 1.0
"""Seconds between two measurements, and between two changes of watchers."""


@dataclass(frozen=True)
class SoakPlan:
    """The size and length of the soak."""

    games: int = 100
    rate: float = 60.0
    warm_up: float = 300.0
    seconds: float = 1200.0
    block: float = 60.0
    """Seconds that are averaged to one point, as nearby measurements are not independent."""


@dataclass(frozen=True)
class Growth:
    """A regression line through the memory after the warm-up."""

    points: int
    first: float
    last: float
    """MiB at both ends of the line."""
    slope: float
    bound: float
    """MiB per hour, and the upper end of its 95 % interval."""


@dataclass(frozen=True)
class Soak:
    """The results."""

    plan: SoakPlan
    stretch: Stretch
    memory: tuple[Usage, ...]
    growth: Growth


def measure_soak(server: ServerProcess, plan: SoakPlan, progress: Progress) -> Soak:
    return uvloop.run(_soak(server, plan, progress))


def growth(memory: list[Usage], block: float) -> Growth:
    """The growth of memory, by means over blocks of ``block`` seconds."""
    return _line(_means(memory, block))


async def _soak(server: ServerProcess, plan: SoakPlan, progress: Progress) -> Soak:
    factory = TableFactory(server.host)
    generator = Generator(server, factory)
    spares = 5 + plan.games // 4
    progress(f"preparing {plan.games} games")
    await generator.prepare(plan.games + spares)
    await generator.open(plan.games)
    await generator.scatter()
    memory: list[Usage] = []
    background = asyncio.create_task(_run_background(server, generator, spares, memory))
    progress(f"warming up for {plan.warm_up:.0f} s")
    await generator.run(plan.rate, plan.warm_up)
    warmed_up = len(memory)
    progress(f"{plan.rate:.0f} turns/s for {plan.seconds:.0f} s")
    stretch = await generator.run(plan.rate, plan.seconds)
    background.cancel()
    await asyncio.gather(background, return_exceptions=True)
    generator.close()
    return Soak(plan, stretch, tuple(memory), growth(memory[warmed_up:], plan.block))


async def _run_background(
    server: ServerProcess, generator: Generator, spares: int, memory: list[Usage]
) -> None:
    """Measure memory, prepare tables, and replace watchers."""
    number = 0
    while True:
        memory.append(usage_of(server.pid))
        number += TURNS
        await asyncio.gather(
            generator.prepare(spares), generator.change_watcher(number), asyncio.sleep(_INTERVAL)
        )


def _means(memory: list[Usage], block: float) -> list[tuple[float, float]]:
    """Hours since the start and mean MiB, for each complete block."""
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
    """Least squares, with the slope's interval by Student's t."""
    n = len(points)
    if n < 3:
        raise SystemExit("too short to measure growth")
    middle, level = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    spread = sum((x - middle) ** 2 for x, _ in points)
    slope = sum((x - middle) * (y - level) for x, y in points) / spread
    left = sum((y - level - slope * (x - middle)) ** 2 for x, y in points)
    margin = t_quantile(n - 2) * sqrt(left / (n - 2) / spread)
    ends = [level + slope * (x - middle) for x in (points[0][0], points[-1][0])]
    return Growth(n, ends[0], ends[1], slope, slope + margin)
