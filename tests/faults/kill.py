"""kill -9 under load: a server is killed again and again while games are played on it.

::

    start --> all play --> kill --> start --> all come back, and send again what was not answered --> a turn
                ^                                                                                      |
                +--------------------------------------------------------------------------------------+

Run as ``python -m tests.faults.kill --cycles 200 --games 100``.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import uvloop

from sanssouci.dealer import BulkStream, Stream

from ..share import Share
from .audit import Findings, audit
from .fault import Fault, Progress
from .guest import Guest, Sitter, World
from .planted import Plant
from .served import Served
from .table import Row, write_table

TEST = "kill -9 under load"
GOAL = "200 cycles, 100 games: 0 lost, 0 twice, 0 gaps; first turn ≤ 2 s after restart"
CYCLES, GAMES = 200, 100
FEW = 5
"""Kills of a server with a planted fault."""
SOON = 2.0
"""Seconds after a restart within which somebody's turn is acknowledged."""
LONGEST = 1500
"""Milliseconds from there to the next kill, at most."""
EARLY = 10
"""One server in so many is killed while it starts, before it can answer anybody."""
PATIENCE = 60.0
"""Seconds after which a server that answers nobody is given up."""
_LOOK = 0.05


@dataclass
class Report:
    """What came of all the kills."""

    cycles: int
    games: int
    acknowledged: int = 0
    repeated: int = 0
    """Those of them that had been carried out by a server that could not say so any more."""
    finished: int = 0
    first: list[float] = field(default_factory=list)
    """Seconds from each restart to the first acknowledgement."""
    used: list[float] = field(default_factory=list)
    """Seconds of a core that the server had used by then: what of the others is its own doing."""
    findings: Findings = field(default_factory=Findings)
    user_errors: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong, however long it took."""
        return not self.findings and not self.user_errors

    def row(self, timed: bool = True) -> Row:
        """The row of the table; how long restarts took is judged if it is ``timed``."""
        measured = (
            f"{self.findings}, {len(self.user_errors)} wrong answers, of {self.acknowledged:,} acknowledged "
            f"({self.repeated:,} repeated) in {self.games} concurrent games ({self.finished:,} finished); "
            f"first turn after {median(self.first):.2f} s (median), {max(self.first):.2f} s (longest), "
            f"for which the server used {median(self.used):.2f} s of a core (median)"
        )
        soon = not timed or max(self.first) <= SOON
        return Row(TEST, self.cycles, measured, GOAL, self.sound and soon)


class Crowd:
    """Pairs of people who play one game after the other."""

    def __init__(self, world: World, chance: Stream) -> None:
        self.world = world
        self.sitters: list[Sitter] = []
        self.finished = 0
        self.all_play = asyncio.Event()
        """Set when the last pair has sat down for the first time."""
        self._chance = chance
        self._tasks: list[asyncio.Task[None]] = []

    @asynccontextmanager
    async def playing(self, games: int) -> AsyncIterator[None]:
        """So many games at a time, until it ends; whoever stumbles then is heard."""
        self._tasks = [asyncio.create_task(self._play_on(number)) for number in range(games)]
        try:
            yield
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def wait_for(self, news: asyncio.Event) -> None:
        """Wait for something; what a pair stumbles over meanwhile is raised."""
        waiting = asyncio.create_task(news.wait())
        done, _ = await asyncio.wait(
            {waiting, *self._tasks}, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED
        )
        waiting.cancel()
        for task in done:
            task.result()
        if not done:
            raise TimeoutError("the server answers nobody")

    async def _play_on(self, number: int) -> None:
        ada, ben = [await Guest.arrive(self.world, f"{name} {number}") for name in ("Ada", "Ben")]
        try:
            while True:
                await self._play(await self._sit_down(ada, ben))
        finally:
            ada.leave()
            ben.leave()

    async def _play(self, sitters: list[Sitter]) -> None:
        self.sitters += sitters
        if len(self.sitters) == 2 * len(self._tasks):
            self.all_play.set()
        await asyncio.gather(*(sitter.play() for sitter in sitters))
        self.finished += 1

    async def _sit_down(self, ada: Guest, ben: Guest) -> list[Sitter]:
        """A table of one, the other takes the second chair; that may have happened before a kill."""
        expansions = [name for name in ("rewards", "wild_boar") if self._chance.below(2)]
        wanted = {
            "chairs": [{"sitter": "person"}, {"sitter": "open"}],
            "edition": "imperial",
            "expansions": expansions,
        }
        made = (await ada.ask("POST", "/api/tables", wanted)).json()
        path = f"/api/tables/{made['table']}"
        await ben.ask("POST", f"{path}/seats", {"chair": 1}, key=made["join"])
        return [Sitter(ada, made["table"], 0), Sitter(ben, made["table"], 1)]


class Killing:
    """A server, those who play on it, and the one who kills it."""

    def __init__(self, served: Served, world: World, socket_limits: Crowd, chance: Stream) -> None:
        self._served = served
        self._world = world
        self._crowd = socket_limits
        self._chance = chance
        self._first = asyncio.Event()
        self._answered_at = self._used = 0.0
        world.answered = self._note

    async def begin(self) -> None:
        """The first start, until everyone plays."""
        await self._start()
        await self._crowd.wait_for(self._crowd.all_play)

    async def cycle(self) -> tuple[float, float]:
        """From a kill to the first acknowledgement after it: seconds since the new start, and of a core."""
        await asyncio.sleep(self._chance.below(LONGEST) / 1000)
        if self._served.plant is not Plant.NOTHING:
            await self._aim()
        self._kill()
        if self._chance.below(EARLY) == 0:
            self._served.start()
            await asyncio.sleep(self._chance.below(1000) / 1000)
            self._served.kill()
        await self._start()
        await self._crowd.wait_for(self._first)
        return self._answered_at - self._served.started, self._used

    async def _aim(self) -> None:
        """Stop the server where a kill hurts: with a command kept that nobody was told of, or the reverse."""
        async with asyncio.timeout(PATIENCE):
            while True:
                self._served.pause()
                await asyncio.sleep(_LOOK)  # what it has said before that arrives meanwhile
                journal = self._world.journal
                told = {sent.command_id for sent in journal if sent.acknowledged is not None}
                kept = self._served.kept() & {sent.command_id for sent in journal}
                if told - kept if self._served.plant is Plant.TOO_EARLY else kept - told:
                    return
                self._served.resume()
                await asyncio.sleep(_LOOK)

    async def end(self) -> None:
        """Whoever had no answer at the last kill gets one; then nothing more is said."""
        waiting = [sent for sent in self._world.journal if not sent.answered]
        async with asyncio.timeout(PATIENCE):
            while not all(sent.answered for sent in waiting):
                await asyncio.sleep(_LOOK)
        self._kill()

    async def _start(self) -> None:
        self._first.clear()
        self._world.era += 1
        self._served.start()
        await self._served.opened()
        self._world.place = self._served.place
        self._world.open.set()

    def _note(self, era: int) -> None:
        if era == self._world.era and not self._first.is_set():
            self._answered_at, self._used = time.monotonic(), self._served.used()
            self._first.set()

    def _kill(self) -> None:
        self._world.open.clear()
        self._served.kill()


async def run(
    cycles: int,
    games: int,
    seed: int,
    folder: Path,
    plant: Plant,
    progress: Progress,
) -> Report:
    """Kill a server so often, with so many games on it."""
    chance, report = BulkStream(seed), Report(cycles, games)
    (folder / "data").mkdir()
    world = World(chance)
    socket_limits = Crowd(world, chance)
    with Served(folder / "data" / "tables.db", folder / "log", plant) as served:
        async with socket_limits.playing(games):
            killing = Killing(served, world, socket_limits, chance)
            await killing.begin()
            for number in range(1, cycles + 1):
                first, used = await killing.cycle()
                report.first.append(first)
                report.used.append(used)
                progress(
                    f"{number} of {cycles} kills, first turn after {first:.2f} s, {used:.2f} s of a core"
                )
            await killing.end()
    report.findings = audit(served.data, world.journal, socket_limits.sitters)
    report.findings.gaps += world.gaps
    report.user_errors = world.user_errors
    report.acknowledged = sum(sent.acknowledged is not None for sent in world.journal)
    report.repeated = sum(sent.repeated for sent in world.journal)
    report.finished = socket_limits.finished
    return report


def measure(
    cycles: int, games: int, seed: int, plant: Plant, progress: Progress = lambda text: None
) -> Report:
    """The same in a folder that is gone afterwards."""
    with TemporaryDirectory() as name, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(run(cycles, games, seed, Path(name), plant, progress))


def rows(progress: Progress, share: Share) -> list[Row]:
    """The server as it is; then, with fewer kills, the fault that must be seen."""
    report = measure(share.part(CYCLES), GAMES, share.seed, Plant.NOTHING, progress)
    early = measure(FEW, GAMES // 10, share.seed, Plant.TOO_EARLY, progress)
    seen = Row(
        f"{TEST}, planted: {Plant.TOO_EARLY}",
        FEW,
        str(early.findings),
        "loss is seen",
        bool(early.findings.lost),
    )
    return [report.row(timed=share.is_whole), seen]


FAULT = Fault("kill", TEST, GOAL, rows)


def main() -> int:
    """Print the row; 1 if something was lost or took too long."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.kill", description=__doc__)
    parser.add_argument("--cycles", type=int, default=CYCLES)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plant", type=Plant, choices=list(Plant), default=Plant.NOTHING)
    options = parser.parse_args()
    report = measure(
        options.cycles,
        options.games,
        options.seed,
        options.plant,
        lambda text: print(text, file=sys.stderr),
    )
    print(write_table([report.row()]))
    for text in (*report.findings.examples(), *report.user_errors[:5]):
        print(text, file=sys.stderr)
    return 0 if report.row().ok else 1


if __name__ == "__main__":
    sys.exit(main())
