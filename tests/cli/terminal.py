"""A command in a pseudo-terminal."""

import fcntl
import os
import signal
import struct
import termios
from collections.abc import Callable, Mapping
from pathlib import Path

from pexpect.fdpexpect import fdspawn

from .command import fork

_TIMEOUT = 120.0
"""Seconds until expected output must appear, however busy the machine is."""


class Terminal(fdspawn):  # type: ignore[type-arg]  # at run time it has none
    """Runs a forked command in a pseudo-terminal; ``expect`` and ``send`` work as in pexpect."""

    def __init__(
        self,
        *arguments: object,
        environment: Mapping[str, str],
        cwd: Path | None = None,
        columns: int = 80,
        prepare: Callable[[], None] | None = None,
    ) -> None:
        ours, theirs = os.openpty()
        super().__init__(ours, timeout=_TIMEOUT, encoding="utf-8")
        self.delayafterread = None
        self.set_size(40, columns)
        _disable_echo(theirs)
        self.process = fork(arguments, [theirs] * 3, environment, cwd, prepare)
        os.close(theirs)

    def set_size(self, rows: int, columns: int) -> None:
        """Resize the window; the kernel sends the command SIGWINCH."""
        fcntl.ioctl(self.child_fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def interrupt(self) -> None:
        """Type Ctrl-C."""
        self.send("\x03")

    def kill(self, number: signal.Signals) -> None:
        """Send a signal to the command."""
        assert self.process.pid is not None
        os.kill(self.process.pid, number)

    def exit_status(self) -> int | None:
        """Wait for the command to exit, and return its status."""
        self.process.join(self.timeout)
        return self.process.exitcode

    def close(self) -> None:
        """Kill the command if it still runs, and close its terminal."""
        self.process.kill()
        self.process.join()
        super().close()


def _disable_echo(terminal: int) -> None:
    attributes = termios.tcgetattr(terminal)
    attributes[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, attributes)
