"""Disks that fail while a server runs, and recover. Not every machine supports each scenario."""

import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..harness.process import ServerProcess
from ..store.failing_disk import filled_disk
from . import shim

OWN_MOUNTS = ("unshare", "--user", "--map-root-user", "--mount")
"""A private mount namespace, without root privileges."""
Failing = Callable[[ServerProcess, Path], AbstractContextManager[None]]
"""A context in which the disk of a server fails. The folder is for tools."""


@dataclass(frozen=True)
class Scenario:
    """A scenario of a failing disk."""

    name: str
    failing: Failing
    wrapper: tuple[str, ...] = ()
    """A command that must run the whole test."""
    prepare: Callable[[Path], None] = lambda data: None
    """Prepares the empty data folder."""
    environ: Callable[[Path, Path], dict[str, str]] = lambda data, tools: {}
    """Environment variables of the server."""


@contextmanager
def _limited(server: ServerProcess, tools: Path) -> Iterator[None]:
    """The server's files may not grow."""
    size = server.data.with_name(f"{server.data.name}-wal").stat().st_size
    before = resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    yield
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, before)


@contextmanager
def _read_only(server: ServerProcess, tools: Path) -> Iterator[None]:
    """All writes fail, as after a disk error."""
    switch = tools / "switch"
    switch.touch()
    yield
    switch.unlink()


def _mount(data: Path) -> None:
    """Mount a disk of four megabytes."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(data)], check=True)


def _preload(data: Path, tools: Path) -> dict[str, str]:
    return {
        "LD_PRELOAD": str(shim.build(tools, shim.READ_ONLY)),
        "FAULT_FOLDER": str(data.resolve()),
        "FAULT_SWITCH": str(tools / "switch"),
    }


FULL = Scenario("full", lambda server, tools: filled_disk(server.data.parent), OWN_MOUNTS, _mount)
LIMITED = Scenario("limited", _limited)
READ_ONLY = Scenario("read-only", _read_only, environ=_preload)
SCENARIOS = {scenario.name: scenario for scenario in (FULL, LIMITED, READ_ONLY)}


def missing(scenario: Scenario) -> str | None:
    """Why this machine cannot run a scenario, or None."""
    if scenario is READ_ONLY:
        return shim.missing()
    if scenario is LIMITED and not hasattr(resource, "prlimit"):
        return "only Linux can limit the files of another process"
    if scenario is FULL and not _succeeds(*OWN_MOUNTS, "mount", "-t", "tmpfs", "tmpfs", "/mnt"):
        return "this machine does not permit mounts"
    return None


def _succeeds(*command: str) -> bool:
    if shutil.which(command[0]) is None:
        return False
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
