"""So many pairs of games, each compared by everyone who looks at them."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ..fault import Progress
from ..lot import Lot
from ..table import Row
from . import GOAL, TEST
from .course import Course
from .house import House, nothing_drawn
from .lines import Log, logging_into
from .twins import Leak

PAIRS = 2000
_FRESH = 50
"""Pairs after which new houses are opened, so that no store grows without end."""
_MEMORY = Path("/dev/shm")
"""A folder that is no disk, where there is one: what is compared does not depend on it."""


@dataclass
class Report:
    """What came of all pairs."""

    pairs: int = 0
    megabytes: float = 0.0
    """That were the same for somebody."""
    seen: int = 0
    """Pairs of which somebody who may know the difference has seen it."""
    leaks: tuple[str, ...] = ()

    def row(self) -> Row:
        """The row of the table."""
        measured = (
            f"{len(self.leaks)} leaks in {self.megabytes:,.0f} MB compared; "
            f"in {self.seen:,} pairs those who may know saw the difference"
        )
        if self.leaks:
            measured += f"; {self.leaks[0].partition(':')[0]}"
        return Row(TEST, self.pairs, measured, GOAL, not self.leaks)


def compare(pairs: Sequence[int], seed: int, progress: Progress = lambda text: None) -> Report:
    """Play pairs, each by its number; the first leak ends it."""
    report = Report()
    with logged() as log, asyncio.Runner() as runner:
        for first in range(0, len(pairs), _FRESH):
            with houses() as both:
                for number in pairs[first : first + _FRESH]:
                    runner.run(_compare(Course(both, log, Lot(seed, number)), report))
                    if report.leaks:
                        return report
            progress(f"{report.pairs:,} of {len(pairs):,} pairs, {report.megabytes:,.0f} MB compared")
    return report


async def _compare(course: Course, report: Report) -> None:
    report.pairs += 1
    try:
        twins = await course.run()
    except Leak as leak:
        report.leaks = (*report.leaks, str(leak))
        return
    report.megabytes += twins.compared / 1e6
    report.seen += twins.differed


@contextmanager
def logged() -> Iterator[Log]:
    """What the houses log."""
    log = Log()
    with logging_into(log), nothing_drawn():
        yield log


@contextmanager
def houses() -> Iterator[tuple[House, House]]:
    """Two houses without a guest."""
    with ExitStack() as stack:
        folders = [
            stack.enter_context(TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None))
            for _ in range(2)
        ]
        one, other = (House(Path(folder)) for folder in folders)
        stack.callback(one.store.close)
        stack.callback(other.store.close)
        yield one, other
