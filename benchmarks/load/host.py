"""The server under test: a real ``sanssouci serve`` on a data file of its own, and what it costs."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import psutil

from sanssouci.server.limits.rate_limits import Limit

MANY = 1_000_000
SETTINGS = {
    "SANSSOUCI_WORKERS": "1",
    "SANSSOUCI_RATES": ",".join(f"{bucket}={MANY}/minute" for bucket in Limit),
    "SANSSOUCI_TABLES_PER_GUEST": str(MANY),
    "SANSSOUCI_SEATS_PER_GUEST": str(MANY),
    "SANSSOUCI_SOCKETS": "100000",
    "SANSSOUCI_SOCKETS_PER_GUEST": "100000",
    "SANSSOUCI_ADDRESS_FACTOR": "1000",
    "SANSSOUCI_CONNECTIONS_PER_ADDRESS": "100000",
}
"""All that is different from a server as it comes: everyone here asks from one address, and often."""
_PATIENCE = 120.0
"""Seconds in which a server must be ready; the first start on a machine compiles the computer players."""


@dataclass(frozen=True)
class Usage:
    """What a process has taken until a moment."""

    at: float
    cpu: float
    memory: int

    def share(self, before: "Usage") -> float:
        """The share of one core that it has taken since."""
        return (self.cpu - before.cpu) / (self.at - before.at)


class Host:
    """A server that runs."""

    def __init__(self, url: str, process: psutil.Process) -> None:
        self.url = url
        self._process = process

    def usage(self) -> Usage:
        """What the server itself takes; its worker, which has nothing to do here, is not counted."""
        return usage_of(self._process)


def usage_of(process: psutil.Process) -> Usage:
    """What a process has taken until now."""
    with process.oneshot():
        times, memory = process.cpu_times(), process.memory_info()
    return Usage(time.perf_counter(), times.user + times.system, memory.rss)


@contextmanager
def host(players: bool = True) -> Iterator[Host]:
    """A new server, until it is done with; with ``players`` it has prepared its computer players."""
    with TemporaryDirectory() as folder:
        told = Path(folder) / "log"
        command = [sys.executable, "-m", "sanssouci", "serve", "--port", "0", "--data", f"{folder}/tables.db"]
        with told.open("wb") as log:
            process = subprocess.Popen(command, stderr=log, env=os.environ | SETTINGS)
        try:
            url = _ready(process, told, "/ready" if players else "/health")
            yield Host(url, psutil.Process(process.pid))
        finally:
            process.terminate()
            process.wait(_PATIENCE)


def _ready(process: "subprocess.Popen[bytes]", told: Path, path: str) -> str:
    """Where the server is, once it answers."""
    for _ in range(int(_PATIENCE / 0.1)):
        if process.poll() is not None:
            raise SystemExit(told.read_text(encoding="utf-8", errors="replace"))
        url = next((word for word in told.read_text("utf-8").split() if word.startswith("http://")), None)
        if url is not None and httpx.get(url.rstrip(".") + path).status_code == httpx.codes.OK:
            return url.rstrip(".")
        time.sleep(0.1)
    raise SystemExit("the server is not ready in time")
