"""Locks a data file for one process, and publishes the address of its server to others.

``FILE.lock`` is locked by the operating system, which frees it when the process is killed. Where possible,
the data file itself is locked too: that lock does not depend on the name of the file, and nobody can remove
it. A server writes its address to ``FILE.server``, with the identity of the data file.
"""

import json
import os
import stat
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from sanssouci.locale import UserError
from sanssouci.notation import read_file, real_path, write_atomic

from .errors import Locked

try:
    import fcntl
except ImportError:  # Windows, where a file that is open cannot be removed
    fcntl = None  # type: ignore[assignment]

_MAX_SERVER_FILE = 4096
_SQLITE_LOCKS = 0x40000000
"""The byte of a data file from which on SQLite locks bytes."""
_held: set[tuple[int, int]] = set()
"""Device and number of all files that this process has locked."""


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
            raise Locked(path, _published_url(path)) from None
        try:
            self._inode = InodeLock(path)
        except BaseException:
            self._lock.release()
            raise
        self._server.unlink(missing_ok=True)  # left by a server that was killed

    def publish(self, url: str) -> None:
        document = {"url": url, "pid": os.getpid(), "file": file_identity(self._path)}
        write_atomic(self._server, json.dumps(document).encode("ascii"), private=True)

    def remove(self) -> None:
        """Remove the lock file along with the data; the lock must still be released."""
        lock_file(self._path).unlink(missing_ok=True)

    def release(self) -> None:
        with suppress(OSError):
            self._server.unlink(missing_ok=True)
        self._inode.release()
        self._lock.release()


def is_locked(path: Path) -> bool:
    """Whether a process has locked the data file under this name.

    If somebody has removed ``FILE.lock``, the lock on the file itself counts, provided that ``FILE.server``
    says that a server has opened this very file under this name. With another name it has another
    write-ahead log, and SQLite would mix them up.
    """
    found = FileLock(lock_file(path), mode=0o600, thread_local=False)
    try:
        found.acquire(blocking=False)
    except Timeout:
        return True
    found.release()
    if _published(_sibling(path, ".server"), "file") != list(file_identity(path)):
        return False
    try:
        InodeLock(path).release()
    except Locked:
        return True
    return False


class InodeLock:
    """A lock on the data file itself, so that it also works for another name of the same file.

    SQLite's own locks belong to the process and are lost when the process closes any descriptor of the file.
    So the descriptor is opened before SQLite opens the file, and closed after SQLite has closed it.
    """

    def __init__(self, path: Path) -> None:
        """``Locked`` if another process holds it.

        Does nothing if the file is missing, or if the system has no such lock that leaves SQLite alone.
        """
        self._descriptor: int | None = None
        if fcntl is None or not path.exists():
            return
        self._identity = file_identity(path)
        if self._identity in _held:
            raise Locked(path, _published_url(path))
        try:
            descriptor = os.open(path, os.O_RDWR)
        except PermissionError:  # SQLite says more about it, and may still read the file
            return
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _blocks_sqlite(path):
                raise OSError  # as on a file system without such locks
        except BlockingIOError:
            os.close(descriptor)
            raise Locked(path, _published_url(path)) from None
        except OSError:
            os.close(descriptor)
        else:
            self._descriptor = descriptor
            _held.add(self._identity)

    def release(self) -> None:
        if self._descriptor is not None:
            _held.discard(self._identity)
            os.close(self._descriptor)
            self._descriptor = None


def _blocks_sqlite(path: Path) -> bool:
    """Whether SQLite could not lock the file any more: on macOS and NFS, both kinds of locks are the same."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, _SQLITE_LOCKS)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def file_identity(path: Path) -> tuple[int, int]:
    """Equal for all names of the same file."""
    found = path.stat()
    return found.st_dev, found.st_ino


def is_data_file(path: Path) -> bool:
    """Whether a file exists; ``UserError`` if it cannot be a data file, ``OSError`` if it cannot be accessed.

    A file with two names is refused: each name has its own write-ahead log, and SQLite would mix them up.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(found.st_mode):
        key = "file.folder" if stat.S_ISDIR(found.st_mode) else "file.not_a_file"
        raise UserError("store.unusable", path=path, reason=UserError(key))
    if found.st_nlink > 1:
        raise UserError("store.hard_link", path=path)
    return True


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


def _published_url(path: Path) -> str | None:
    url = _published(_sibling(path, ".server"), "url")
    return url if isinstance(url, str) else None


def _published(path: Path, field: str) -> object:
    try:
        return json.loads(read_file(path, _MAX_SERVER_FILE))[field]
    except (UserError, ValueError, LookupError, TypeError):
        return None
