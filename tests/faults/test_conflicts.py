"""Conflicting commands sent at the same time: exactly one is executed."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from sanssouci.server.tables.live_table import LiveTable
from sanssouci.server.tables.table_registry import TableRegistry
from sanssouci.store import Change, Conflict
from sanssouci.table import Event, Table

from .conflicts import Report, in_registry, judge, measure, over_tcp
from .journal_clients import SentCommand
from .targets import NOT_YOUR_TURN, STALE, Answer, PlantFault


def no_progress(text: str) -> None:
    """Ignore progress."""


def run(rounds: Coroutine[Any, Any, Report]) -> Report:
    return asyncio.run(rounds)


def test_exactly_one_command_wins(tmp_path: Path) -> None:
    """In 300 rounds of up to 32 commands, one is executed and its repeats are acknowledged."""
    report = run(in_registry(300, 1, tmp_path, no_progress))
    assert report.sound, (report.wrong[:5], report.findings.examples())
    assert report.rounds == report.commands["done"] == 300
    assert report.commands["repeated"] > 300 and report.commands["refused"] > 2000
    assert report.row().ok


def test_exactly_one_command_wins_at_a_complete_server(tmp_path: Path) -> None:
    """The same holds over sockets."""
    report = run(over_tcp(12, 1, tmp_path, no_progress))
    assert report.sound, (report.wrong[:5], report.findings.examples())
    assert report.commands["done"] == 12 and report.commands["repeated"] > 10


def test_the_row_counts_rounds_by_venue(tmp_path: Path) -> None:
    """The row counts rounds in the registry and over TCP separately."""
    report = measure(10, 4, 1, no_progress)
    assert report.rounds == 10 and "6 in the registry, 4 over TCP: 0 rounds" in report.row().measured


class Unlocked(asyncio.Lock):
    """A lock that excludes nobody."""

    async def acquire(self) -> Any:
        return True

    def release(self) -> None:
        pass


class NoMemory(dict[str, Event]):
    """A dict of answered commands that stays empty."""

    def __setitem__(self, command_id: str, event: Event) -> None:
        pass


def without_lock(live_table: LiveTable) -> None:
    """Two commands may be decided at the same time."""
    live_table.lock = Unlocked()


def without_memory(live_table: LiveTable) -> None:
    """The table does not recognise repeated commands."""
    live_table.table._answered = NoMemory()


def without_seq_check(live_table: LiveTable) -> None:
    """The table does not check the expected sequence number."""
    decide = Table.decide.__get__(live_table.table)

    def decide_unchecked(*args: Any) -> Any:
        *others, _, source = args
        return decide(*others, live_table.table.seq, source)

    live_table.table.decide = decide_unchecked  # type: ignore[method-assign, assignment]


@pytest.mark.parametrize("plant_fault", [without_memory, without_seq_check])
def test_planted_faults_are_found(plant_fault: PlantFault, tmp_path: Path) -> None:
    """Without the memory of command ids or the check of ``expected_seq``, rounds fail."""
    report = run(in_registry(20, 1, tmp_path, no_progress, plant_fault))
    assert len(report.wrong) > 10
    assert not report.row().ok


def test_the_store_resolves_conflicts_without_the_lock(tmp_path: Path) -> None:
    """If two commands are decided at once, the store accepts one, and the table is reloaded."""
    report = run(in_registry(20, 1, tmp_path, no_progress, without_lock))
    assert report.sound, report.wrong[:5]


def test_ignoring_conflicts_without_the_lock_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A registry without the lock that also ignores conflicts of the store fails."""
    write = TableRegistry._write

    async def write_ignoring_conflicts(self: TableRegistry, *changes: Change) -> None:
        with suppress(Conflict):
            await write(self, *changes)

    monkeypatch.setattr(TableRegistry, "_write", write_ignoring_conflicts)
    report = run(in_registry(20, 1, tmp_path, no_progress, without_lock))
    assert len(report.wrong) > 10 and report.findings


def sent(command_id: str, chair: int = 0, expected: int = 7) -> SentCommand:
    return SentCommand("t", chair, command_id, expected, {"type": "pick", "side": 0})


ROUND = [sent("a"), sent("a"), sent("b"), sent("c", chair=1), sent("late", expected=3)]
CORRECT_ANSWERS = [
    Answer(8),
    Answer(8, True),
    Answer(refused=STALE),
    Answer(refused=NOT_YOUR_TURN),
    Answer(4, True),
]


def verdict(other: dict[int, list[Answer]], after: int = 8) -> str | None:
    """The verdict on a round with some other answers."""
    answers = [other.get(place, [answer]) for place, answer in enumerate(CORRECT_ANSWERS)]
    return judge(7, [0], ROUND, answers, after)


def test_a_correct_round_is_accepted() -> None:
    """One command is done, repeats are acknowledged, the others are stale or not to move."""
    assert verdict({}) is None


@pytest.mark.parametrize(
    "place, answers",
    [
        (0, []),
        (0, [Answer(8), Answer(8, True)]),
        (0, [Answer(8, True)]),
        (1, [Answer(8)]),
        (1, [Answer(9, True)]),
        (1, [Answer(refused=STALE)]),
        (2, [Answer(8)]),
        (2, [Answer(8, True)]),
        (2, [Answer(refused=NOT_YOUR_TURN)]),
        (2, [Answer(refused="server.failed")]),
        (4, [Answer(refused=STALE)]),
        (4, [Answer(5, True)]),
    ],
)
def test_wrong_answers_are_found(place: int, answers: list[Answer]) -> None:
    """A round with a missing, additional or wrong answer fails."""
    assert verdict({place: answers}) is not None


def test_a_round_with_two_events_is_wrong() -> None:
    """A round that adds two events fails, even with correct answers."""
    assert verdict({}, after=9) is not None
