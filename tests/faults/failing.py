"""Disks that fail while a server is at work, and recover: ways that a machine may know or not."""

import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from . import shim
from .served import Served

OWN_MOUNTS = ("unshare", "--user", "--map-root-user", "--mount")
"""Mounts that nobody else sees, also for those who are not root."""
Failing = Callable[[Served, Path], AbstractContextManager[None]]
"""As long as it lasts, the disk of a server fails; the folder is for what is needed for that."""


@dataclass(frozen=True)
class Way:
    """How a disk fails."""

    name: str
    failing: Failing
    through: tuple[str, ...] = ()
    """A command through which everything has to run."""
    prepare: Callable[[Path], None] = lambda data: None
    """What is done with the empty folder of the data."""
    environ: Callable[[Path, Path], dict[str, str]] = lambda data, tools: {}
    """What the server finds in its environment."""


@contextmanager
def _filled(served: Served, tools: Path) -> Iterator[None]:
    """Fill the disk to the last byte, then make room."""
    ballast = served.data.with_name("ballast")
    with ballast.open("wb", buffering=0) as file:
        for piece in (1 << 16, 1):
            try:
                while file.write(bytes(piece)):
                    pass
            except OSError:
                continue
    yield
    ballast.unlink()


@contextmanager
def _limited(served: Served, tools: Path) -> Iterator[None]:
    """No file of the server may grow, then they may again."""
    size = served.data.with_name(f"{served.data.name}-wal").stat().st_size
    before = resource.prlimit(served.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    yield
    resource.prlimit(served.pid, resource.RLIMIT_FSIZE, before)


@contextmanager
def _read_only(served: Served, tools: Path) -> Iterator[None]:
    """No write gets through, as after an error of the disk; then it does."""
    switch = tools / "switch"
    switch.touch()
    yield
    switch.unlink()


def _mount(data: Path) -> None:
    """A disk of four megabytes."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(data)], check=True)


def _preload(data: Path, tools: Path) -> dict[str, str]:
    return {
        "LD_PRELOAD": str(shim.build(tools, shim.READ_ONLY)),
        "FAULT_FOLDER": str(data.resolve()),
        "FAULT_SWITCH": str(tools / "switch"),
    }


FULL = Way("full", _filled, OWN_MOUNTS, _mount)
LIMITED = Way("limited", _limited)
READ_ONLY = Way("read-only", _read_only, environ=_preload)
WAYS = {way.name: way for way in (FULL, LIMITED, READ_ONLY)}


def missing(way: Way) -> str | None:
    """Why this machine does not know a way, if it does not."""
    if way is READ_ONLY:
        return shim.missing()
    if way is LIMITED and not hasattr(resource, "prlimit"):
        return "only Linux limits the files of another process"
    if way is FULL and not _can(*OWN_MOUNTS, "mount", "-t", "tmpfs", "tmpfs", "/mnt"):
        return "this machine lets us mount nothing"
    return None


def _can(*command: str) -> bool:
    """Whether this machine lets us."""
    if shutil.which(command[0]) is None:
        return False
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
