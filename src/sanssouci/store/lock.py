"""One process works with a data file; the others learn where to find it.

``FILE.lock`` is locked by the operating system, so a process that is killed holds it no longer. In
``FILE.server`` a server writes its address.
"""

import json
import os
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from sanssouci.locale import UserError
from sanssouci.notation import read_file, real_path, write_atomic

from .errors import Locked

_LONGEST = 4096


class DataLock:
    """Held from when it is made until it is released."""

    def __init__(self, path: Path) -> None:
        """``Locked`` if another holds it, ``OSError`` if it cannot be had at all."""
        self._path = path
        self._server = _beside(path, ".server")
        self._lock = FileLock(lock_file(path), mode=0o600, thread_local=False)
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            raise Locked(path, _published(self._server)) from None
        self._server.unlink(missing_ok=True)  # of one that was killed

    def publish(self, url: str) -> None:
        """Tell others who want the file where its server is."""
        told = {"url": url, "pid": os.getpid()}
        write_atomic(self._server, json.dumps(told).encode("ascii"), private=True)

    def remove(self) -> None:
        """The data are gone, and nobody needs a lock for them; it is still to be released."""
        lock_file(self._path).unlink(missing_ok=True)

    def release(self) -> None:
        """Others may have it."""
        with suppress(OSError):
            self._server.unlink(missing_ok=True)
        self._lock.release()


def lock_file(path: Path) -> Path:
    """The file whose lock stands for a data file; where there is none, nobody has the data."""
    return _beside(path, ".lock")


def check_apart(path: Path, target: Path) -> None:
    """``UserError`` if what is to be written is a data file itself, or one of those that belong to it."""
    path, target = real_path(path), real_path(target)
    if target in (path, *(_beside(path, ending) for ending in ("-wal", "-shm", ".lock", ".server"))):
        raise UserError("store.same_file", path=target)


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _published(path: Path) -> str | None:
    try:
        url = json.loads(read_file(path, _LONGEST))["url"]
    except (UserError, ValueError, LookupError, TypeError):
        return None
    return url if isinstance(url, str) else None
