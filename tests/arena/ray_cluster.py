"""A Ray cluster of several nodes on this machine, each in a process session of its own."""

import os
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from ..cli.command import wait_for

_START = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--num-cpus=1"]


class Cluster:
    """A head and other nodes with one processor each."""

    def __init__(self, folder: Path) -> None:
        self.environment = {
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(32),
            "RAY_USAGE_STATS_ENABLED": "0",
        }
        self._folder = folder
        self._nodes: list[subprocess.Popen[bytes]] = []
        self._port, client = free_port(), free_port()
        self.address = f"ray://127.0.0.1:{client}"
        self._start(
            "--head", f"--port={self._port}", f"--ray-client-server-port={client}",
            "--include-dashboard=false", f"--temp-dir={folder / 'ray'}",
        )  # fmt: skip
        wait_for(lambda: _listens(client))

    def add_node(self) -> int:
        """Start another node and wait until it has joined; its index."""
        return self._start(f"--address=127.0.0.1:{self._port}")

    def plays(self, node: int) -> bool:
        """Whether a node is working on a batch."""
        return any("ray::run_batch" in " ".join(process) for process in self._commands(node))

    def kill(self, node: int) -> None:
        """Kill all processes of a node, as a power cut would end it."""
        for pid in _session(self._nodes[node].pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._nodes[node].wait()

    def stop(self) -> None:
        for node in range(len(self._nodes)):
            self.kill(node)

    def _start(self, *options: str) -> int:
        node = len(self._nodes)
        with self._log(node).open("wb") as log:
            self._nodes.append(
                subprocess.Popen(
                    [*_START, *options],
                    env=os.environ | self.environment,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            )
        wait_for(lambda: b"Ray runtime started" in self._log(node).read_bytes())
        return node

    def _log(self, node: int) -> Path:
        return self._folder / f"node-{node}.log"

    def _commands(self, node: int) -> Iterator[list[str]]:
        for pid in _session(self._nodes[node].pid):
            with suppress(psutil.Error):
                yield psutil.Process(pid).cmdline()


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A cluster of one node; its folder has a short name, because it holds sockets."""
    with TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder:
        started = Cluster(Path(folder))
        try:
            yield started
        finally:
            started.stop()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def _session(leader: int) -> list[int]:
    """The processes of a session."""
    found = []
    for pid in psutil.pids():
        with suppress(OSError):
            if os.getsid(pid) == leader:
                found.append(pid)
    return found
