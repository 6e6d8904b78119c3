"""``sanssouci worker``: mistakes of the host. tests/cluster/test_workers.py has workers that work."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .command import run

PASSWORD = "Dornroeschen-17"
NOWHERE = f"redis://:{PASSWORD}@127.0.0.1:1/0"


@pytest.mark.parametrize(
    ("words", "redis", "said"),
    [
        ((), "", "set SANSSOUCI_REDIS"),
        ((), f"http://:{PASSWORD}@host", "not the URL of a Redis server"),
        ((), NOWHERE, "redis://:***@127.0.0.1:1/0 cannot be reached"),
        (("--check",), NOWHERE, "no worker on this machine is ready"),
        (("--processes", "0"), NOWHERE, "--help"),
    ],
)
def test_mistakes_get_one_sentence(words: tuple[str, ...], redis: str, said: str) -> None:
    """The command exits with status 2 and one line, which never shows the password."""
    if redis == NOWHERE:
        pytest.importorskip("streaq", reason="streaq is not installed: pip install 'sanssouci-game[cluster]'")
    done = run("worker", *words, SANSSOUCI_REDIS=redis, SANSSOUCI_LOG_FORMAT="text")
    (line,) = done.stderr.splitlines()
    assert done.returncode == 2 and said in line and PASSWORD not in line


def test_the_packages_are_missing(tmp_path: Path) -> None:
    """The sentence names the extra."""
    (tmp_path / "streaq.py").write_text("raise ModuleNotFoundError('streaq')")
    done = subprocess.run(
        [sys.executable, "-m", "sanssouci", "worker", "--lang", "en"],
        env={**os.environ, "PYTHONPATH": str(tmp_path), "SANSSOUCI_REDIS": NOWHERE},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2 and "sanssouci-game[cluster]" in done.stderr
    assert "Traceback" not in done.stderr
