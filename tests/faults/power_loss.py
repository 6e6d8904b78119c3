"""The power goes while the store is at work: nothing acknowledged is lost, nothing is corrupt.

::

    workload under the recorder --> journal --> a cut --> nine fates of what was under way --> the store opens

Run as ``python -m tests.faults.power_loss --cuts 1000``.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from sanssouci.dealer import BulkStream

from ..share import Share
from . import journal, shim
from .disk import Disk
from .fates import FATES
from .fault import Fault, Progress
from .journal import Mark, Name, Rename, Step, Sync, Write
from .reading import DATA, Reader, Reading
from .table import Row, write_table
from .workload import Plant

TEST = "power loss"
GOAL = "nothing acknowledged lost, nothing corrupt"
CUTS = 1000
LOST = "lost"
NEAR = 3
"""How many steps from a sync or an acknowledgement is still near it."""
LIVES = 2
"""How often the program is started on the same data."""


class Unseen(Exception):
    """The recorder has not seen everything, so nothing can be concluded."""


@dataclass(frozen=True)
class Finding:
    """What a cut before a step has led to: ``lost``, or what is wrong with the data."""

    step: int
    fate: str
    what: str


@dataclass
class Report:
    """What became of the data after all the cuts."""

    cuts: int
    steps: int
    images: int = 0
    different: int = 0
    acknowledged: int = 0
    lost: list[Finding] = field(default_factory=list)
    corrupt: list[Finding] = field(default_factory=list)

    def note(self, step: int, fate: str, wrong: str | None) -> None:
        """One more image, and what is wrong with it."""
        self.images += 1
        if wrong is not None:
            found = self.lost if wrong == LOST else self.corrupt
            found.append(Finding(step, fate, wrong))

    def __str__(self) -> str:
        return (
            f"{len(self.lost)} lost, {len(self.corrupt)} corrupt of {self.images:,} images ("
            f"{self.different:,} different); {self.acknowledged:,} acknowledged events, {self.steps:,} steps"
        )

    @property
    def ok(self) -> bool:
        """Whether the goal is reached."""
        return not self.lost and not self.corrupt


class Promises:
    """What the program has sent, and what it was told is kept."""

    def __init__(self) -> None:
        self._sent: Counter[str] = Counter()
        self._kept: Counter[str] = Counter()

    def hear(self, step: Step) -> None:
        """If it is a word of the program, take it: a game has one more event than the seq of its last."""
        if isinstance(step, Mark):
            what, game, seq = step.text.split()
            {"sent": self._sent, "kept": self._kept}[what][game] = int(seq) + 1

    @property
    def kept(self) -> int:
        """How many events were acknowledged."""
        return self._kept.total()

    def judge(self, reading: Reading) -> str | None:
        """What is wrong with a folder that was found now, if anything."""
        if reading.fault is not None:
            return reading.fault
        found = Counter({game: last + 1 for game, last in reading.games.items()})
        if not self._kept <= found:
            return LOST
        return None if found <= self._sent else "an event that nobody has sent"


def record(seed: int, plant: Plant = Plant.NOTHING, lives: int = LIVES) -> list[Step]:
    """The steps of the workload on a folder of its own; ``Unseen`` if they do not explain what is there."""
    with TemporaryDirectory() as name:
        place = Path(name)
        data, path, library = place / "data", place / "journal", shim.build(place)
        data.mkdir()
        for life in range(lives):
            what = [
                sys.executable,
                "-m",
                f"{__package__}.workload",
                str(data / DATA),
                str(seed + life),
                plant,
            ]
            shim.record(library, data, path, what)
        steps = journal.read(path)
        check_seen(steps, data)
    return steps


def check_seen(steps: list[Step], folder: Path) -> None:
    """``Unseen`` if the steps do not lead to the folder as it is, or there are no writes at all."""
    disk = Disk()
    for step in steps:
        disk.take(step)
    there = {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith("-shm")}
    if disk.whole() != there or not any(isinstance(step, Write) for step in steps):
        raise Unseen(f"the recorder has missed something in {', '.join(sorted(there))}")


def choose_places(steps: list[Step], cuts: int, seed: int) -> set[int]:
    """So many places between steps: near changes of names, near syncs and acknowledgements, and anywhere."""
    if cuts > len(steps):
        raise ValueError(f"there are only {len(steps)} places to cut")
    names = [at for at, step in enumerate(steps) if isinstance(step, Name | Rename)]
    turns = [at for at, step in enumerate(steps) if isinstance(step, Sync | Mark)]
    chance, chosen = BulkStream(seed), set[int]()
    while len(chosen) < cuts:
        among = (names, turns, range(len(steps)))[chance.below(3)]
        place = among[chance.below(len(among))] + chance.below(2 * NEAR + 1) - NEAR
        chosen.add(min(max(place, 0), len(steps)))
    return chosen


def cut(steps: list[Step], places: Collection[int], seed: int) -> Report:
    """Cut the power before these steps, and see what every fate leaves."""
    chance, disk, promises, reader = BulkStream(seed), Disk(), Promises(), Reader()
    report = Report(len(places), len(steps))
    for at in range(max(places) + 1):
        if at in places:
            for fate in FATES:
                wrong = promises.judge(reader.read(fate(disk, chance)))
                report.note(at, fate.__name__, wrong)
        if at < len(steps):
            disk.take(steps[at])
            promises.hear(steps[at])
    report.different, report.acknowledged = reader.images, promises.kept
    return report


def run(cuts: int, seed: int, plant: Plant = Plant.NOTHING) -> Report:
    """Record the workload once, and cut it so often."""
    steps = record(seed, plant)
    return cut(steps, choose_places(steps, cuts, seed), seed)


def rows(cuts: int, seed: int) -> Iterator[Row]:
    """The store as it is; then, with fewer cuts, the faults that must be seen."""
    reason = shim.missing()
    if reason is not None:
        yield Row.not_run(TEST, GOAL, reason)
        return
    report = run(cuts, seed)
    yield Row(TEST, cuts, str(report), GOAL, report.ok)
    for finding in (report.lost + report.corrupt)[:20]:
        print(finding, file=sys.stderr)
    few = max(cuts // 25, 8)
    for plant in (Plant.NO_SYNC, Plant.TOO_EARLY):
        report = run(few, seed, plant)
        yield Row(f"{TEST}, planted: {plant}", few, str(report), "loss is seen", bool(report.lost))


def _rows(progress: Progress, share: Share) -> list[Row]:
    cuts = share.part(CUTS)
    progress(f"{cuts} cuts, up to some minutes")
    return list(rows(cuts, share.seed))


FAULT = Fault("power", TEST, GOAL, _rows)


def main() -> int:
    """Print the rows; 1 if a goal was missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.power_loss")
    parser.add_argument("--cuts", type=int, default=CUTS, help="how often the power goes")
    parser.add_argument("--seed", type=int, default=1, help="chooses where, and what is left")
    options = parser.parse_args()
    found = list(rows(options.cuts, options.seed))
    print(write_table(found))
    return int(any(row.ok is False for row in found))


if __name__ == "__main__":
    sys.exit(main())
