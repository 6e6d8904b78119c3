"""The command line as a person types it: real processes."""

import os
import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-m", "sanssouci"]


def run(
    *arguments: object, cwd: Path | None = None, input: str = "", **environment: str
) -> "subprocess.CompletedProcess[str]":
    """Run the command; whatever happens there is no traceback."""
    own = {"COLUMNS": "80", "PYTHONIOENCODING": "utf-8", "LC_ALL": "", "LANG": "en_GB.UTF-8"}
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        env=os.environ | own | environment,
        input=input,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done


def mistake(*arguments: object, cwd: Path | None = None) -> str:
    """What is said of a mistake: one sentence, nothing on standard output, exit status 2."""
    done = run(*arguments, cwd=cwd)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("sanssouci: ") and done.stderr.count("\n") == 1
    return done.stderr
