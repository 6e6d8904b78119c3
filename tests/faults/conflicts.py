"""Conflicts: many clients send commands at the same time, some of them repeats. Exactly one wins.

::

    a round: 2 to 32 commands with the same expected_seq, under one id or several, some with a late repeat
             -->  exactly one is executed, its repeats are acknowledged, all others are stale

Most rounds are played over sockets at a complete server, some in its table registry with a real store. At the
end the data file is compared with all answers. Run as ``python -m tests.faults.conflicts``.
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

from ..harness.sockets import Json
from ..share import Share
from .audit import Findings, audit
from .journal_clients import SentCommand
from .report import Fault, Progress, Row, write_table
from .targets import (
    NOT_YOUR_TURN,
    STALE,
    Answer,
    PlantFault,
    RegistryTarget,
    ServerTarget,
    make_conflicting_commands,
    no_fault,
)

TEST = "conflicts"
GOAL = "20,000 rounds of 2–32 clients: exactly one wins, repeats are answered once"
ROUNDS, OVER_TCP = 20_000, 18_000
"""The number of rounds in total, and over TCP, where a round takes 36 ms of a core."""
MAX_CLIENTS = 32
LATE_REPEAT_EVERY = 4
"""A command of an earlier round is repeated in one of so many rounds."""
_PROGRESS_EVERY = 200


class Target(Protocol):
    """A place where rounds are played, at one table at a time."""

    name: str
    table: str
    data: Path

    async def new_table(self, chance: Stream) -> None:
        """Create the next table."""

    async def views(self) -> list[Json]:
        """The table as seen from every chair."""

    async def send(self, commands: list[SentCommand]) -> list[list[Answer]]:
        """Send all commands at the same time. Returns all answers to each."""


@dataclass
class Report:
    """The results of all rounds."""

    places: Counter[str] = field(default_factory=Counter)
    """The number of rounds at each target."""
    commands: Counter[str] = field(default_factory=Counter)
    """The number of commands that were done, repeated and refused."""
    wrong: list[str] = field(default_factory=list)
    """Rounds without exactly one winner, or with a wrong answer."""
    findings: Findings = field(default_factory=Findings)

    @property
    def rounds(self) -> int:
        """The number of rounds at all targets."""
        return self.places.total()

    @property
    def sound(self) -> bool:
        """Whether all answers and the data file are correct."""
        return not self.wrong and not self.findings

    def add(self, other: "Report") -> None:
        """Add the results of another report."""
        self.places += other.places
        self.commands += other.commands
        self.wrong += other.wrong
        for name in ("lost", "twice", "gaps", "corrupt"):
            getattr(self.findings, name).extend(getattr(other.findings, name))

    def row(self) -> Row:
        places = ", ".join(f"{rounds:,} {place}" for place, rounds in self.places.most_common())
        measured = (
            f"{places}: {len(self.wrong)} rounds without exactly one winner; "
            f"{self.commands.total():,} commands: {self.commands['done']:,} done, "
            f"{self.commands['repeated']:,} repeats answered, {self.commands['refused']:,} refused; "
            f"in the file {self.findings}"
        )
        return Row(TEST, self.rounds, measured, GOAL, self.sound)


class Rounds:
    """Plays rounds at a target, game after game."""

    def __init__(self, target: Target, chance: Stream) -> None:
        self.report = Report()
        self._target = target
        self._chance = chance
        self._views: list[Json] = []
        self._journal: list[SentCommand] = []
        self._executed: list[SentCommand] = []
        """One copy of each command that was executed at this table."""

    async def play(self, rounds: int, progress: Progress) -> None:
        await self._begin()
        for number in range(rounds):
            if self._views[0]["stage"] == "over":
                await self._begin()
            await self._round()
            if number % _PROGRESS_EVERY == _PROGRESS_EVERY - 1:
                progress(f"{number + 1} of {rounds} rounds {self._target.name}")

    def audit(self) -> None:
        """Compare all answers with the data file, which must be closed."""
        self.report.findings = audit(self._target.data, self._journal, [])

    async def _begin(self) -> None:
        await self._target.new_table(self._chance)
        self._views, self._executed = await self._target.views(), []

    async def _round(self) -> None:
        before, awaited = self._views[0]["seq"], self._views[0]["waiting"]
        commands = self._make_commands()
        answers = await self._target.send(commands)
        self._views = await self._target.views()
        self.report.places[self._target.name] += 1
        self._journal += commands
        wrong = judge(before, awaited, commands, answers, self._views[0]["seq"])
        if wrong is not None:
            self.report.wrong.append(f"{self._target.table}, event {before + 1}: {wrong}")
        for sent, received in zip(commands, answers, strict=True):
            self._note(sent, received)

    def _make_commands(self) -> list[SentCommand]:
        """Conflicting commands and repeats in random order, perhaps with one executed in an earlier round."""
        count = 2 + self._chance.below(MAX_CLIENTS - 1)
        distinct = 1 + self._chance.below(count)
        conflicting = make_conflicting_commands(self._target.table, self._views, distinct, self._chance)
        repeats = [conflicting[self._chance.below(len(conflicting))] for _ in range(count - len(conflicting))]
        if repeats and self._executed and self._chance.below(LATE_REPEAT_EVERY) == 0:
            repeats[:1] = [self._executed[self._chance.below(len(self._executed))]]
        commands = [replace(sent, acknowledged=None) for sent in (*conflicting, *repeats)]
        return list(shuffled(commands, self._chance))

    def _note(self, sent: SentCommand, received: list[Answer]) -> None:
        for answer in received:
            sent.acknowledged, sent.refused = answer.seq, answer.refused
            self.report.commands[answer.kind] += 1
            if answer.kind == "done":
                self._executed.append(sent)


def judge(
    before: int, awaited: list[int], commands: list[SentCommand], answers: list[list[Answer]], after: int
) -> str | None:
    """The first wrong answer of a round, or None."""
    if any(len(received) != 1 for received in answers):
        return f"a command was answered {sorted({len(received) for received in answers})} times"
    rounds = [(sent, answer) for sent, (answer,) in zip(commands, answers, strict=True)]
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


async def in_registry(
    rounds: int, seed: int, folder: Path, progress: Progress, plant_fault: PlantFault = no_fault
) -> Report:
    """Play rounds in the table registry of a server, with a real store."""
    with RegistryTarget(folder / "registry.db", plant_fault) as target:
        played = Rounds(target, BulkStream(seed))
        await played.play(rounds, progress)
    played.audit()
    return played.report


async def over_tcp(rounds: int, seed: int, folder: Path, progress: Progress) -> Report:
    """Play rounds at a complete server, over sockets."""
    chance = BulkStream(seed)
    async with ServerTarget.opened(folder, MAX_CLIENTS) as target:
        played = Rounds(target, chance)
        await played.play(rounds, progress)
    played.audit()
    return played.report


def measure(rounds: int, over_tcp_rounds: int, seed: int, progress: Progress) -> Report:
    """Play all rounds, some of them over TCP."""
    with TemporaryDirectory() as name, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        report = runner.run(in_registry(rounds - over_tcp_rounds, seed, Path(name), progress))
        report.add(runner.run(over_tcp(over_tcp_rounds, seed + 1, Path(name), progress)))
    return report


def rows(progress: Progress, share: Share) -> list[Row]:
    """Play the rounds of a share, most of them over TCP."""
    return [measure(share.part(ROUNDS), share.part(OVER_TCP), share.seed, progress).row()]


FAULT = Fault("conflicts", TEST, GOAL, rows)


def main() -> int:
    """Print the row. Returns 1 if a round was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.conflicts", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--wired", type=int, default=OVER_TCP)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    report = measure(options.rounds, options.wired, options.seed, lambda text: print(text, file=sys.stderr))
    print(write_table([report.row()]))
    for text in (*report.wrong[:5], *report.findings.examples()):
        print(text, file=sys.stderr)
    return 0 if report.row().ok else 1


if __name__ == "__main__":
    sys.exit(main())
