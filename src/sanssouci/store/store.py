"""The store: a data file that only this process writes."""

import sqlite3
import stat
from collections.abc import Iterable
from concurrent.futures import Future
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from types import TracebackType

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from sanssouci.locale import UserError
from sanssouci.notation import real_path

from . import sqlite
from .changes import Change, DeleteGame, DropReview, ForgetGuest
from .errors import Unavailable, file_errors, not_opened
from .lock import DataLock
from .migration import migrate
from .reader import Reader
from .writer import Writer


class Store(Reader):
    """An open data file. Every method may be called from any thread."""

    def __init__(self, path: Path, lock: DataLock, made: tuple[Path, ...] = ()) -> None:
        """Use ``open``."""
        self.path = path
        self._lock = lock
        self._made = made
        self._readers = sqlite.reading_engine(path)
        self._writer = Writer(sqlite.writing_engine(path), sqlite.BEGIN, sqlite.PROBE, sqlite.empty_log)

    @classmethod
    def open(cls, path: Path, create: bool = True) -> "Store":
        """Lock a data file and migrate it to the current schema.

        ``Locked`` if another process has opened it; ``UserError`` if it is not a data file, has a newer
        schema, or is missing and ``create`` is false.
        """
        path = real_path(path)
        with file_errors(path):
            if not is_data_file(path) and not create:
                raise UserError("store.missing", path=path)
            made = tuple(each for each in (path, *path.parents) if not each.exists())
            sqlite.prepare_file(path)
            lock = DataLock(path)
        try:
            _migrate(path)
            return cls(path, lock, made)
        except BaseException:
            lock.release()
            raise

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """Whether writes are accepted: the store is not closed, and its writer has not died."""
        return self._writer.alive

    @property
    def failing(self) -> bool:
        """Whether the last write failed because of the disk; ``probe`` tests it again."""
        return self._writer.failing

    def probe(self) -> "Future[None]":
        """Test whether the disk can be written to: the future raises ``Unavailable`` if not."""
        return self._writer.probe()

    def close(self) -> None:
        """Write everything queued, then unlock the file."""
        self._disconnect()
        self._lock.release()

    def discard(self) -> None:
        """Close it, and remove the file and folders that ``open`` has created."""
        self._disconnect()
        if self._made:
            sqlite.remove_file(self.path)
            self._lock.remove()
        self._lock.release()
        with suppress(OSError):  # a folder is in use by now
            for folder in self._made[1:]:
                folder.rmdir()

    def _disconnect(self) -> None:
        self._readers.dispose()  # first, so that the writer closes the last connection and removes the log
        self._writer.close()

    def publish(self, url: str) -> None:
        """Record the server's address for processes that try to open the file; may raise ``OSError``."""
        self._lock.publish(url)

    def write(self, *changes: Change) -> "Future[None]":
        """All of the changes or none; the future has its result when they are on the disk.

        It raises ``Conflict``, which is permanent, or ``Unavailable``, after which a retry may succeed.
        """
        return self._writer.write(changes)

    def write_all(self, changes: Iterable[Change]) -> "Future[None]":
        """Like ``write``, for changes that do not fit into memory; other writes wait for the last of them."""
        return self._writer.write(changes)

    def delete(self, games: Iterable[str], guests: Iterable[str] = (), reviews: Iterable[str] = ()) -> None:
        """Delete games with everything that belongs to them, guests, and reviews, all or none.

        This is the only way to delete an event.
        """
        self.write(*map(DeleteGame, games), *map(ForgetGuest, guests), *map(DropReview, reviews)).result()

    def snapshot(self) -> AbstractContextManager[Connection]:
        return sqlite.snapshot(self._readers)

    def _connected(self) -> AbstractContextManager[Connection]:
        if not self._writer.alive:
            raise Unavailable("store.closed")
        return self._readers.connect()


def is_data_file(path: Path) -> bool:
    """Whether a file exists; ``UserError`` if the path is no file, ``OSError`` if it cannot be accessed."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(mode):
        key = "file.folder" if stat.S_ISDIR(mode) else "file.not_a_file"
        raise UserError("store.unusable", path=path, reason=UserError(key))
    return True


def _migrate(path: Path) -> None:
    # Checked before anything is written: the file may belong to another program.
    try:
        if sqlite.is_foreign(path):
            raise UserError("store.foreign", path=path)
        with sqlite.writing_engine(path).begin() as connection:
            migrate(connection, path)
    except (sqlite3.Error, DBAPIError) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        if sqlite.is_no_database(cause):
            raise UserError("store.not_a_database", path=path) from None
        raise not_opened(path, error) from None
