"""Power loss while the store is writing: nothing acknowledged is lost, nothing is corrupt.

::

    workload under the recorder --> journal --> a cut --> nine outcomes --> the store opens

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
from .crash_images import OUTCOMES
from .disk import Disk
from .journal import Mark, Name, Rename, Step, Sync, Write
from .reading import DATA, Reader, Reading
from .report import Fault, Progress, Row, write_table
from .workload import Plant

TEST = "power loss"
GOAL = "nothing acknowledged lost, nothing corrupt"
CUTS = 1000
LOST = "lost"
NEARBY = 3
"""The distance in steps that counts as near a sync or an acknowledgement."""
STARTS = 2
"""How often the program is started on the same data."""


class IncompleteJournal(Exception):
    """The recorder has missed something, so the journal is useless."""


@dataclass(frozen=True)
class Finding:
    """The result of a cut before a step: ``lost``, or a description of the damage."""

    step: int
    outcome: str
    wrong: str


@dataclass
class Report:
    """The results of all cuts."""

    cuts: int
    steps: int
    images: int = 0
    different: int = 0
    acknowledged: int = 0
    lost: list[Finding] = field(default_factory=list)
    corrupt: list[Finding] = field(default_factory=list)

    def note(self, step: int, outcome: str, wrong: str | None) -> None:
        """Count an image and note what is wrong with it."""
        self.images += 1
        if wrong is not None:
            found = self.lost if wrong == LOST else self.corrupt
            found.append(Finding(step, outcome, wrong))

    def __str__(self) -> str:
        return (
            f"{len(self.lost)} lost, {len(self.corrupt)} corrupt of {self.images:,} images ("
            f"{self.different:,} different); {self.acknowledged:,} acknowledged events, {self.steps:,} steps"
        )

    @property
    def ok(self) -> bool:
        """Whether the goal is reached."""
        return not self.lost and not self.corrupt


class Acknowledgements:
    """The events that the program has sent, and those that were acknowledged."""

    def __init__(self) -> None:
        self._sent: Counter[str] = Counter()
        self._acknowledged: Counter[str] = Counter()

    def apply(self, step: Step) -> None:
        """Note a mark of the program. A game has one more event than the seq of its last."""
        if isinstance(step, Mark):
            what, game, seq = step.text.split()
            {"sent": self._sent, "kept": self._acknowledged}[what][game] = int(seq) + 1

    @property
    def kept(self) -> int:
        """The number of acknowledged events."""
        return self._acknowledged.total()

    def judge(self, reading: Reading) -> str | None:
        """The fault of a data folder found at this point, or None."""
        if reading.fault is not None:
            return reading.fault
        found = Counter({game: last + 1 for game, last in reading.games.items()})
        if not self._acknowledged <= found:
            return LOST
        return None if found <= self._sent else "an event that was never sent"


def record(seed: int, plant: Plant = Plant.NOTHING, starts: int = STARTS) -> list[Step]:
    """Record the workload in a temporary folder. Raises ``IncompleteJournal`` if steps are missing."""
    with TemporaryDirectory() as name:
        place = Path(name)
        data, path, library = place / "data", place / "journal", shim.build(place)
        data.mkdir()
        for start in range(starts):
            command = [
                sys.executable,
                "-m",
                f"{__package__}.workload",
                str(data / DATA),
                str(seed + start),
                plant,
            ]
            shim.record(library, data, path, command)
        steps = journal.read(path)
        check_complete(steps, data)
    return steps


def check_complete(steps: list[Step], folder: Path) -> None:
    """Raise ``IncompleteJournal`` if the steps do not reproduce the folder, or there are no writes."""
    disk = Disk()
    for step in steps:
        disk.apply(step)
    there = {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith("-shm")}
    if disk.whole() != there or not any(isinstance(step, Write) for step in steps):
        raise IncompleteJournal(f"the recorder missed something in {', '.join(sorted(there))}")


def choose_places(steps: list[Step], cuts: int, seed: int) -> set[int]:
    """Random places between steps: near changes of names, near syncs and acknowledgements, and anywhere."""
    if cuts > len(steps):
        raise ValueError(f"there are only {len(steps)} places to cut")
    names = [at for at, step in enumerate(steps) if isinstance(step, Name | Rename)]
    turns = [at for at, step in enumerate(steps) if isinstance(step, Sync | Mark)]
    chance, chosen = BulkStream(seed), set[int]()
    while len(chosen) < cuts:
        among = (names, turns, range(len(steps)))[chance.below(3)]
        place = among[chance.below(len(among))] + chance.below(2 * NEARBY + 1) - NEARBY
        chosen.add(min(max(place, 0), len(steps)))
    return chosen


def cut(steps: list[Step], places: Collection[int], seed: int) -> Report:
    """Cut the power before these steps, and check what every outcome leaves."""
    chance, disk, acknowledgements, reader = BulkStream(seed), Disk(), Acknowledgements(), Reader()
    report = Report(len(places), len(steps))
    for at in range(max(places) + 1):
        if at in places:
            for outcome in OUTCOMES:
                wrong = acknowledgements.judge(reader.read(outcome(disk, chance)))
                report.note(at, outcome.__name__, wrong)
        if at < len(steps):
            disk.apply(steps[at])
            acknowledgements.apply(steps[at])
    report.different, report.acknowledged = reader.images, acknowledgements.kept
    return report


def run(cuts: int, seed: int, plant: Plant = Plant.NOTHING) -> Report:
    """Record the workload once, and cut it ``cuts`` times."""
    steps = record(seed, plant)
    return cut(steps, choose_places(steps, cuts, seed), seed)


def rows(cuts: int, seed: int) -> Iterator[Row]:
    """Test the real store, then, with fewer cuts, planted faults that must be found."""
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
        yield Row(f"{TEST}, planted: {plant}", few, str(report), "loss is found", bool(report.lost))


def _rows(progress: Progress, share: Share) -> list[Row]:
    cuts = share.part(CUTS)
    progress(f"{cuts} cuts, takes some minutes")
    return list(rows(cuts, share.seed))


FAULT = Fault("power", TEST, GOAL, _rows)


def main() -> int:
    """Print the rows. Returns 1 if a goal was missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.power_loss")
    parser.add_argument("--cuts", type=int, default=CUTS, help="number of power cuts")
    parser.add_argument("--seed", type=int, default=1, help="seed for the places and outcomes")
    options = parser.parse_args()
    found = list(rows(options.cuts, options.seed))
    print(write_table(found))
    return int(any(row.ok is False for row in found))


if __name__ == "__main__":
    sys.exit(main())
