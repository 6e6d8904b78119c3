"""``sanssouci bench``: its figures, as a table and as JSON."""

import json
import shutil
from typing import Any

import pytest
import typer

from sanssouci import bench as benchmarks
from sanssouci.bench import measurements, scaling
from sanssouci.bench.c_baseline import checksum, compile_baseline
from sanssouci.bench.measurements import Playout
from sanssouci.bench.timing import best_of
from sanssouci.cli.bench import bench
from sanssouci.rules import Variant

DOCUMENTED_FIGURES = (
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
    """Measure everything with few games."""
    for name, value in {"GAMES": 300, "LONG_SERIES": 500, "GREEDY_GAMES": 20, "RULES_SECONDS": 0.02}.items():
        monkeypatch.setattr(measurements, name, value)
    for name, sizes in {"SIZES": (10, 20), "LONG_SIZES": (10, 20, 40)}.items():
        monkeypatch.setattr(scaling, name, sizes)
    for name, value in {"GAMES": 20, "VARIANT_GAMES": 20, "VARIANT_SECONDS": 0.01}.items():
        monkeypatch.setattr(scaling, name, value)


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Replace the measurements with constants."""
    measured = {"rules_turns_per_s": 24_000.0, "million_games_s": 2.5, "same_games_as_in_c": None}
    monkeypatch.setattr(benchmarks, "measure", lambda tell: measured)
    return measured


@pytest.mark.usefixtures("short")
def test_the_document_has_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    """Every documented figure is a positive number, and the C baseline played the same games."""
    bench(json=True)
    output = json.loads(capsys.readouterr().out)
    for name in (*DOCUMENTED_FIGURES, *measurements.GOALS):
        assert (
            output[name] is None
            if name.startswith("ceiling") and not shutil.which("cc")
            else output[name] > 0
        )
    assert output["same_games_as_in_c"] is (True if shutil.which("cc") else None)


@pytest.mark.usefixtures("short")
def test_the_table_names_figures_and_goals(capsys: pytest.CaptureFixture[str]) -> None:
    """The table shows figures and goals, and fits in 80 columns."""
    bench()
    output = capsys.readouterr().out
    assert "kernel_turns_per_s" in output and "25,000" in output
    assert max(map(len, output.splitlines())) <= 80


def test_without_a_compiler_there_is_no_baseline(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """The C baseline is skipped if the compiler is missing, cannot be run, or fails."""
    monkeypatch.setenv("PATH", "")
    assert compile_baseline("ceiling", str(tmp_path)) is None
    for compiler in ("/nonexistent/cc", "/bin/false"):
        monkeypatch.setenv("CC", compiler)
        assert compile_baseline("ceiling", str(tmp_path)) is None
    monkeypatch.delenv("CC")
    assert compile_baseline("no-such-source", str(tmp_path)) is None


def test_the_checksum_detects_a_single_point() -> None:
    """Changing one point of one game changes the checksum."""
    playout = Playout(Variant(2), games=20)
    before = checksum(playout.results)
    playout.results[19, 1, 0] += 1
    assert checksum(playout.results) != before


def test_best_of_keeps_the_shortest_time_of_each() -> None:
    """Candidates alternate, and the shortest time of each is kept."""
    times = iter([3.0, 9.0, 1.0, 8.0])
    assert best_of(lambda: next(times), lambda: next(times), rounds=2) == [1.0, 8.0]


@pytest.mark.usefixtures("short")
def test_cost_is_measured_by_games_seats_and_variant() -> None:
    """Growth is measured for every size, number of seats and variant; peak memory never falls."""
    output: list[str] = []
    growth = scaling.measure_growth(output.append)
    assert output == ["memory", "games", "seats", "variants"]
    assert list(growth["nanoseconds_per_turn_by_games"]) == ["10", "20"]
    assert list(growth["nanoseconds_per_turn_by_seats"]) == ["2", "3", "4"]
    variants = growth["turns_per_s_by_variant"]
    assert len(variants) == 18 and "4 imperial rewards wild boar" in {
        name.replace("_", " ") for name in variants
    }
    assert all(pace["rules"] > 0 and pace["kernel"] > 0 for pace in variants.values())
    memory = list(growth["peak_memory_mib_by_games"].values())
    assert memory == sorted(memory) and all(10 < mib < 100_000 for mib in memory)


def test_full_reports_how_cost_grows(
    figures: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``--full`` adds the growth as tables or to the JSON document; missing measurements are a dash."""
    growth = {
        "by_games": {"1000": 12.5, "10000": None},
        "by_variant": {"2": {"rules": 1234.5, "kernel": 9.0}},
    }
    monkeypatch.setattr(benchmarks, "measure_growth", lambda tell: growth)
    bench(full=True, json=True)
    assert json.loads(capsys.readouterr().out) == figures | growth
    bench(full=True)
    lines = [line.replace("│", " ").split() for line in capsys.readouterr().out.splitlines()]
    assert ["by_games"] in lines and ["1000", "12.5"] in lines and ["10000", "-"] in lines
    assert ["2", "1,234", "9"] in lines


def test_a_missed_goal_is_marked(figures: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """Missed goals are marked with "!"; figures that reach their goal are not."""
    figures["million_games_s"] = 11.0
    bench()
    figures["rules_turns_per_s"] = 25_000.0
    bench()
    output = capsys.readouterr().out
    assert output.count("25,000 !") == 1 and output.count("10 !") == 2


def test_a_busy_machine_gives_a_warning(
    figures: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A load average above the number of cores gives a warning."""
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    for load, warned in ((3.9, False), (4.2, True)):
        monkeypatch.setattr("os.getloadavg", lambda load=load: (load, 0.0, 0.0))
        bench()
        assert (f"{load}" in capsys.readouterr().err) is warned


def test_a_difference_from_the_c_baseline_fails(figures: dict[str, Any]) -> None:
    """If the C baseline played other games, the exit status is 1."""
    figures["same_games_as_in_c"] = False
    with pytest.raises(typer.Exit) as exited:
        bench()
    assert exited.value.exit_code == 1
