"""Commands that contradict each other, at the same moment: exactly one is carried out."""

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

from .conflicts import Report, in_hall, judge, measure, on_wire
from .guest import Sent
from .rivals import NOT_YOUR_TURN, STALE, Answer
from .venues import Spoil


def silent(text: str) -> None:
    """Nobody waits for this."""


def run(rounds: Coroutine[Any, Any, Report]) -> Report:
    """Play some rounds."""
    return asyncio.run(rounds)


def test_one_wins(tmp_path: Path) -> None:
    """In three hundred rounds of up to 32, one is carried out, and whoever repeats it is told so."""
    report = run(in_hall(300, 1, tmp_path, silent))
    assert report.sound, (report.wrong[:5], report.findings.examples())
    assert report.rounds == report.tries["done"] == 300
    assert report.tries["repeated"] > 300 and report.tries["refused"] > 2000
    assert report.row().ok


def test_one_wins_at_a_whole_server(tmp_path: Path) -> None:
    """The same by sockets."""
    report = run(on_wire(12, 1, tmp_path, silent))
    assert report.sound, (report.wrong[:5], report.findings.examples())
    assert report.tries["done"] == 12 and report.tries["repeated"] > 10


def test_the_row_says_where_rounds_were_played(tmp_path: Path) -> None:
    """Both places with their numbers: what was played without a network is not passed off as more."""
    report = measure(10, 4, 1, silent)
    assert report.rounds == 10 and "6 in the hall, 4 over the wire: 0 rounds" in report.row().measured


class Unlocked(asyncio.Lock):
    """A lock that keeps nobody out."""

    async def acquire(self) -> Any:
        """At once."""
        return True

    def release(self) -> None:
        """Nothing was held."""


class Forgetful(dict[str, Event]):
    """A memory for commands that keeps none."""

    def __setitem__(self, command_id: str, event: Event) -> None:
        pass


def without_lock(live_table: LiveTable) -> None:
    """Two commands are decided at once."""
    live_table.lock = Unlocked()


def without_memory(live_table: LiveTable) -> None:
    """The table does not know a command again."""
    live_table.table._answered = Forgetful()


def without_order(live_table: LiveTable) -> None:
    """The table does not care what the giver of a command has seen."""
    decide = Table.decide.__get__(live_table.table)

    def anyhow(*args: Any) -> Any:
        *others, _, source = args
        return decide(*others, live_table.table.seq, source)

    live_table.table.decide = anyhow  # type: ignore[method-assign, assignment]


@pytest.mark.parametrize("spoil", [without_memory, without_order])
def test_what_goes_wrong_is_seen(spoil: Spoil, tmp_path: Path) -> None:
    """Without the memory of command ids or the check of ``expected_seq``, rounds fail."""
    report = run(in_hall(20, 1, tmp_path, silent, spoil))
    assert len(report.wrong) > 10
    assert not report.row().ok


def test_safety_does_not_hang_on_the_lock(tmp_path: Path) -> None:
    """Where two are decided at once, the store takes one of them, and the table is read again."""
    report = run(in_hall(20, 1, tmp_path, silent, without_lock))
    assert report.sound, report.wrong[:5]


def test_without_lock_and_fence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hall that does not hear the store's no either answers what is not so."""
    write = TableRegistry._write

    async def deaf(self: TableRegistry, *changes: Change) -> None:
        with suppress(Conflict):
            await write(self, *changes)

    monkeypatch.setattr(TableRegistry, "_write", deaf)
    report = run(in_hall(20, 1, tmp_path, silent, without_lock))
    assert len(report.wrong) > 10 and report.findings


def tried(command_id: str, chair: int = 0, expected: int = 7) -> Sent:
    """Somebody's try."""
    return Sent("t", chair, command_id, expected, {"type": "pick", "side": 0})


ROUND = [tried("a"), tried("a"), tried("b"), tried("c", chair=1), tried("late", expected=3)]
RIGHT = [Answer(8), Answer(8, True), Answer(refused=STALE), Answer(refused=NOT_YOUR_TURN), Answer(4, True)]


def verdict(other: dict[int, list[Answer]], after: int = 8) -> str | None:
    """What is said of a round in which some were answered otherwise."""
    answers = [other.get(place, [answer]) for place, answer in enumerate(RIGHT)]
    return judge(7, [0], ROUND, answers, after)


def test_a_round_that_is_right() -> None:
    """One is done, the repeat is told so, the others are stale or not to move, and a late repeat is known."""
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
def test_a_round_that_is_wrong(place: int, answers: list[Answer]) -> None:
    """Nobody or two have won, somebody was answered not at all, twice, or with something else."""
    assert verdict({place: answers}) is not None


def test_a_table_that_moved_too_far() -> None:
    """However the answers look, one round is one event."""
    assert verdict({}, after=9) is not None
