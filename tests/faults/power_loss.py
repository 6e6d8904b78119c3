"""The power goes while the store is at work: nothing acknowledged is lost, nothing is corrupt.

::

    workload under the recorder --> journal --> cut anywhere --> nine fates of what was under way --> the store reads

Run as ``python -m tests.faults.power_loss --cuts 1000``.
"""

import argparse
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from sanssouci.dealer import BulkStream

from . import journal, shim
from .disk import Disk
from .fates import FATES
from .journal import Mark, Name, Step, Sync, Write
from .reading import DATA, Reader, Reading
from .table import Row, write_table
from .workload import Plant

TEST = "power loss"
GOAL = "nothing acknowledged lost, nothing corrupt"
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

    def row(self) -> Row:
        """The row of the table."""
        measured = (
            f"{len(self.lost)} lost, {len(self.corrupt)} corrupt of {self.images:,} images"
            f" ({self.different:,} different) of {self.acknowledged:,} acknowledged events in {self.steps:,} steps"
        )
        return Row(TEST, self.cuts, measured, GOAL, not self.lost and not self.corrupt)


class Promises:
    """What the program has sent, and what it was told is kept."""

    def __init__(self) -> None:
        self._sent: Counter[str] = Counter()
        self._kept: Counter[str] = Counter()

    def hear(self, text: str) -> None:
        """A word of the program: events are counted from 1 here, so that 0 is none."""
        what, game, seq = text.split()
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
            return "lost"
        return None if found <= self._sent else "an event that nobody has sent"


def record(seed: int, plant: Plant = Plant.NOTHING, lives: int = LIVES) -> list[Step]:
    """The steps of the workload on a data folder of its own; ``Unseen`` if they do not explain what is there."""
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


def choose_cuts(steps: list[Step], cuts: int, chance: BulkStream) -> set[int]:
    """Different places between steps, half of them near a sync, a new name or an acknowledgement."""
    if cuts > len(steps):
        raise ValueError(f"there are only {len(steps) + 1} places to cut")
    decisive = [at for at, step in enumerate(steps) if isinstance(step, Sync | Name | Mark)]
    chosen: set[int] = set()
    while len(chosen) < cuts:
        near = decisive[chance.below(len(decisive))] + chance.below(2 * NEAR + 1) - NEAR
        anywhere = chance.below(len(steps) + 1)
        chosen.add(min(max(near, 0), len(steps)) if chance.below(2) else anywhere)
    return chosen


def cut(steps: list[Step], cuts: int, seed: int) -> Report:
    """Cut the power here and there, and see what every fate leaves."""
    chance, disk, promises, reader = BulkStream(seed), Disk(), Promises(), Reader()
    report, chosen = Report(cuts, len(steps)), choose_cuts(steps, cuts, chance)
    for at in range(len(steps) + 1):
        if at in chosen:
            for fate in FATES:
                wrong = promises.judge(reader.read(fate(disk, chance)))
                report.images += 1
                if wrong is not None:
                    found = report.lost if wrong == "lost" else report.corrupt
                    found.append(Finding(at, fate.__name__, wrong))
        if at < len(steps):
            step = steps[at]
            disk.take(step)
            if isinstance(step, Mark):
                promises.hear(step.text)
    report.different, report.acknowledged = reader.images, promises.kept
    return report


def run(cuts: int, seed: int, plant: Plant = Plant.NOTHING) -> Report:
    """Record the workload once, and cut it so often."""
    return cut(record(seed, plant), cuts, seed)


def main() -> int:
    """Print the row; 1 if something was lost or corrupt."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.power_loss", description=__doc__)
    parser.add_argument("--cuts", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plant", type=Plant, choices=list(Plant), default=Plant.NOTHING)
    options = parser.parse_args()
    reason = shim.missing()
    if reason is not None:
        print(write_table([Row.not_run(TEST, GOAL, reason)]))
        return 0
    report = run(options.cuts, options.seed, options.plant)
    print(write_table([report.row()]))
    for finding in (report.lost + report.corrupt)[:20]:
        print(finding, file=sys.stderr)
    return 0 if report.row().ok else 1


if __name__ == "__main__":
    sys.exit(main())
