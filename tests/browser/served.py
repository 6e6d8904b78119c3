"""A real server in a process of its own, until it is done with."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MANY = "1000000/minute"
SETTINGS = {
    "SANSSOUCI_WORKERS": "1",
    "SANSSOUCI_REVIEW_ROLLOUTS": "160",
    "SANSSOUCI_RATES": ",".join(
        f"{bucket}={MANY}"
        for bucket in ("create", "join", "guest", "command", "socket", "dial", "import", "read", "request")
    ),
}
"""All guests of the tests ask from one address."""
_PATIENCE = 300.0
"""Seconds in which computer players must be ready; the first time the rules are compiled."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Where it can be found."""
    data = folder / "tables.db"
    command = [sys.executable, "-m", "sanssouci", "serve", "--port", "0", "--data", str(data)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stderr=log, env=os.environ | SETTINGS)
    try:
        yield _ready(process, data.with_name(data.name + ".server"))
    finally:
        process.terminate()
        process.wait(_PATIENCE)


def _ready(process: "subprocess.Popen[bytes]", told: Path) -> str:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until and process.poll() is None:
        url = json.loads(told.read_bytes())["url"] if told.exists() else None
        if url is not None and _answers(f"{url}/ready"):
            return str(url)
        time.sleep(0.1)
    raise AssertionError("the server does not get ready")


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return bool(answer.status == 200)
    except OSError:  # refused, not ready, or too slow
        return False
