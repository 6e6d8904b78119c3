"""kill -9 under load: a server is killed repeatedly while games are played on it.

::

    start --> all play --> kill --> start --> all reconnect and resend unanswered commands --> a turn
                ^                                                                               |
                +-------------------------------------------------------------------------------+

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

from ..harness.process import ServerProcess
from ..share import Share
from ..store.builders import query
from .audit import Findings, audit
from .journal_clients import Journal, JournalledPlayer, PersistentClient
from .planted import Plant, planted_server
from .report import Fault, Progress, Row, write_table

TEST = "kill -9 under load"
GOAL = "200 cycles, 100 games: 0 lost, 0 twice, 0 gaps; first turn ≤ 2 s after restart"
CYCLES, GAMES = 200, 100
PLANTED_CYCLES = 5
"""Kills of a server with a planted fault."""
MAX_RESTART = 2.0
"""The most seconds from a restart to the first acknowledged turn."""
MAX_PAUSE_MS = 1500
"""The longest random delay before the next kill."""
EARLY_KILL_EVERY = 10
"""One server in so many is killed while it starts."""
TIMEOUT = 60.0
"""Seconds to wait for a server that answers nothing."""
_POLL = 0.05


@dataclass
class Report:
    """The results of all kills."""

    cycles: int
    games: int
    acknowledged: int = 0
    repeated: int = 0
    """Acknowledged commands that an earlier, killed server had executed."""
    finished: int = 0
    first: list[float] = field(default_factory=list)
    """Seconds from each restart to the first acknowledgement."""
    used: list[float] = field(default_factory=list)
    """CPU seconds that the server had used by then."""
    findings: Findings = field(default_factory=Findings)
    wrong_answers: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong, regardless of time."""
        return not self.findings and not self.wrong_answers

    def row(self, timed: bool = True) -> Row:
        """The row of the table. The time of restarts is judged only if ``timed``."""
        measured = (
            f"{self.findings}, {len(self.wrong_answers)} wrong answers, of {self.acknowledged:,} "
            f"acknowledged ({self.repeated:,} repeated) in {self.games} concurrent games "
            f"({self.finished:,} finished); "
            f"first turn after {median(self.first):.2f} s (median), {max(self.first):.2f} s (longest), "
            f"for which the server used {median(self.used):.2f} s of a core (median)"
        )
        in_time = not timed or max(self.first) <= MAX_RESTART
        return Row(TEST, self.cycles, measured, GOAL, self.sound and in_time)


class Crowd:
    """Pairs of players who play one game after the other."""

    def __init__(self, journal: Journal, chance: Stream) -> None:
        self.journal = journal
        self.players: list[JournalledPlayer] = []
        self.finished = 0
        self.all_play = asyncio.Event()
        """Set when every pair has started its first game."""
        self._chance = chance
        self._tasks: list[asyncio.Task[None]] = []

    @asynccontextmanager
    async def playing(self, games: int) -> AsyncIterator[None]:
        """Keep ``games`` games running while the context lasts."""
        self._tasks = [asyncio.create_task(self._play_on(number)) for number in range(games)]
        try:
            yield
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def wait_for(self, event: asyncio.Event) -> None:
        """Wait for an event. Raises an exception that a pair raises meanwhile."""
        waiting = asyncio.create_task(event.wait())
        done, _ = await asyncio.wait(
            {waiting, *self._tasks}, timeout=TIMEOUT, return_when=asyncio.FIRST_COMPLETED
        )
        waiting.cancel()
        for task in done:
            task.result()
        if not done:
            raise TimeoutError("the server answers nothing")

    async def _play_on(self, number: int) -> None:
        ada, ben = [await PersistentClient.guest(self.journal, f"{name} {number}") for name in ("Ada", "Ben")]
        try:
            while True:
                await self._play(await self._sit_down(ada, ben))
        finally:
            await ada.close()
            await ben.close()

    async def _play(self, players: list[JournalledPlayer]) -> None:
        self.players += players
        if len(self.players) == len(players) * len(self._tasks):
            self.all_play.set()
        await asyncio.gather(*(player.play() for player in players))
        self.finished += 1

    async def _sit_down(self, ada: PersistentClient, ben: PersistentClient) -> list[JournalledPlayer]:
        """Create a table and take its second chair, which may already have happened before a kill."""
        expansions = [name for name in ("rewards", "wild_boar") if self._chance.below(2)]
        table = await ada.create_table("person", "open", edition="imperial", expansions=expansions)
        key = table.join
        await ben.request("POST", f"/api/tables/{table}/seats", {"chair": 1}, x_sanssouci_key=key)
        return [JournalledPlayer(ada, table.id, 0), JournalledPlayer(ben, table.id, 1)]


class ComputerCrowd(Crowd):
    """People who play one game after the other against a computer player."""

    async def _play_on(self, number: int) -> None:
        ada = await PersistentClient.guest(self.journal, f"Ada {number}")
        try:
            while True:
                table = await ada.create_table("person", "pondering")
                await self._play([JournalledPlayer(ada, table.id, 0)])
        finally:
            await ada.close()


class Killing:
    """Kills and restarts a server while a crowd plays on it."""

    def __init__(
        self, server: ServerProcess, plant: Plant, journal: Journal, crowd: Crowd, chance: Stream
    ) -> None:
        self._server = server
        self._plant = plant
        self._journal = journal
        self._crowd = crowd
        self._chance = chance
        self._first = asyncio.Event()
        self._answered_at = self._used = 0.0
        journal.on_acknowledged = self._note

    async def begin(self) -> None:
        """Start the server and wait until everyone plays."""
        await self._start()
        await self._crowd.wait_for(self._crowd.all_play)

    async def cycle(self) -> tuple[float, float]:
        """Kill and restart. Returns wall and CPU seconds from the new start to the first acknowledgement."""
        await asyncio.sleep(self._chance.below(MAX_PAUSE_MS) / 1000)
        if self._plant is not Plant.NOTHING:
            await self._aim()
        self._kill()
        if self._chance.below(EARLY_KILL_EVERY) == 0:
            self._server.start()
            await asyncio.sleep(self._chance.below(1000) / 1000)
            self._server.kill()
        await self._start()
        await self._crowd.wait_for(self._first)
        return self._answered_at - self._server.started, self._used

    async def _aim(self) -> None:
        """Pause the server with a stored but unacknowledged command, or the reverse."""
        async with asyncio.timeout(TIMEOUT):
            while True:
                self._server.pause()
                await asyncio.sleep(_POLL)  # let answers sent before arrive
                journal = self._journal.commands
                acknowledged = {sent.command_id for sent in journal if sent.acknowledged is not None}
                stored = self._stored() & {sent.command_id for sent in journal}
                if acknowledged - stored if self._plant is Plant.TOO_EARLY else stored - acknowledged:
                    return
                self._server.resume()
                await asyncio.sleep(_POLL)

    def _stored(self) -> set[str]:
        """The client-chosen ids of all commands in the data file."""
        return {
            text.rpartition(":")[2] for (text,) in query(self._server.data, "SELECT command_id FROM event")
        }

    async def end(self) -> None:
        """Wait until every command is answered, then kill the server."""
        waiting = [sent for sent in self._journal.commands if not sent.answered]
        async with asyncio.timeout(TIMEOUT):
            while not all(sent.answered for sent in waiting):
                await asyncio.sleep(_POLL)
        self._kill()

    async def _start(self) -> None:
        self._first.clear()
        self._journal.starts += 1
        self._server.start()
        await self._server.listening()
        self._journal.host = self._server.host
        self._journal.is_up.set()

    def _note(self, start: int) -> None:
        if start == self._journal.starts and not self._first.is_set():
            self._answered_at, self._used = time.monotonic(), self._server.cpu_seconds()
            self._first.set()

    def _kill(self) -> None:
        self._journal.is_up.clear()
        self._server.kill()


async def run(cycles: int, games: int, seed: int, folder: Path, plant: Plant, progress: Progress) -> Report:
    """Kill a server ``cycles`` times, with ``games`` games running."""
    chance, report = BulkStream(seed), Report(cycles, games)
    (folder / "data").mkdir()
    journal = Journal(chance)
    crowd = Crowd(journal, chance)
    with planted_server(folder / "data" / "tables.db", folder / "log", plant) as server:
        async with crowd.playing(games):
            killing = Killing(server, plant, journal, crowd, chance)
            await killing.begin()
            for number in range(1, cycles + 1):
                first, used = await killing.cycle()
                report.first.append(first)
                report.used.append(used)
                progress(
                    f"{number} of {cycles} kills, first turn after {first:.2f} s, {used:.2f} s of a core"
                )
            await killing.end()
    report.findings = audit(server.data, journal.commands, crowd.players)
    report.findings.gaps += journal.gaps
    report.wrong_answers = journal.wrong_answers
    report.acknowledged = sum(sent.acknowledged is not None for sent in journal.commands)
    report.repeated = sum(sent.repeated for sent in journal.commands)
    report.finished = crowd.finished
    return report


def measure(
    cycles: int, games: int, seed: int, plant: Plant, progress: Progress = lambda text: None
) -> Report:
    """Run in a temporary folder."""
    with TemporaryDirectory() as name, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(run(cycles, games, seed, Path(name), plant, progress))


def rows(progress: Progress, share: Share) -> list[Row]:
    """Run the real server, then one with a planted fault, which must be found."""
    report = measure(share.part(CYCLES), GAMES, share.seed, Plant.NOTHING, progress)
    early = measure(PLANTED_CYCLES, GAMES // 10, share.seed, Plant.TOO_EARLY, progress)
    planted = Row(
        f"{TEST}, planted: {Plant.TOO_EARLY}",
        PLANTED_CYCLES,
        str(early.findings),
        "loss is found",
        bool(early.findings.lost),
    )
    return [report.row(timed=share.is_whole), planted]


FAULT = Fault("kill", TEST, GOAL, rows)


def main() -> int:
    """Print the row. Returns 1 if something was lost or took too long."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.kill", description=__doc__)
    parser.add_argument("--cycles", type=int, default=CYCLES)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plant", type=Plant, choices=list(Plant), default=Plant.NOTHING)
    parser.add_argument(
        "--fork",
        action="store_true",
        help="fork servers from a loaded process, which is cheaper; how fast they start is not judged",
    )
    options = parser.parse_args()
    ServerProcess.forks = options.fork
    report = measure(
        options.cycles, options.games, options.seed, options.plant, lambda text: print(text, file=sys.stderr)
    )
    row = report.row(timed=not options.fork)
    print(write_table([row]))
    for text in (*report.findings.examples(), *report.wrong_answers[:5]):
        print(text, file=sys.stderr)
    return 0 if row.ok else 1


if __name__ == "__main__":
    sys.exit(main())
