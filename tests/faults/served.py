"""A real server in a process of its own: started, killed, and started again on the same data."""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from types import TracebackType

import psutil

from sanssouci.server.limits.rate_limits import Limit

from .forked import Forked
from .planted import Plant

FORKS = False
"""Whether servers are forked, which saves a second of a core; pytest does so."""
ROOT = Path(__file__).parents[2]
_SETTINGS = {
    "SANSSOUCI_WORKERS": "1",
    "SANSSOUCI_PLAYERS": "random",
    "SANSSOUCI_RATES": ",".join(f"{bucket}=1000000/minute" for bucket in Limit),
    "SANSSOUCI_TABLES_PER_GUEST": "1000000",
    "SANSSOUCI_SEATS_PER_GUEST": "1000000",
    "SANSSOUCI_SOCKETS_PER_GUEST": "1000",
    "SANSSOUCI_CONNECTIONS_PER_ADDRESS": "1000000",
    "SANSSOUCI_LOG_LEVEL": "warning",
    "PYTHONDONTWRITEBYTECODE": "",
}
"""One computer does what many would: nothing here is about how often one may ask. And a server that is
installed has been compiled, whatever this shell says of it."""
_START = 120.0
"""Seconds within which a server listens, however busy the machine is."""
_LOOK = 0.02
"""Seconds between two looks whether the server is there."""


class Served:
    """A server on a data file; where it logs is beside the folder of the data."""

    def __init__(
        self,
        data: Path,
        log: Path,
        plant: Plant = Plant.NOTHING,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        """Other settings than those for the tests of the table."""
        self.data = data
        self.log = log
        self.started = 0.0
        """When its process began, by the clock that never goes back."""
        self.plant = plant
        self._settings = {**_SETTINGS, **(settings or {})}
        self._process: subprocess.Popen[bytes] | Forked | None = None
        self._port = 0

    def __enter__(self) -> "Served":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        """Of the process that runs."""
        assert self._process is not None, "it was started"
        return self._process.pid

    @property
    def place(self) -> str:
        """Its host and port, once it was open."""
        return f"127.0.0.1:{self._port}"

    def used(self) -> float:
        """Seconds of a core that the process has used since it was started, its workers not counted."""
        times = psutil.Process(self.pid).cpu_times()
        return float(times.user + times.system)

    def start(self) -> None:
        """Begin a process; ``opened`` waits until it can be asked."""
        words = ["serve", "--port", str(self._port), "--data", str(self.data)]
        environment = {**os.environ, **self._settings}
        self.started = time.monotonic()
        if FORKS and "LD_PRELOAD" not in environment:  # which is heeded only where a program starts
            self._process = Forked(self.plant, words, ROOT, self.log, environment)
            return
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", f"{__package__}.planted", self.plant, *words],
                env=environment,
                cwd=ROOT,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    async def opened(self) -> None:
        """Wait until somebody listens; ``RuntimeError`` if the process has ended instead."""
        async with asyncio.timeout(_START):
            while not await self._listens():
                if self._process is None or self._process.poll() is not None:
                    raise RuntimeError(
                        f"the server has ended:\n{self.log.read_text(encoding='utf-8')[-2000:]}"
                    )
                await asyncio.sleep(_LOOK)

    def kept(self) -> set[str]:
        """The ids, as their givers chose them, of all commands that the data file holds now."""
        with closing(sqlite3.connect(f"file:{self.data}?mode=ro", uri=True)) as connection:
            return {text.rpartition(":")[2] for (text,) in connection.execute("SELECT command_id FROM event")}

    def pause(self) -> None:
        """Stop the process where it is."""
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let a paused process go on."""
        os.kill(self.pid, signal.SIGCONT)

    def kill(self) -> None:
        """End the process and its group at once, as the kernel does when memory runs out."""
        if self._process is not None:
            self._process.kill()
            with suppress(ProcessLookupError):  # a fork that has no group yet has no worker either
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def stop(self) -> None:
        """End it in an orderly way."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None

    async def _listens(self) -> bool:
        self._port = self._port or self._published_port()
        if not self._port:
            return False
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self._port)
        except OSError:
            return False
        writer.close()
        return True

    def _published_port(self) -> int:
        """The free port that it took when it was started for the first time."""
        try:
            told = json.loads(self.data.with_name(f"{self.data.name}.server").read_bytes())
        except (OSError, ValueError):
            return 0
        return int(told["url"].rpartition(":")[2])
