"""The model of commits in tools/model, checked by spin; docs/commit-model.md explains it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

MODEL = Path(__file__).parents[2] / "tools" / "model" / "commit.pml"
MISSING = [program for program in ("spin", "gcc") if shutil.which(program) is None]
pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.skipif(
        bool(MISSING), reason=f"the model of commits is not checked: {' and '.join(MISSING)} not installed"
    ),
]
_DEPTH = "-m1000000"


def verify(folder: Path, *definitions: str, liveness: bool = False) -> str:
    """The report of a complete search, for assertions and dead ends or for the liveness property."""
    options = ["-DNFAIR=3"] if liveness else ["-DSAFETY", "-DNOCLAIM"]
    _run(folder, "spin", *(f"-D{each}" for each in definitions), "-a", str(MODEL))
    _run(folder, "gcc", "-w", "-O2", "-DCOLLAPSE", *options, "-o", "pan", "pan.c")
    report = _run(folder, "./pan", _DEPTH, *(["-a", "-f"] if liveness else []))
    assert "depth too small" not in report and "out of memory" not in report
    return report


def errors(report: str) -> int:
    return int(re.findall(r"errors: (\d+)", report)[0])


@pytest.mark.parametrize(
    "definitions",
    [("CRASHES=1", "LOSSES=1"), ("CRASHES=2", "LOSSES=0"), ("CRASHES=1", "LOSSES=0", "SEQ_KEY_ONLY=1")],
    ids="-".join,
)
def test_acknowledged_commands_are_stored_once(tmp_path: Path, definitions: tuple[str, ...]) -> None:
    """Nothing acknowledged is lost or stored twice, and viewers see stored events only, in order."""
    report = verify(tmp_path, *definitions)
    assert errors(report) == 0 and "Search not completed" not in report


@pytest.mark.parametrize("definitions", [("CRASHES=1", "LOSSES=0"), ("CRASHES=0", "LOSSES=1")], ids="-".join)
def test_viewers_converge(tmp_path: Path, definitions: tuple[str, ...]) -> None:
    """In the end every command is acknowledged and every viewer has seen every event."""
    report = verify(tmp_path, *definitions, liveness=True)
    assert errors(report) == 0 and "fairness enabled" in report


@pytest.mark.parametrize(
    ("fault", "violated"),
    [
        pytest.param(1, "(seq<length)&&(event[seq]==command)", id="announce-before-commit"),
        pytest.param(2, "assertion violated 0", id="acknowledge-before-commit"),
        pytest.param(3, "assertion violated 0", id="no-unique-seq"),
    ],
)
def test_planted_mistakes_are_found(tmp_path: Path, fault: int, violated: str) -> None:
    """Spin finds each planted mistake."""
    report = verify(tmp_path, f"FAULT={fault}")
    assert errors(report) == 1 and violated in report


def _run(folder: Path, *words: str) -> str:
    done = subprocess.run(words, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
