"""The browser benchmark: a short run measures everything."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def measured(*parts: str) -> dict[str, Any]:
    """The figures of a short run, which cannot reach or miss a goal."""
    command = [sys.executable, "-m", "benchmarks.browser", *parts, "--short", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    assert {row["ok"] for row in report["rows"].values()} == {None}
    figures: dict[str, Any] = report["figures"]
    assert figures["size"]["packed"] > 10_000
    return figures


def test_a_part_is_measured(chromium: str) -> None:
    """A part can be measured alone: the download size, which is the quickest."""
    assert set(measured("size")) == {"size"}


@pytest.mark.exhaustive
def test_everything_is_measured(chromium: str) -> None:
    """All figures are measured and positive."""
    figures = measured()
    assert {"click: card", "click: tile", "click: noble", "click: undo", "click: rules"} <= set(figures)
    assert figures["start, first visit"]["p50_ms"] > 0 and figures["table, again"]["p50_ms"] > 0
    assert figures["frames, as shown"]["n"] > 10 and figures["frames, own work"]["n"] > 10
    assert figures["level:3, 2 seats"]["n"] == 2 and figures["level:3, 4 seats, all expansions"]["n"] >= 6
