"""A copy of the working tree in which mutants are applied and tests are run.

Copies are in ``build/mutants`` and are kept between runs: Numba finds compiled code by the path and the
modification time of its source, so a new copy would compile for minutes. Each copy has a separate Numba
cache. A mutant of compiled code gets an empty one, which is deleted afterwards.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from .mutant import ROOT, Kind, Mutant, Target

HOME = ROOT / "build" / "mutants"
_SKIPPED = {".git", ".venv", "node_modules", "__pycache__", "build", "dist", "static"}
_TIMEOUT = 1800.0
"""Seconds after which a run is stopped."""


class Broken(Exception):
    """A patch does not apply, pages are not built, or tests do not run: the mutant has no verdict."""


@dataclass(frozen=True, slots=True)
class Run:
    """The result of running some targets."""

    caught_by: str
    """The first test that failed; empty if all passed."""
    skipped: bool = False
    """Whether every test was skipped."""


class Workspace:
    """One copy, for one thread."""

    def __init__(self, number: int, home: Path = HOME) -> None:
        self._home = home / str(number)
        self.tree = self._home / "tree"
        self._cache = self._home / "cache"
        self._process: subprocess.Popen[str] | None = None

    def prepare(self) -> None:
        """Update the copy from the working tree."""
        self.tree.mkdir(parents=True, exist_ok=True)
        wanted = set(_files(ROOT))
        for path in set(_files(self.tree)) - wanted:
            (self.tree / path).unlink()
        for path in wanted:
            self._restore(path)
        modules = self.tree / "web" / "node_modules"
        if not modules.exists():
            modules.symlink_to(ROOT / "web" / "node_modules", target_is_directory=True)
        self._check_import()

    @contextmanager
    def planted(self, mutant: Mutant) -> Iterator[None]:
        """Apply a mutant inside the block; ``Broken`` if the patch does not apply."""
        try:
            done = _git_apply(self.tree, str(mutant.path))
            if done.returncode:
                raise Broken(f"the patch does not apply: {done.stderr.strip()}")
            self._drop_bytecode(mutant.touched)
            yield
        finally:
            for path in mutant.touched:
                self._restore(path)
            self._drop_bytecode(mutant.touched)

    def run(self, targets: Sequence[Target], fresh_cache: bool = False) -> Run:
        """Run targets, one program after the other, until a test fails."""
        skipped = []
        with TemporaryDirectory(dir=self._home) as folder:
            environment = {"XDG_CACHE_HOME": folder if fresh_cache else str(self._cache)}
            report = Path(folder) / "report"
            if any(target.kind is Kind.PYTEST for target in targets):
                self._build_pages()
            for command in _commands(targets, report):
                found = self._run_one(command, report, environment)
                if found.caught_by:
                    return found
                skipped.append(found.skipped)
        return Run("", all(skipped))

    def _run_one(self, command: "_Command", report: Path, environment: dict[str, str]) -> Run:
        """Run one command. Exit codes other than 0 and 1, and 1 without a failed test, raise ``Broken``."""
        report.unlink(missing_ok=True)
        code, output = self._execute(command.words, environment)
        if code == 0 and command.kind is not Kind.PYTEST:
            return Run("")
        if code not in (0, 1):
            raise Broken(f"{command.kind.value} ends with {code}: {output[-2000:]}")
        run = command.read(report) if report.exists() or command.kind is Kind.LINT else Run("")
        if code == 1 and not run.caught_by:
            raise Broken(f"no test failed, but something else did: {output[-2000:]}")
        return run

    def stop(self) -> None:
        """Kill the running command and its process group."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _execute(self, words: Sequence[str], environment: dict[str, str]) -> tuple[int, str]:
        """Run a command; return exit code and output."""
        with subprocess.Popen(
            words,
            cwd=self.tree,
            env=self._environment() | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        ) as self._process:
            try:
                output, _ = self._process.communicate(timeout=_TIMEOUT)
            except subprocess.TimeoutExpired:
                self.stop()
                raise Broken(f"the tests take longer than {_TIMEOUT:.0f} seconds") from None
            code = self._process.returncode
        self._process = None
        return code, output

    def _environment(self) -> dict[str, str]:
        """The copy comes first on the path, also for programs that tests start."""
        return {**os.environ, "PYTHONPATH": str(self.tree / "src")}

    def _check_import(self) -> None:
        words = [sys.executable, "-c", "import sanssouci; print(sanssouci.__file__)"]
        _, output = self._execute(words, {})
        if not Path(output.strip()).is_relative_to(self.tree):
            raise Broken(f"the tests would import {output.strip()}, not the copy")

    def _build_pages(self) -> None:
        """Build the pages if ``web/`` has changed; tests of the server need them too."""
        code, output = self._execute([sys.executable, "hatch_build.py"], {})
        if code:
            raise Broken(f"the pages cannot be built: {output[-2000:]}")

    def _restore(self, path: str) -> None:
        """Copy a file from the working tree with its modification time, which Numba and Vite compare."""
        source, target = ROOT / path, self.tree / path
        try:
            if target.stat().st_mtime_ns == source.stat().st_mtime_ns:
                return
        except FileNotFoundError:
            target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)

    def _drop_bytecode(self, paths: Sequence[str]) -> None:
        """Delete bytecode: Python considers a file of the same size and second unchanged."""
        for path in map(Path, paths):
            for cached in (self.tree / path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
                cached.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class _Command:
    kind: Kind
    words: tuple[str, ...]
    read: Callable[[Path], Run]
    """Parses the report."""


def _commands(targets: Sequence[Target], report: Path) -> Iterator[_Command]:
    """Commands for targets: one for pytest targets without a keyword, and one for vitest."""
    pytest = (sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", f"--junitxml={report}")
    npm_test = (sys.executable, "hatch_build.py", "npm", "test", "--silent", "--", "--reporter=json")
    plain = [target.name for target in targets if target.kind is Kind.PYTEST and not target.keyword]
    vitest = [target.name.removeprefix("web/") for target in targets if target.kind is Kind.VITEST]
    for target in targets:
        if target.kind is Kind.LINT:
            program, *options = target.name.split()
            words = (str(Path(sys.executable).parent / program), *options)
            yield _Command(Kind.LINT, words, lambda _, name=target.name: Run(name))  # type: ignore[misc]
    if vitest:
        yield _Command(Kind.VITEST, (*npm_test, f"--outputFile={report}", *filter(None, vitest)), _vitest_run)
    if plain:
        yield _Command(Kind.PYTEST, (*pytest, *plain), _pytest_run)
    for target in targets:
        if target.keyword:
            yield _Command(Kind.PYTEST, (*pytest, target.name, "-k", target.keyword), _pytest_run)


def _pytest_run(report: Path) -> Run:
    cases = list(ET.parse(report).getroot().iter("testcase"))
    failed = [case for case in cases if case.find("failure") is not None]
    name = f"{failed[0].get('classname')}::{failed[0].get('name')}" if failed else ""
    return Run(name, all(case.find("skipped") is not None for case in cases))


def _vitest_run(report: Path) -> Run:
    files = json.loads(report.read_bytes())["testResults"]
    tests = [(Path(file["name"]).name, test) for file in files for test in file["assertionResults"]]
    failed = [f"{file}: {test['fullName'].strip()}" for file, test in tests if test["status"] == "failed"]
    return Run(failed[0] if failed else "")


def _git_apply(tree: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run ``git apply``; the tree need not be a repository, and may be inside one."""
    return subprocess.run(
        ["git", "apply", *words],
        cwd=tree,
        env={**os.environ, "GIT_CEILING_DIRECTORIES": str(tree.parent)},
        capture_output=True,
        text=True,
        check=False,
    )


def apply_errors(patches: Sequence[Path], tree: Path = ROOT) -> dict[Path, str]:
    """The patches that do not apply to a tree, with the error."""
    if not _git_apply(tree, "--check", *map(str, patches)).returncode:
        return {}
    found = {patch: _git_apply(tree, "--check", str(patch)) for patch in patches}
    return {patch: done.stderr.strip() for patch, done in found.items() if done.returncode}


def _files(root: Path) -> Iterator[str]:
    """The files of a tree, relative to it, without installed or built ones."""
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in _SKIPPED and not name.endswith("_cache")]
        for name in files:
            path = Path(folder, name)
            if not path.is_symlink():
                yield path.relative_to(root).as_posix()


@contextmanager
def stopwatch() -> Iterator[list[float]]:
    """A list that has the elapsed seconds when the block has ended."""
    started, taken = time.monotonic(), [0.0]
    try:
        yield taken
    finally:
        taken[0] = time.monotonic() - started
