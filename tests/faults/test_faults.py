"""``make faults``: every test that there is, in one table, and a goal that was missed is not overlooked."""

import subprocess
import sys
from collections.abc import Sequence

from ..share import Share
from .__main__ import WANTED, announced, missed, run
from .fault import Fault, Progress
from .table import Row


def a_fault(name: str, ok: bool | None = True) -> Fault:
    """A test that ends at once."""

    def rows(progress: Progress, share: Share) -> Sequence[Row]:
        progress("begun")
        return [Row(name, 3, "so and so", "a goal", ok)]

    return Fault(name, name, "a goal", rows)


def breaks_down(progress: Progress, share: Share) -> Sequence[Row]:
    """A test that does not get to its end."""
    raise RuntimeError("no server")


def verdicts(rows: list[Row]) -> dict[str, bool | None]:
    """What came of each."""
    return {row.test: row.ok for row in rows}


def test_modules_announce_themselves() -> None:
    """Every row that the table should have is found, each under its own name."""
    faults = announced()
    assert faults.keys() == WANTED.keys()
    assert all(name == fault.name for name, fault in faults.items())


def test_what_is_announced_is_not_loaded() -> None:
    """Whoever wants one row does not wait for what only another one needs."""
    told = "import sys, tests.faults.__main__ as t; t.announced(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", told], check=True, capture_output=True, text=True).stdout
    assert not {"schemathesis", "hypothesis", "pytest"} & set(loaded.split())


def test_every_row_is_there() -> None:
    """What was not chosen, and what nobody has announced, is not run; neither is a goal missed."""
    told: list[str] = []
    rows = run({"kill": a_fault("kill"), "disk": a_fault("disk")}, ["kill"], told.append)
    assert len(rows) == len(WANTED)
    assert verdicts(rows)["kill"] is True and verdicts(rows)["disk"] is None
    assert [str(row) for row in rows if row.test == "disk"] == ["| disk | – | not run: not chosen | a goal |"]
    assert "not run: there is no such test here" in str(rows[1])
    assert told == ["kill: begun"]
    assert not missed(rows)


def test_a_missed_goal_counts() -> None:
    """Also where all others have reached theirs."""
    assert missed(run({"kill": a_fault("kill"), "disk": a_fault("disk", False)}, ["kill", "disk"], print))
    assert not missed(run({"disk": a_fault("disk", False)}, ["kill"], print))


def test_a_test_that_breaks_down_has_failed() -> None:
    """And the others are run all the same."""
    faults = {"kill": Fault("kill", "kill", "a goal", breaks_down), "disk": a_fault("disk")}
    rows = run(faults, ["kill", "disk"], print)
    assert verdicts(rows)["kill"] is False and verdicts(rows)["disk"] is True
    assert missed(rows)
