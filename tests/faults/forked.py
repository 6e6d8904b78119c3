"""Processes that are forked from one which has the server's modules loaded: real ones, without the start."""

import os
import sys
from collections.abc import Mapping
from multiprocessing import get_context
from pathlib import Path

from sanssouci.cli import main

from .planted import PLANTS, Plant

_PROCESSES = get_context("forkserver")
_PROCESSES.set_forkserver_preload([__name__, "tests.cli.preloaded"])


class Forked:
    """A process with streams and a process group of its own; it is used as a ``Popen``."""

    def __init__(self, plant: Plant, words: list[str], cwd: Path, log: Path, env: Mapping[str, str]) -> None:
        self._process = _PROCESSES.Process(target=_run, args=(plant, words, cwd, log, dict(env)), daemon=True)
        self._process.start()
        assert self._process.pid is not None, "it was started"
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """The exit status of a process that has ended."""
        return self._process.exitcode

    def wait(self) -> None:
        """Until it has ended."""
        self._process.join()

    def terminate(self) -> None:
        """With SIGTERM."""
        self._process.terminate()

    def kill(self) -> None:
        """With SIGKILL."""
        self._process.kill()


def _run(plant: Plant, words: list[str], cwd: Path, log: Path, env: Mapping[str, str]) -> None:
    """In the forked process: take over streams, folder and environment, then be the command."""
    os.setsid()
    opened = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for descriptor in (sys.stdout.fileno(), sys.stderr.fileno()):
        os.dup2(opened, descriptor)
    os.close(opened)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = ["sanssouci", *words]
    PLANTS[plant]()
    main()
