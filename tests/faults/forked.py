"""Servers that are forked from a process which has their modules loaded: real ones, without the start."""

import os
from collections.abc import Mapping
from pathlib import Path

from ..cli.command import fork
from .planted import PLANTS, Plant


class Forked:
    """A server process in a new session, with its log in a file and the interface of ``Popen``."""

    def __init__(self, plant: Plant, words: list[str], cwd: Path, log: Path, env: Mapping[str, str]) -> None:
        with log.open("ab") as out, Path(os.devnull).open("rb") as nothing:
            streams = (nothing.fileno(), out.fileno(), out.fileno())
            self._process = fork(words, streams, env, cwd, prepare=PLANTS[plant])
        assert self._process.pid is not None, "it was started"
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """The exit status of a process that has ended."""
        return self._process.exitcode

    def wait(self) -> None:
        """Wait until it has ended."""
        self._process.join()

    def terminate(self) -> None:
        """Send SIGTERM."""
        self._process.terminate()

    def kill(self) -> None:
        """Send SIGKILL."""
        self._process.kill()
