"""The command line as a person types it.

``run`` forks a process that has the modules loaded already: a real process, only without the start.
``COMMAND`` is for tests of the start itself, of signals, and of streams that fail.
"""

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from sanssouci.cli import main

COMMAND = [sys.executable, "-m", "sanssouci"]
_ENVIRONMENT = {"COLUMNS": "80", "PYTHONIOENCODING": "utf-8", "LC_ALL": "", "LANG": "en_GB.UTF-8"}
_TIMEOUT = 120.0
Done: TypeAlias = "subprocess.CompletedProcess[str]"
_STREAMS = ("stdin", "stdout", "stderr")
_PROCESSES = get_context("forkserver")
_PROCESSES.set_forkserver_preload([__name__, "tests.cli.preloaded"])


def run(*arguments: object, cwd: Path | None = None, input: str = "", **environment: str) -> Done:
    """Run the command; whatever happens there is no traceback."""
    everything = os.environ | _ENVIRONMENT | environment
    done = _fork([*map(str, arguments)], cwd or Path.cwd(), input, everything)
    assert "Traceback" not in done.stderr
    return done


def run_fresh(*arguments: object, **environment: str) -> Done:
    """The same in a Python that starts for it, as no process's child."""
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


def mistake(*arguments: object, cwd: Path | None = None) -> str:
    """What is said of a mistake: one sentence, nothing on standard output, exit status 2."""
    done = run(*arguments, cwd=cwd)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("sanssouci: ") and done.stderr.count("\n") == 1
    return done.stderr


def _fork(words: list[str], cwd: Path, input: str, environment: Mapping[str, str]) -> Done:
    with TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in _STREAMS]
        paths[0].write_text(input, encoding="utf-8")
        process = _PROCESSES.Process(target=_main, args=(words, paths, cwd, environment))
        process.start()
        process.join(_TIMEOUT)
        if process.exitcode is None:
            process.kill()
            raise subprocess.TimeoutExpired(words, _TIMEOUT)
        out, err = (path.read_text(encoding="utf-8", errors="replace") for path in paths[1:])
        return subprocess.CompletedProcess(words, process.exitcode, out, err)


def _main(words: list[str], paths: list[Path], cwd: Path, environment: Mapping[str, str]) -> None:
    """In the forked process: take over streams, folder and environment, then be the command."""
    for descriptor, (name, path) in enumerate(zip(_STREAMS, paths, strict=True)):
        opened = os.open(path, os.O_RDONLY if name == "stdin" else os.O_WRONLY | os.O_CREAT)
        os.dup2(opened, descriptor)
        os.close(opened)
        raw = open(descriptor, "rb" if name == "stdin" else "wb", buffering=0, closefd=False)  # noqa: SIM115
        buffered = io.BufferedReader(raw) if name == "stdin" else io.BufferedWriter(raw)
        encoding = environment["PYTHONIOENCODING"]
        stream = io.TextIOWrapper(buffered, encoding, line_buffering=name == "stderr")
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))
    sys.argv = ["sanssouci", *words]
    main()
