"""``sanssouci serve`` in a separate process: started, paused, killed and restarted on the same data."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import psutil

from .client import Client
from .settings import ENVIRONMENT
from .transports import TcpTransport

ROOT = Path(__file__).parents[2]
_START = 300.0
"""Maximum seconds until a server is ready, even on a busy machine; the first start compiles the players."""
_POLL = 0.02


class ServerProcess:
    """A server on a data file."""

    forks = False
    """Whether to fork from a process that has all modules loaded, which saves a second of a core."""

    def __init__(
        self,
        data: Path | None,
        log: Path,
        environment: Mapping[str, str] | None = None,
        *,
        port: int = 0,
        command: Sequence[str] = (sys.executable, "-m", "sanssouci"),
        prepare: Callable[[], None] | None = None,
        fork: bool | None = None,
    ) -> None:
        """A forked process first calls ``prepare``; otherwise ``command`` starts the process.

        Without ``data``, the environment names a database, and the server needs a ``port``.
        """
        self._data = data
        self.log = log
        self.started = 0.0
        """When the process was started, by the monotonic clock."""
        self._environment = {**os.environ, **ENVIRONMENT, **(environment or {})}
        self._command, self._prepare = command, prepare
        self._fork = self.forks if fork is None else fork
        self._process: subprocess.Popen[bytes] | BaseProcess | None = None
        self._port = port

    @property
    def data(self) -> Path:
        assert self._data is not None, "it is a file"
        return self._data

    def __enter__(self) -> "ServerProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        assert self._process is not None and self._process.pid is not None, "it was started"
        return self._process.pid

    @property
    def host(self) -> str:
        """Host and port, once the server listens."""
        return f"127.0.0.1:{self._port}"

    @property
    def port(self) -> int:
        return self._port

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    def client(self, local_address: str | None = None) -> Client:
        return Client(TcpTransport(self.host, local_address))

    def start(self) -> None:
        """Start a process; it does not listen yet."""
        words = ["serve", "--port", str(self._port)]
        words += [] if self._data is None else ["--data", str(self._data)]
        self.started = time.monotonic()
        with self.log.open("ab") as log, Path(os.devnull).open("rb") as nothing:
            if self._fork and "LD_PRELOAD" not in self._environment:  # only a new program preloads a library
                from ..cli.command import fork

                streams = (nothing.fileno(), log.fileno(), log.fileno())
                self._process = fork(words, streams, self._environment, ROOT, self._prepare)
            else:
                self._process = subprocess.Popen(
                    [*self._command, *words],
                    env=self._environment,
                    cwd=ROOT,
                    stdin=nothing,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )

    async def listening(self) -> None:
        """Wait until the server accepts connections."""
        deadline = time.monotonic() + _START
        while not self._listens(deadline):
            await asyncio.sleep(_POLL)

    def wait_until_ready(self, path: str = "/ready") -> None:
        """Wait until the server answers 200 at a path; by default, until computer players can play."""
        deadline = time.monotonic() + _START
        while not self._listens(deadline) or not self._answers(path):
            time.sleep(_POLL)

    @property
    def is_running(self) -> bool:
        return not self._has_ended()

    def cpu_seconds(self) -> float:
        """Seconds of a core that the process has used since it was started, without its workers."""
        times = psutil.Process(self.pid).cpu_times()
        return float(times.user + times.system)

    def pause(self) -> None:
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def kill(self) -> None:
        """Kill the process and its group, as the kernel does when memory runs out."""
        if self._process is not None:
            self._process.kill()
            with suppress(ProcessLookupError):  # a fork that has no group yet has no worker either
                os.killpg(self.pid, signal.SIGKILL)
            self._wait()

    def stop(self) -> int:
        """Shut the server down in an orderly way; its exit status."""
        assert self._process is not None, "it was started"
        self._process.terminate()
        return self._wait()

    def _wait(self) -> int:
        process, self._process = self._process, None
        if isinstance(process, subprocess.Popen):
            return process.wait()
        assert process is not None
        process.join()
        return process.exitcode or 0

    def _has_ended(self) -> bool:
        if isinstance(self._process, subprocess.Popen):
            return self._process.poll() is not None
        return self._process is None or self._process.exitcode is not None

    def _listens(self, deadline: float) -> bool:
        """Whether connections are accepted; ``RuntimeError`` if the process has ended or takes too long."""
        if self._has_ended() or time.monotonic() > deadline:
            log = self.log.read_text(encoding="utf-8", errors="replace")
            raise RuntimeError(f"the server does not start:\n{log[-2000:]}")
        self._port = self._port or self._published_port()
        return bool(self._port) and _connects(self._port)

    def _published_port(self) -> int:
        """The free port that it took when it was started for the first time."""
        try:
            published = json.loads(self.data.with_name(f"{self.data.name}.server").read_bytes())
        except (OSError, ValueError):
            return 0
        return int(published["url"].rpartition(":")[2])

    def _answers(self, path: str) -> bool:
        try:
            with urlopen(self.url + path, timeout=10) as response:
                return bool(response.status == 200)
        except OSError:  # not ready, or too slow
            return False


@contextmanager
def running_process(
    data: Path, log: Path, environment: Mapping[str, str] | None = None, path: str = "/ready", **options: Any
) -> Iterator[ServerProcess]:
    """A server that has answered at a path; by default, when computer players can play."""
    with ServerProcess(data, log, environment, **options) as server:
        server.start()
        server.wait_until_ready(path)
        yield server
        server.stop()


def _connects(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=10).close()
    except OSError:
        return False
    return True
