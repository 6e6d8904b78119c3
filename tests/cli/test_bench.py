"""``sanssouci bench``: figures that can be read by people and programs."""

import json
import shutil

import pytest

from sanssouci.bench import measurements
from sanssouci.bench.c_baseline import checksum, compile_baseline
from sanssouci.bench.measurements import Playout
from sanssouci.bench.timing import best_of
from sanssouci.cli.bench import bench
from sanssouci.rules import Variant

PROMISED = (
    "rules_turns_per_s",
    "kernel_turns_per_s",
    "kernel_games_per_s",
    "two_threads_ratio",
    "step_turns_per_s",
    "expansions_ratio",
    "ceiling_turns_per_s",
)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is measured, on few games."""
    for name, value in {"GAMES": 300, "LONG_SERIES": 500, "GREEDY_GAMES": 20, "RULES_SECONDS": 0.02}.items():
        monkeypatch.setattr(measurements, name, value)


@pytest.mark.usefixtures("short")
def test_the_document_has_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    """One JSON document; every figure is a number that was measured, and C played the same games."""
    bench(json=True)
    told = json.loads(capsys.readouterr().out)
    for name in (*PROMISED, *measurements.GOALS):
        assert told[name] is None if name.startswith("ceiling") and not shutil.which("cc") else told[name] > 0
    assert told["same_games_as_in_c"] is (True if shutil.which("cc") else None)


@pytest.mark.usefixtures("short")
def test_the_table_names_figures_and_goals(capsys: pytest.CaptureFixture[str]) -> None:
    """It fits in 80 columns."""
    bench()
    told = capsys.readouterr().out
    assert "kernel_turns_per_s" in told and "25,000" in told
    assert max(map(len, told.splitlines())) <= 80


def test_without_a_compiler_there_is_no_ceiling(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """Also where the compiler cannot be run, or fails."""
    monkeypatch.setenv("PATH", "")
    assert compile_baseline("ceiling", str(tmp_path)) is None
    for compiler in ("/nonexistent/cc", "/bin/false"):
        monkeypatch.setenv("CC", compiler)
        assert compile_baseline("ceiling", str(tmp_path)) is None
    monkeypatch.delenv("CC")
    assert compile_baseline("no-such-source", str(tmp_path)) is None


def test_the_checksum_notices_a_single_point() -> None:
    """It says that C and kernel played the same games only if they did."""
    playout = Playout(Variant(2), games=20)
    before = checksum(playout.results)
    playout.results[19, 1, 0] += 1
    assert checksum(playout.results) != before


def test_the_best_of_several_rounds_is_taken_for_each() -> None:
    """Rivals take turns; each keeps its own shortest time."""
    times = iter([3.0, 9.0, 1.0, 8.0])
    assert best_of(lambda: next(times), lambda: next(times), rounds=2) == [1.0, 8.0]
