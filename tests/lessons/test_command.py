"""The command that makes and checks lessons: what is typed wrong is told in one line."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (("check", "--file", "{folder}/none.json"), "none.json: No such file or directory"),
        (("check", "--file", "{folder}/other.json"), "other.json: no file of lessons"),
        (("check", "--runs", "0"), "'0' is not a whole number from 1 on"),
        (("make", "--threads", "two"), "'two' is not a whole number from 1 on"),
        (("make", "--file", "{folder}/none/lessons.json"), "lessons.json: No such file or directory"),
    ],
)
def test_a_mistake_is_told_in_one_line(typed: tuple[str, ...], told: str, tmp_path: Path) -> None:
    """Without a traceback, and before any game is played."""
    (tmp_path / "other.json").write_text("[]", encoding="utf-8")
    words = [word.format(folder=tmp_path) for word in typed]
    command = [sys.executable, "-m", "sanssouci.lessons", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode and told in done.stderr.splitlines()[-1] and "Traceback" not in done.stderr
