"""A worker process as its parent sees it: lines go to it, lines come from it, and in the end it is buried.

A thread starts the process, reads what it says and waits for its end, so that the event loop never waits. The
process runs in a session of its own: Ctrl-C at the server's terminal is not heard there, and when it is ended
all that it has started is ended with it.
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
_LONGEST_LINE = 1 << 20
_END = b""
_OWN = "SANSSOUCI_"
"""Settings of the server, passwords among them, are none of a player's business."""
_NICER = 5
"""A worker gives way to the server: whoever plays against a person does not wait for a search."""
_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)
"""How libraries are told how many threads to use; a host may have said otherwise."""


class WorkerProcess:
    """A worker that is starting, working or gone."""

    def __init__(self, config: bytes) -> None:
        self._config = config
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[bytes] = asyncio.Queue()
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._unwanted = False
        self.pid = 0
        self.status: int | None = None
        """How it ended: what it returned, or minus the signal that ended it; None if it never began."""
        self.gone: asyncio.Future[None] = self._loop.create_future()
        """Done when it is buried; to be waited for with ``asyncio.wait``, which cancels nothing."""
        Thread(target=self._attend, name="worker", daemon=True).start()

    def tell(self, line: bytes) -> None:
        """Write a line: it has read all lines before, so the pipe has room. If it is gone nothing happens."""
        with self._lock, contextlib.suppress(OSError):
            if self._process is not None:
                os.write(_file(self._process.stdin).fileno(), line)

    async def hear(self, seconds: float) -> bytes:
        """The next line that it says; ``TimeoutError``, or ``EOFError`` if nothing more will come."""
        async with asyncio.timeout(seconds):
            line = await self._lines.get()
        if line == _END:
            raise EOFError
        return line

    async def end(self) -> None:
        """End it; when this returns it is buried, and so is all that it had started."""
        with self._lock:
            self._unwanted = True
            if self._process is not None:
                _kill(self._process)
        await asyncio.wait({self.gone})

    def _attend(self) -> None:
        try:
            process = _start()
        except OSError:
            self._post(_END)
            return
        with self._lock:
            self._process, self.pid = process, process.pid
            if self._unwanted:
                _kill(process)
        self.tell(self._config)
        self._read(_file(process.stdout))
        self._bury(process)
        self._post(_END)

    def _read(self, pipe: IO[bytes]) -> None:
        """Until it ends, or says something without an end."""
        while (line := pipe.readline(_LONGEST_LINE)).endswith(b"\n"):
            self._post(line)

    def _bury(self, process: "subprocess.Popen[bytes]") -> None:
        with self._lock:
            # The group goes while its leader is not buried: its number cannot be another's yet.
            _kill(process)
            self._process = None
        self.status = process.wait()
        _file(process.stdin).close()
        _file(process.stdout).close()

    def _post(self, line: bytes) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed, and nobody listens
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
            if line == _END:
                self._loop.call_soon_threadsafe(self.gone.set_result, None)


def _start() -> "subprocess.Popen[bytes]":
    """Python again, with two pipes and nothing else of this process."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(_OWN)}
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", _MAIN],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**_ONE_THREAD, **ours},
        start_new_session=True,
    )
    with contextlib.suppress(AttributeError, OSError):  # not every system can, and it may be gone already
        os.setpriority(os.PRIO_PROCESS, process.pid, os.getpriority(os.PRIO_PROCESS, 0) + _NICER)
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
