"""``make faults`` lists every fault test in one table and reports a missed goal."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..share import Share
from .__main__ import EXPECTED, choose_parts, discover, missed, run
from .report import Fault, Progress, Row


def make_fault(name: str, ok: bool | None = True) -> Fault:
    """A fault test that ends at once."""

    def rows(progress: Progress, share: Share) -> Sequence[Row]:
        progress("started")
        return [Row(name, 3, "so and so", "a goal", ok)]

    return Fault(name, name, "a goal", rows)


def crash(progress: Progress, share: Share) -> Sequence[Row]:
    """A fault test that raises an exception."""
    raise RuntimeError("no server")


def verdicts(rows: list[Row]) -> dict[str, bool | None]:
    return {row.test: row.ok for row in rows}


def test_all_fault_tests_are_discovered() -> None:
    """Every expected row has a fault test of the same name."""
    faults = discover()
    assert faults.keys() == EXPECTED.keys()
    assert all(name == fault.name for name, fault in faults.items())


def test_discovery_does_not_import_heavy_modules() -> None:
    """Listing the fault tests does not import libraries that only one of them needs."""
    code = "import sys, tests.faults.__main__ as t; t.discover(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert not {"schemathesis", "hypothesis", "pytest"} & set(loaded.split())


def test_tests_that_are_not_run_have_a_row() -> None:
    """Tests that were not chosen or do not exist are listed as not run, and miss no goal."""
    progress: list[str] = []
    rows = run({"kill": make_fault("kill"), "disk": make_fault("disk")}, ["kill"], progress.append)
    assert len(rows) == len(EXPECTED)
    assert verdicts(rows)["kill"] is True and verdicts(rows)["disk"] is None
    assert [str(row) for row in rows if row.test == "disk"] == ["| disk | – | not run: not chosen | a goal |"]
    assert "not run: there is no such test here" in str(rows[1])
    assert progress == ["kill: started"]
    assert not missed(rows)


def stop(progress: Progress, share: Share) -> Sequence[Row]:
    """A fault test during which Ctrl-C is pressed."""
    raise KeyboardInterrupt


def test_a_stopped_run_shows_its_finished_rows() -> None:
    """Ctrl-C after an hour does not lose the table; nothing further is started."""
    faults = {name: make_fault(name) for name in ("kill", "power", "disk")}
    faults["power"] = Fault("power", "power", "a goal", stop)
    rows = run(faults, [*faults], print)
    assert verdicts(rows) | {"kill": True, "power": None, "disk": None} == verdicts(rows)
    assert [str(row) for row in rows if row.test == "power"] == ["| power | – | not run: stopped | a goal |"]


def test_a_part_is_run_alone() -> None:
    """``cluster:kill`` runs one part of a test, and the other tests stay as they are."""

    def part(name: str) -> Callable[[Progress, Share], Sequence[Row]]:
        return lambda progress, share: [Row(name, 1, "so and so", "a goal", True)]

    parts = {name: part(name) for name in ("kill", "copies")}
    faults = {"cluster": replace(make_fault("cluster"), parts=parts), "disk": make_fault("disk")}
    rows = run(choose_parts(faults, ["cluster:copies", "disk"]), ["cluster", "disk"], print)
    assert [row.test for row in rows if row.ok] == ["copies", "disk"]


def test_a_missed_goal_is_reported() -> None:
    """One missed goal is reported, even if all other tests pass."""
    assert missed(
        run({"kill": make_fault("kill"), "disk": make_fault("disk", False)}, ["kill", "disk"], print)
    )
    assert not missed(run({"disk": make_fault("disk", False)}, ["kill"], print))


def test_a_crashed_test_has_failed() -> None:
    """A test that raises an exception has failed, and the others still run."""
    faults = {"kill": Fault("kill", "kill", "a goal", crash), "disk": make_fault("disk")}
    rows = run(faults, ["kill", "disk"], print)
    assert verdicts(rows)["kill"] is False and verdicts(rows)["disk"] is True
    assert missed(rows)
