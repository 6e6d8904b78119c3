"""An engine as a child process: lines in and out, within limits of time and length.

It runs without a shell, in its own session. Stopping it kills its whole process group. A watchdog process
kills the group if this process dies.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import time
from typing import IO

from sanssouci.locale import UserError, os_error_reason

LONGEST_LINE = 1 << 16
"""The longest line that an engine may write, in bytes."""
_KEPT = 4096
"""The last bytes of standard error that are kept."""
_GRACE = 1.0
"""Seconds for an engine to exit by itself."""
_LOOK = 0.2
"""Seconds between checks whether a silent engine still runs."""
_CHUNK = 1 << 16
_WATCH = 'read -r group; read -r nothing; kill -s KILL -- "-$group"'
"""The watchdog: waits until the pipe to it is closed, which happens however this process ends."""


class EngineFault(UserError):
    """An engine that failed or broke the protocol, with the reason."""


class EngineProcess:
    """A running engine; ``EngineFault`` if it fails, ``TimeoutError`` if it is late."""

    def __init__(self, words: tuple[str, ...]) -> None:
        if not hasattr(os, "killpg"):
            raise EngineFault("program.unsupported")
        watch = _start(("sh", "-c", _WATCH))
        try:
            self._process = _start(words)
        except BaseException:
            _end(watch)
            raise
        self._watch = watch
        with contextlib.suppress(OSError):  # the watchdog has died
            os.write(_file(watch.stdin).fileno(), f"{self._process.pid}\n".encode())
        self._stdout = b""
        self._stderr = b""
        self._stdout_closed = False
        """Whether it has closed its standard output."""
        self._stderr_closed = False
        """Whether it has closed its standard error."""
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            os.set_blocking(_file(pipe).fileno(), False)

    @property
    def last_words(self) -> str:
        """The end of its standard error."""
        return self._stderr.decode("utf-8", "replace").strip()

    def write_line(self, line: bytes, deadline: float) -> None:
        """Write a line; the engine must read it before the deadline."""
        left = line + b"\n"
        while left:
            self._wait(deadline, writing=True)
            try:
                left = left[os.write(_file(self._process.stdin).fileno(), left) :]
            except BlockingIOError:
                continue
            except OSError:
                raise self._gone() from None

    def read_line(self, deadline: float) -> bytes:
        """The next line that it writes."""
        while b"\n" not in self._stdout[: LONGEST_LINE + 1]:
            if len(self._stdout) > LONGEST_LINE:
                raise EngineFault("program.long_line", limit=LONGEST_LINE)
            if self._stdout_closed:
                raise self._gone()
            self._wait(deadline)
        line, _, self._stdout = self._stdout.partition(b"\n")
        return line

    def unexpected_output(self) -> bytes:
        """Output that has not been read yet."""
        self._listen(0)
        return self._stdout

    def end(self, politely: bool = False) -> int | None:
        """Kill the engine with its process group; returns its exit status, or None if it had to be killed."""
        if self._process.returncode is not None:
            return self._process.returncode
        with contextlib.suppress(OSError):
            _file(self._process.stdin).close()
        by_itself = self._ends_within(_GRACE if politely else 0)
        self._listen(0)
        # The group goes while its leader is not buried yet: its number cannot be another's.
        status = _end(self._process)
        _end(self._watch)
        return status if by_itself or status != -signal.SIGKILL else None

    def _gone(self) -> EngineFault:
        """The fault of an engine that has closed its output or input, usually because it ended."""
        status = self.end(politely=True)
        if status is None:
            return EngineFault("program.closed")
        if status < 0:
            with contextlib.suppress(ValueError):
                return EngineFault("program.killed", signal=signal.Signals(-status).name)
        return EngineFault("program.ended", status=status)

    def _ends_within(self, seconds: float) -> bool:
        """Whether it ends by itself in time; it is not reaped yet."""
        deadline = time.monotonic() + seconds
        while not (ended := _has_ended(self._process.pid)) and time.monotonic() < deadline:
            time.sleep(0.005)
        return ended

    def _wait(self, deadline: float, writing: bool = False) -> None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        # Its children may keep the pipes open after it has exited, so the pipes alone are not enough.
        if not self._listen(min(left, _LOOK), writing) and _has_ended(self._process.pid):
            raise self._gone()

    def _listen(self, seconds: float, writing: bool = False) -> bool:
        """Wait for input, and read it, or until writing is possible; False when the time is over."""
        out, err = _file(self._process.stdout), _file(self._process.stderr)
        with selectors.DefaultSelector() as selector:
            if not self._stderr_closed:
                selector.register(err, selectors.EVENT_READ)
            if not self._stdout_closed and len(self._stdout) <= LONGEST_LINE:
                selector.register(out, selectors.EVENT_READ)
            if writing:
                selector.register(_file(self._process.stdin), selectors.EVENT_WRITE)
            ready = [key.fileobj for key, _ in selector.select(seconds)]
        if err in ready:
            more = _read(err)
            self._stderr, self._stderr_closed = (self._stderr + more)[-_KEPT:], not more
        if out in ready:
            more = _read(out)
            self._stdout, self._stdout_closed = self._stdout + more, not more
        return bool(ready)


def _start(words: tuple[str, ...]) -> "subprocess.Popen[bytes]":
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(
            words, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
        )
    except (OSError, ValueError) as error:  # ValueError: a word that no system takes
        raise EngineFault("program.not_started", program=words[0], reason=os_error_reason(error)) from None


def _end(process: "subprocess.Popen[bytes]") -> int:
    """Kill a process with its group, reap it and close its pipes; returns its exit status."""
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    status = process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        _file(pipe).close()
    return status


def _has_ended(pid: int) -> bool:
    """Whether a child has ended, without reaping it; False where the system cannot tell."""
    if not hasattr(os, "waitid"):
        return False
    with contextlib.suppress(OSError):
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    return True


def _read(pipe: IO[bytes]) -> bytes:
    """The bytes that are available; empty at the end."""
    try:
        return os.read(pipe.fileno(), _CHUNK)
    except OSError:
        return b""


def _file(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None, "all three are pipes"
    return pipe
