"""Locks a data file for one process, and publishes the address of its server to others.

``FILE.lock`` is locked by the operating system, which frees it when the process is killed. A server writes
its address to ``FILE.server``.
"""

import json
import os
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from sanssouci.locale import UserError
from sanssouci.notation import read_file, real_path, write_atomic

from .errors import Locked

_MAX_SERVER_FILE = 4096


class DataLock:
    """Acquired by the constructor."""

    def __init__(self, path: Path) -> None:
        """``Locked`` if another process holds it, ``OSError`` if the file cannot be locked at all."""
        self._path = path
        self._server = _sibling(path, ".server")
        self._lock = FileLock(lock_file(path), mode=0o600, thread_local=False)
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            raise Locked(path, _published(self._server)) from None
        self._server.unlink(missing_ok=True)  # left by a server that was killed

    def publish(self, url: str) -> None:
        document = {"url": url, "pid": os.getpid()}
        write_atomic(self._server, json.dumps(document).encode("ascii"), private=True)

    def remove(self) -> None:
        """Remove the lock file along with the data; the lock must still be released."""
        lock_file(self._path).unlink(missing_ok=True)

    def release(self) -> None:
        with suppress(OSError):
            self._server.unlink(missing_ok=True)
        self._lock.release()


def lock_file(path: Path) -> Path:
    """If it does not exist, no process has opened the data file."""
    return _sibling(path, ".lock")


def check_apart(path: Path, target: Path) -> None:
    """``UserError`` if a target is the data file itself or one of the files that belong to it."""
    path, target = real_path(path), real_path(target)
    if target in (path, *(_sibling(path, ending) for ending in ("-wal", "-shm", ".lock", ".server"))):
        raise UserError("store.same_file", path=target)


def _sibling(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _published(path: Path) -> str | None:
    try:
        url = json.loads(read_file(path, _MAX_SERVER_FILE))["url"]
    except (UserError, ValueError, LookupError, TypeError):
        return None
    return url if isinstance(url, str) else None
