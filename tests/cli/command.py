"""The command line in real processes.

``run``, ``background`` and ``fork`` fork a process with all modules loaded, which saves the start-up time.
``COMMAND`` is for tests of start-up itself, and of streams that fail.
"""

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, TypeAlias

from sanssouci.cli import main

COMMAND = [sys.executable, "-m", "sanssouci"]
_ENVIRONMENT = {"COLUMNS": "80", "PYTHONIOENCODING": "utf-8", "LC_ALL": "", "LANG": "en_GB.UTF-8"}
_TIMEOUT = 300.0
"""Seconds after which something has failed, however busy the machine is."""
Done: TypeAlias = "subprocess.CompletedProcess[str]"
_STREAMS = ("stdin", "stdout", "stderr")
_PROCESSES = get_context("forkserver")
_PROCESSES.set_forkserver_preload([__name__, "tests.cli.preloaded"])


@dataclass
class Running:
    """A command that runs in the background."""

    words: list[str]
    process: BaseProcess
    streams: tuple[IO[bytes], IO[bytes]]

    def send(self, number: signal.Signals, group: bool = False) -> None:
        """Send a signal; to its whole group, as Ctrl-C at a terminal does."""
        assert self.process.pid is not None
        (os.killpg if group else os.kill)(self.process.pid, number)

    def finish(self) -> Done:
        """Wait for the command to exit, and check that it printed no traceback."""
        self.process.join(_TIMEOUT)
        assert self.process.exitcode is not None, f"{self.words} takes too long"
        out, err = map(_written, self.streams)
        assert "Traceback" not in err
        return subprocess.CompletedProcess(self.words, self.process.exitcode, out, err)


@contextmanager
def background(
    *arguments: object, cwd: Path | None = None, input: str = "", **environment: str
) -> Iterator[Running]:
    """Start the command; it is killed at the end of the ``with`` block."""
    with TemporaryFile() as stdin, TemporaryFile() as stdout, TemporaryFile() as stderr:
        stdin.write(input.encode())
        stdin.seek(0)
        streams = [stream.fileno() for stream in (stdin, stdout, stderr)]
        process = fork(arguments, streams, os.environ | _ENVIRONMENT | environment, cwd)
        try:
            yield Running([*map(str, arguments)], process, (stdout, stderr))
        finally:
            process.kill()
            process.join()


def run(*arguments: object, cwd: Path | None = None, input: str = "", **environment: str) -> Done:
    """Run the command to its end, and check that it printed no traceback."""
    with background(*arguments, cwd=cwd, input=input, **environment) as running:
        return running.finish()


def fork(
    arguments: Sequence[object],
    streams: Sequence[int],
    environment: Mapping[str, str],
    cwd: Path | None = None,
    prepare: Callable[[], None] | None = None,
) -> BaseProcess:
    """Start the command in a new process session, with these descriptors as stdin, stdout and stderr.

    If stdin is a terminal, it becomes the controlling terminal of the command. ``prepare`` is called first.
    """
    connections = [Connection(os.dup(stream)) for stream in streams]
    process = _PROCESSES.Process(
        target=_main,
        args=([*map(str, arguments)], connections, cwd or Path.cwd(), dict(environment), prepare),
    )
    process.start()
    for connection in connections:
        connection.close()
    return process


def run_fresh(*arguments: object, **environment: str) -> Done:
    """Run the command in a new Python process that is not forked."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        env=os.environ | _ENVIRONMENT | environment,
        timeout=_TIMEOUT,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done


def usage_error(*arguments: object, cwd: Path | None = None) -> str:
    """Run an invalid command: return its one-sentence error; nothing on stdout, exit status 2."""
    done = run(*arguments, cwd=cwd)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("sanssouci: ") and done.stderr.count("\n") == 1
    return done.stderr


def wait_for(condition: Callable[[], Any]) -> Any:
    """Call a function until its result is truthy, and return the result."""
    deadline = time.monotonic() + _TIMEOUT
    while not (found := condition()) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert found
    return found


def _written(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode(errors="replace")


def _main(
    words: list[str],
    streams: list[Connection],
    cwd: Path,
    environment: Mapping[str, str],
    prepare: Callable[[], None] | None,
) -> None:
    """In the forked process: take over streams, folder and environment, then run the command."""
    os.setsid()
    if os.isatty(streams[0].fileno()):
        os.login_tty(os.dup(streams[0].fileno()))
    for descriptor, name in enumerate(_STREAMS):
        os.dup2(streams[descriptor].fileno(), descriptor)
        streams[descriptor].close()
        raw = open(descriptor, "rb" if name == "stdin" else "wb", buffering=0, closefd=False)  # noqa: SIM115
        buffered = io.BufferedReader(raw) if name == "stdin" else io.BufferedWriter(raw)
        by_line = name == "stderr" or os.isatty(descriptor)
        stream = io.TextIOWrapper(buffered, environment.get("PYTHONIOENCODING"), line_buffering=by_line)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the test runner may ignore it
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))
    sys.argv = ["sanssouci", *words]
    if prepare is not None:
        prepare()
    main()
