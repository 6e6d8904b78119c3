"""A capacity plan from measured costs: ``python -m benchmarks.capacity --games 1000000``.

Simulates two days of arrivals and reports the second, when games of the evening before are running. Games
start by a daily curve and last as long as people think. The costs are those of docs/scaling.md. The same seed
gives the same numbers.
"""

import argparse
from dataclasses import dataclass
from math import ceil, cos, log, pi, sqrt

from sanssouci.dealer import BulkStream, Stream

DAY, STEP = 86_400, 60
"""Seconds of a day, and of a step of the simulation."""
PEAK_HOUR, CURVE = 20, 0.8
"""Hour with the most arrivals; by how much it is above the mean, and the quietest hour below it."""


@dataclass(frozen=True)
class Costs:
    """Measured costs; docs/scaling.md says how."""

    commands: int = 42
    """Commands of a game of two, with getting ready and choosing sides."""
    turn: float = 0.0051
    """Seconds of a server's core for a command, on PostgreSQL with Redis, routed by table."""
    database: float = 0.0011
    """Seconds of a core of PostgreSQL for a command."""
    thinking: float = 0.23
    """Seconds of a worker's core for a turn of a computer player: level:4 and level:5 in equal parts."""
    socket: int = 30 * 1024
    """Bytes of a server's memory for a socket."""
    table: int = 66 * 1024
    """Bytes of a server's memory for a game."""
    stored: int = 38_000
    """Bytes of a game in PostgreSQL, with indexes."""
    archived: int = 3_000
    """Bytes of a finished game in a compressed archive."""


@dataclass(frozen=True)
class Audience:
    games: int
    """Games that start on a day."""
    minutes: float = 20.0
    """Mean length of a game; a third take half as long, and a third half as long again."""
    computers: float = 0.7
    """Share of games against a computer player, with one socket; the others have two."""


@dataclass(frozen=True)
class Peak:
    """The highest value of each figure on the second day."""

    games_an_hour: float = 0.0
    concurrent: float = 0.0
    commands: float = 0.0
    """A second."""
    thinking: float = 0.0
    """Cores of workers that think."""
    sockets: float = 0.0


def arrivals(second: int, games: int) -> float:
    """Mean number of games that start in a step."""
    hour = (second % DAY) / 3600
    return games * STEP / DAY * (1 + CURVE * cos(2 * pi * (hour - PEAK_HOUR) / 24))


def around(mean: float, stream: Stream) -> int:
    """A random number of arrivals: the normal approximation of a Poisson distribution."""
    uniform, angle = ((1 + stream.below(1 << 30)) / (1 << 30) for _ in range(2))
    return max(0, round(mean + sqrt(mean) * sqrt(-2 * log(uniform)) * cos(2 * pi * angle)))


def simulate(audience: Audience, costs: Costs, seed: int) -> Peak:
    stream, lengths = BulkStream(seed), (0.5, 1.0, 1.5)
    ending: dict[int, float] = {}
    concurrent, peak, started = 0.0, Peak(), [0]
    for second in range(0, 2 * DAY, STEP):
        new = around(arrivals(second, audience.games), stream)
        started.append(new)
        concurrent += new - ending.pop(second, 0.0)
        for length in lengths:
            end = second + max(1, round(length * audience.minutes)) * 60
            ending[end] = ending.get(end, 0.0) + new / len(lengths)
        if second < DAY:
            continue
        commands = concurrent * costs.commands / (audience.minutes * 60)
        now = Peak(
            float(sum(started[-60:])),
            concurrent,
            commands,
            commands * audience.computers / 2 * costs.thinking,
            concurrent * (2 - audience.computers),
        )
        peak = Peak(*(max(pair) for pair in zip(vars(peak).values(), vars(now).values(), strict=True)))
    return peak


def report(audience: Audience, costs: Costs, peak: Peak, load: float) -> list[str]:
    """What the peak needs, if cores and memory are used up to ``load``."""
    servers = ceil(peak.commands * costs.turn / load)
    memory = (peak.sockets * costs.socket + peak.concurrent * costs.table) / 2**30
    day, archived = audience.games * costs.stored, audience.games * costs.archived
    return [
        f"{audience.games:,} games a day: {peak.games_an_hour:,.0f} start in the busiest hour",
        f"{peak.concurrent:,.0f} concurrent games, {peak.sockets:,.0f} sockets",
        f"{peak.commands:,.0f} commands a second: {peak.commands * costs.turn:.1f} cores,"
        f" so {servers} servers at {load:.0%}",
        f"PostgreSQL: {peak.commands * costs.database:.1f} cores, {9 * servers} connections",
        f"computer players: {peak.thinking:.1f} cores that think, so {ceil(peak.thinking / load)} workers",
        f"memory of all servers: {memory:.1f} GiB for games and sockets",
        f"storage: {day / 1e9:.0f} GB a day, {365 * day / 1e12:.1f} TB a year;"
        f" archived {365 * archived / 1e12:.1f} TB a year",
        f"rows: {audience.games * costs.commands / 1e6:.0f} million events a day",
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--computers", type=float, default=0.7)
    parser.add_argument("--load", type=float, default=0.6, help="how much of a core to use at the peak")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    crowd = Audience(options.games, options.minutes, options.computers)
    for line in report(crowd, Costs(), simulate(crowd, Costs(), options.seed), options.load):
        print(line)
