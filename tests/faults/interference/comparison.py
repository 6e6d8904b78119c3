"""Compares pairs of games as every viewer sees them."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ...harness.logs import captured_log
from ..report import Progress, Row
from ..seeded_random import SeededRandom
from . import GOAL, TEST
from .course import Course
from .paired_games import Leak
from .paired_server import PairedServer, deterministic_secrets

OpenServers = Callable[[], AbstractContextManager[tuple[PairedServer, PairedServer]]]
PAIRS = 2000
_PAIRS_PER_SERVER = 50
"""Pairs after which new servers are opened, so that stores stay small."""
_MEMORY = Path("/dev/shm")
"""A folder in memory, if there is one, to save time."""


@dataclass
class Report:
    """The results of all pairs."""

    pairs: int = 0
    megabytes: float = 0.0
    """Megabytes that were identical."""
    seen: int = 0
    """Pairs whose difference was visible to a viewer that may know it."""
    leaks: tuple[str, ...] = ()

    def row(self) -> Row:
        measured = (
            f"{len(self.leaks)} leaks in {self.megabytes:,.0f} MB compared; "
            f"in {self.seen:,} pairs, permitted viewers saw the difference"
        )
        if self.leaks:
            measured += f"; {self.leaks[0].partition(':')[0]}"
        return Row(TEST, self.pairs, measured, GOAL, not self.leaks)


def compare(
    pairs: Sequence[int],
    seed: int,
    progress: Progress = lambda text: None,
    open_servers: OpenServers | None = None,
) -> Report:
    """Play pairs, each by its number, until the first leak."""
    report = Report()
    with captured_log() as log, deterministic_secrets(), asyncio.Runner() as runner:
        for first in range(0, len(pairs), _PAIRS_PER_SERVER):
            with (open_servers or paired_servers)() as both:
                for number in pairs[first : first + _PAIRS_PER_SERVER]:
                    runner.run(_compare(Course(both, log, SeededRandom(seed, number)), report))
                    if report.leaks:
                        return report
            progress(f"{report.pairs:,} of {len(pairs):,} pairs, {report.megabytes:,.0f} MB compared")
    return report


async def _compare(course: Course, report: Report) -> None:
    report.pairs += 1
    try:
        games = await course.run()
    except Leak as leak:
        report.leaks = (*report.leaks, str(leak))
        return
    report.megabytes += games.compared / 1e6
    report.seen += games.differed


@contextmanager
def paired_servers() -> Iterator[tuple[PairedServer, PairedServer]]:
    """Two servers without data."""
    with ExitStack() as stack:
        folders = [
            stack.enter_context(TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None))
            for _ in range(2)
        ]
        one, other = (PairedServer(Path(folder)) for folder in folders)
        stack.callback(one.store.close)
        stack.callback(other.store.close)
        yield one, other
