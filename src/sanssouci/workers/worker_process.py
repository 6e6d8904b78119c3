"""A handle for a worker process: sends and receives lines, and reaps the process when it has exited.

A thread starts the process, reads its output and waits for its exit, so that the event loop never blocks. The
process runs in its own session: Ctrl-C at the server's terminal does not reach it, and its children are
killed along with it.
"""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from threading import Lock, Thread
from typing import IO

_MAIN = "from sanssouci.workers.worker import main; main()"
_MAX_LINE = 1 << 20
_END = b""
_SETTINGS_PREFIX = "SANSSOUCI_"
"""Removed from the environment: a player must not see the server's settings, which include secrets."""
_NICENESS = 5
"""Added to the server's own, so that requests do not wait for a search."""
_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)
"""One thread for each library, unless the host has set these variables."""


class WorkerProcess:
    """A worker that is starting, running or gone."""

    def __init__(self, config: bytes) -> None:
        self._config = config
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[bytes] = asyncio.Queue()
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._kill_requested = False
        self.pid = 0
        self.status: int | None = None
        """The exit status, or minus the signal that killed it; None if it never started."""
        self.start_error: OSError | None = None
        """Why it never started."""
        self.gone: asyncio.Future[None] = self._loop.create_future()
        """Done when the process is reaped. Wait for it with ``asyncio.wait``, which does not cancel it."""
        Thread(target=self._run, name="worker", daemon=True).start()

    def send(self, line: bytes) -> None:
        """Write a line; does nothing if the process is gone.

        This does not block: the worker has read all lines before, so the pipe has room.
        """
        with self._lock, contextlib.suppress(OSError):
            if self._process is not None:
                os.write(_file(self._process.stdin).fileno(), line)

    async def receive(self, seconds: float) -> bytes:
        """The next line; ``TimeoutError``, or ``EOFError`` if the process is gone."""
        async with asyncio.timeout(seconds):
            line = await self._lines.get()
        if line == _END:
            raise EOFError
        return line

    async def kill(self) -> None:
        """Kill the process and its children, and wait until it is reaped."""
        with self._lock:
            self._kill_requested = True
            if self._process is not None:
                _kill(self._process)
        await asyncio.wait({self.gone})

    def _run(self) -> None:
        try:
            process = _start()
        except OSError as error:
            self.start_error = error
            self._post(_END)
            return
        with self._lock:
            self._process, self.pid = process, process.pid
            if self._kill_requested:
                _kill(process)
        self.send(self._config)
        self._read(_file(process.stdout))
        self._reap(process)
        self._post(_END)

    def _read(self, pipe: IO[bytes]) -> None:
        """Stops at the end of the pipe or at a line that is too long."""
        while (line := pipe.readline(_MAX_LINE)).endswith(b"\n"):
            self._post(line)

    def _reap(self, process: "subprocess.Popen[bytes]") -> None:
        with self._lock:
            # The group is killed before its leader is reaped: until then no other process can get its id.
            _kill(process)
            self._process = None
        self.status = process.wait()
        _file(process.stdin).close()
        _file(process.stdout).close()

    def _post(self, line: bytes) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
            if line == _END:
                self._loop.call_soon_threadsafe(self.gone.set_result, None)


def _start() -> "subprocess.Popen[bytes]":
    """Start Python with two pipes; it inherits nothing else from this process."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(_SETTINGS_PREFIX)}
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", _MAIN],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**_ONE_THREAD, **ours},
        start_new_session=True,
    )
    with contextlib.suppress(AttributeError, OSError):  # not on every system, and the process may have exited
        os.setpriority(os.PRIO_PROCESS, process.pid, os.getpriority(os.PRIO_PROCESS, 0) + _NICENESS)
    return process


def _kill(process: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _file(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None, "both are pipes"
    return pipe
