"""The store: a data file that this process alone writes."""

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
    """Open from when it is made until it is closed. Every method may be called from any thread."""

    def __init__(self, path: Path, lock: DataLock, made: tuple[Path, ...] = ()) -> None:
        """Use ``open``."""
        self.path = path
        self._lock = lock
        self._made = made
        self._readers = sqlite.reading_engine(path)
        self._writer = Writer(sqlite.writing_engine(path), sqlite.BEGIN, sqlite.PROBE, sqlite.empty_log)

    @classmethod
    def open(cls, path: Path, create: bool = True) -> "Store":
        """Lock a data file and bring it up to date.

        ``Locked`` if another process has it; ``UserError`` if it is no data file, is too new, or is not there
        and shall not be made.
        """
        path = real_path(path)
        with file_errors(path):
            if not is_data_file(path) and not create:
                raise UserError("store.missing", path=path)
            made = tuple(each for each in (path, *path.parents) if not each.exists())
            sqlite.prepare_file(path)
            lock = DataLock(path)
        try:
            _bring_up_to_date(path)
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
        """Whether it takes writes: not when it was closed, nor when its writer has died."""
        return self._writer.alive

    @property
    def failing(self) -> bool:
        """Whether the disk did not take what was last given to it; a probe finds out when it does again."""
        return self._writer.failing

    def probe(self) -> "Future[None]":
        """Write a page that stays as it is: ``Unavailable`` if nothing can be written."""
        return self._writer.probe()

    def close(self) -> None:
        """Write what is waiting, and let go of the file."""
        self._disconnect()
        self._lock.release()

    def discard(self) -> None:
        """Close it; a file that was made when it was opened goes again, and so do the folders made for it."""
        self._disconnect()
        if self._made:
            sqlite.remove_file(self.path)
            self._lock.remove()
        self._lock.release()
        with suppress(OSError):  # somebody else has begun to use a folder
            for folder in self._made[1:]:
                folder.rmdir()

    def _disconnect(self) -> None:
        self._readers.dispose()  # before the last connection that can tidy the file up
        self._writer.close()

    def publish(self, url: str) -> None:
        """Tell others who want to open the file where its server is; ``OSError`` if it cannot be told."""
        self._lock.publish(url)

    def write(self, *changes: Change) -> "Future[None]":
        """All of the changes or none; the future has its result when they are on the disk.

        It raises ``Conflict``, with which the same write will always meet, or ``Unavailable``, after which it
        may be tried again.
        """
        return self._writer.write(changes)

    def write_all(self, changes: Iterable[Change]) -> "Future[None]":
        """The same for more than fit into memory; no other write gets ahead before the last is drawn."""
        return self._writer.write(changes)

    def delete(self, games: Iterable[str], guests: Iterable[str] = (), reviews: Iterable[str] = ()) -> None:
        """Delete games with all that belongs to them, guests, and reviews, all or none.

        Nothing else ever deletes an event.
        """
        self.write(*map(DeleteGame, games), *map(ForgetGuest, guests), *map(DropReview, reviews)).result()

    def snapshot(self) -> AbstractContextManager[Connection]:
        """A connection for ``queries`` that sees one moment of the data."""
        return sqlite.snapshot(self._readers)

    def _connected(self) -> AbstractContextManager[Connection]:
        if not self._writer.alive:
            raise Unavailable("store.closed")
        return self._readers.connect()


def is_data_file(path: Path) -> bool:
    """Whether a file is there; ``UserError`` or ``OSError`` if there is something else, or no way there."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(mode):
        key = "file.folder" if stat.S_ISDIR(mode) else "file.not_a_file"
        raise UserError("store.unusable", path=path, reason=UserError(key))
    return True


def _bring_up_to_date(path: Path) -> None:
    """Nothing in a file that is not ours is changed."""
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
