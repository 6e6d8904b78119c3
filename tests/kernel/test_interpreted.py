"""The kernel plays the same games compiled, interpreted and without Numba."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import sanssouci
from sanssouci.kernel import COMPILES

from . import fingerprint

ROOT = Path(__file__).parents[2]
compiled = pytest.mark.skipif(not COMPILES, reason="there is no compiled kernel here to compare with")


def other_fingerprint(cache: Path, *folders: Path, **environment: str) -> dict[str, Any]:
    """The fingerprint of another Python process with these folders first; warnings are errors there."""
    path = os.pathsep.join(map(str, (*folders, Path(sanssouci.__file__).parents[1])))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.kernel.fingerprint"],
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        env=os.environ | {"XDG_CACHE_HOME": str(cache), "PYTHONPATH": path} | environment,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@compiled
def test_interpreted_code_plays_the_same_games(tmp_path: Path) -> None:
    """With NUMBA_DISABLE_JIT=1 nothing is compiled or cached, and all results are equal."""
    expected = fingerprint.fingerprint()
    assert expected.pop("compiles") is True
    found = other_fingerprint(tmp_path, NUMBA_DISABLE_JIT="1")
    assert found.pop("compiles") is False
    assert found == json.loads(json.dumps(expected))
    assert list(tmp_path.iterdir()) == []


@compiled
def test_without_numba_the_same_games_are_played(tmp_path: Path) -> None:
    """Without Numba the kernel runs interpreted, with equal results."""
    (tmp_path / "numba.py").write_text("raise ImportError('no wheel for this machine')\n")
    expected = fingerprint.fingerprint()
    found = other_fingerprint(tmp_path / "cache", tmp_path)
    assert (expected.pop("compiles"), found.pop("compiles")) == (True, False)
    assert found == json.loads(json.dumps(expected))
    assert not (tmp_path / "cache").exists()
