"""Conflicts: many give commands at the same moment, some the same one. One wins; repeats are answered.

::

    a round: 2 to 32 tries with the same expected_seq, under one id or several, and sometimes a late repeat
             -->  exactly one is done, its repeats are told so, all others are stale

Most rounds are played over sockets at a whole server, some in its hall with its own store. In the end the
data file is compared with all that was answered. Run as ``python -m tests.faults.conflicts``.
"""

import argparse
import asyncio
import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import uvloop

from sanssouci.dealer import BulkStream, Stream, shuffled

from ..share import Share
from .audit import Findings, audit
from .fault import Fault, Progress
from .guest import Json, Sent
from .rivals import NOT_YOUR_TURN, STALE, Answer, make_rivals
from .table import Row, write_table
from .venues import InHall, OnWire, Spoil, unspoilt

TEST = "conflicts"
GOAL = "20,000 rounds of 2–32 clients: exactly one wins, repeats are answered once"
ROUNDS, ON_WIRE = 20_000, 18_000
"""How many rounds there are, and how many of them over the wire, where one takes 36 ms of a core."""
MOST = 32
LATE = 4
"""In one round of so many somebody repeats a command of an earlier one."""
_OFTEN = 200


class Venue(Protocol):
    """Where rounds are played: one table at a time."""

    name: str
    table: str
    data: Path

    async def new_table(self, chance: Stream) -> None:
        """Begin another table."""

    async def views(self) -> list[Json]:
        """The table as it is now, from every chair."""

    async def give(self, tries: list[Sent]) -> list[list[Answer]]:
        """All at the same moment; everything that each is answered."""


@dataclass
class Report:
    """What came of all the rounds."""

    places: Counter[str] = field(default_factory=Counter)
    """How many rounds were played where."""
    tries: Counter[str] = field(default_factory=Counter)
    """How many were done, repeated, refused."""
    wrong: list[str] = field(default_factory=list)
    """Rounds in which not exactly one has won, or somebody was told something else than that."""
    findings: Findings = field(default_factory=Findings)

    @property
    def rounds(self) -> int:
        """How many there were, wherever."""
        return self.places.total()

    @property
    def sound(self) -> bool:
        """Whether every round was as it should be, and the file says so too."""
        return not self.wrong and not self.findings

    def add(self, other: "Report") -> None:
        """Both together."""
        self.places += other.places
        self.tries += other.tries
        self.wrong += other.wrong
        for name in ("lost", "twice", "gaps", "corrupt"):
            getattr(self.findings, name).extend(getattr(other.findings, name))

    def row(self) -> Row:
        """The row of the table."""
        places = ", ".join(f"{rounds:,} {place}" for place, rounds in self.places.most_common())
        measured = (
            f"{places}: {len(self.wrong)} rounds without exactly one winner; "
            f"{self.tries.total():,} commands: {self.tries['done']:,} done, "
            f"{self.tries['repeated']:,} repeats answered, {self.tries['refused']:,} refused; "
            f"in the file {self.findings}"
        )
        return Row(TEST, self.rounds, measured, GOAL, self.sound)


class Rounds:
    """Plays rounds at a venue, game after game."""

    def __init__(self, venue: Venue, chance: Stream) -> None:
        self.report = Report()
        self._venue = venue
        self._chance = chance
        self._views: list[Json] = []
        self._journal: list[Sent] = []
        self._kept: list[Sent] = []
        """One of each command that was carried out at this table."""

    async def play(self, rounds: int, progress: Progress) -> None:
        """So many rounds."""
        await self._begin()
        for number in range(rounds):
            if self._views[0]["stage"] == "over":
                await self._begin()
            await self._round()
            if number % _OFTEN == _OFTEN - 1:
                progress(f"{number + 1} of {rounds} rounds {self._venue.name}")

    def audit(self) -> None:
        """Compare what was answered with the data file, when nobody has it open any more."""
        self.report.findings = audit(self._venue.data, self._journal, [])

    async def _begin(self) -> None:
        await self._venue.new_table(self._chance)
        self._views, self._kept = await self._venue.views(), []

    async def _round(self) -> None:
        before, awaited = self._views[0]["seq"], self._views[0]["waiting"]
        tries = self._tries()
        answers = await self._venue.give(tries)
        self._views = await self._venue.views()
        self.report.places[self._venue.name] += 1
        self._journal += tries
        wrong = judge(before, awaited, tries, answers, self._views[0]["seq"])
        if wrong is not None:
            self.report.wrong.append(f"{self._venue.table}, event {before + 1}: {wrong}")
        for sent, told in zip(tries, answers, strict=True):
            self._note(sent, told)

    def _tries(self) -> list[Sent]:
        """Rivals and their repeats, in any order; perhaps with one that was carried out long ago."""
        count = 2 + self._chance.below(MOST - 1)
        rivals = make_rivals(self._venue.table, self._views, 1 + self._chance.below(count), self._chance)
        repeats = [rivals[self._chance.below(len(rivals))] for _ in range(count - len(rivals))]
        if self._kept and self._chance.below(LATE) == 0:
            repeats[:1] = [self._kept[self._chance.below(len(self._kept))]]
        tries = [replace(sent, acknowledged=None) for sent in (*rivals, *repeats)]
        return list(shuffled(tries, self._chance))

    def _note(self, sent: Sent, told: list[Answer]) -> None:
        for answer in told:
            sent.acknowledged, sent.refused = answer.seq, answer.refused
            self.report.tries[answer.kind] += 1
            if answer.kind == "done":
                self._kept.append(sent)


def judge(
    before: int, awaited: list[int], tries: list[Sent], answers: list[list[Answer]], after: int
) -> str | None:
    """What is wrong with the answers of a round, if anything."""
    if any(len(told) != 1 for told in answers):
        return f"somebody was answered {sorted({len(told) for told in answers})} times"
    rounds = [(sent, answer) for sent, (answer,) in zip(tries, answers, strict=True)]
    winners = [sent.command_id for sent, answer in rounds if answer.kind == "done"]
    if len(winners) != 1 or after != before + 1:
        return f"{len(winners)} have won, and the table is at {after}"
    for sent, answer in rounds:
        if sent.command_id == winners[0]:
            fits = answer.seq == after
        elif sent.expected < before:
            fits = answer.kind == "repeated" and answer.seq == sent.expected + 1
        else:
            fits = answer.refused == STALE or (answer.refused == NOT_YOUR_TURN and sent.chair not in awaited)
        if not fits:
            return f"{sent.command} was answered {answer}"
    return None


async def in_hall(
    rounds: int, seed: int, folder: Path, progress: Progress, spoil: Spoil = unspoilt
) -> Report:
    """Rounds in the hall of a server, with its own store."""
    with InHall(folder / "hall.db", spoil) as venue:
        played = Rounds(venue, BulkStream(seed))
        await played.play(rounds, progress)
    played.audit()
    return played.report


async def on_wire(rounds: int, seed: int, folder: Path, progress: Progress) -> Report:
    """Rounds at a whole server, over sockets."""
    chance = BulkStream(seed)
    async with OnWire.opened(folder, MOST, chance) as venue:
        played = Rounds(venue, chance)
        await played.play(rounds, progress)
    played.audit()
    return played.report


def measure(rounds: int, wired: int, seed: int, progress: Progress) -> Report:
    """All rounds, so many of them over the wire."""
    with TemporaryDirectory() as name, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        report = runner.run(in_hall(rounds - wired, seed, Path(name), progress))
        report.add(runner.run(on_wire(wired, seed + 1, Path(name), progress)))
    return report


def rows(progress: Progress, share: Share) -> list[Row]:
    """The rounds of a share, most of them over the wire."""
    return [measure(share.part(ROUNDS), share.part(ON_WIRE), share.seed, progress).row()]


FAULT = Fault("conflicts", TEST, GOAL, rows)


def main() -> int:
    """Print the row; 1 if a round was not as it should be."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.conflicts", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--wired", type=int, default=ON_WIRE)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    report = measure(options.rounds, options.wired, options.seed, lambda text: print(text, file=sys.stderr))
    print(write_table([report.row()]))
    for text in (*report.wrong[:5], *report.findings.examples()):
        print(text, file=sys.stderr)
    return 0 if report.row().ok else 1


if __name__ == "__main__":
    sys.exit(main())
