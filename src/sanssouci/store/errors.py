"""What the store says when it does not do what it was asked.

::

    Exception
    +-- Conflict          a write that contradicts what is kept; asked again, the answer is the same
    +-- UserError
        +-- Unavailable   the disk, or the store is closed; asked again later, it may work
        +-- DamagedRow    one row holds a value that was never written; the other rows are fine
        +-- Locked        another process has the data file

The text of an error of the database driver may quote a row, and a row may hold hidden cards. So no message is
made of it: an error is known by SQLite's number, or by its class.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from sanssouci.locale import UserError, os_error_reason

_SQLITE = {
    sqlite3.SQLITE_BUSY: "os_error.busy",
    sqlite3.SQLITE_CANTOPEN: "os_error.cannot_open",
    sqlite3.SQLITE_CORRUPT: "os_error.damaged",
    sqlite3.SQLITE_ERROR: "os_error.other_tables",  # of statements that are always the same
    sqlite3.SQLITE_FULL: "os_error.no_space",
    sqlite3.SQLITE_IOERR: "os_error.failing",
    sqlite3.SQLITE_LOCKED: "os_error.busy",
    sqlite3.SQLITE_NOMEM: "os_error.no_memory",
    sqlite3.SQLITE_NOTADB: "os_error.no_database",
    sqlite3.SQLITE_PERM: "os_error.no_rights",
    sqlite3.SQLITE_READONLY: "os_error.read_only",
}
"""What SQLite says, by the first byte of its number."""


class Conflict(Exception):
    """A place or a name that is taken, or a predecessor that is not there. Nothing of the write was kept."""


class Unavailable(UserError):
    """It cannot be written or read just now. Nothing of the write was kept, as far as can be told."""


class DamagedRow(UserError):
    """A row with a value that this program never writes: names the column, never the value."""

    def __init__(self, table: str, column: str, game: str | None = None, guest: str | None = None) -> None:
        """``game`` or ``guest`` is the id of what the row belongs to, if that can be told."""
        super().__init__("store.damaged_row", table=table, column=column)
        self.table = table
        self.column = column
        self.game = game
        self.guest = guest

    def located(self) -> UserError:
        """The sentence for the host, with the id of the game or the guest."""
        if self.game is not None:
            return UserError("audit.game", game=self.game, reason=self)
        return self if self.guest is None else UserError("audit.guest", guest=self.guest, reason=self)


class Locked(UserError):
    """Another process works with the data file: at ``url``, if it is a server that has told."""

    def __init__(self, path: Path, url: str | None) -> None:
        super().__init__("store.locked", path=path)
        self.url = url


@contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """In here a file is worked with; where the system does not allow it, ``UserError`` says why."""
    try:
        yield
    except OSError as error:
        raise UserError("store.unusable", path=path, reason=os_error_reason(error)) from None


def code_of(error: Exception) -> str:
    """What went wrong in the database, for a log: SQLite's own name for it, or the class of the error."""
    cause = _cause(error)
    return getattr(cause, "sqlite_errorname", None) or type(cause).__name__


def database_error(error: Exception) -> UserError:
    """The same as a sentence that every language has."""
    key = _SQLITE.get((getattr(_cause(error), "sqlite_errorcode", None) or 0) & 0xFF)
    return UserError(key) if key else UserError("os_error.database", code=code_of(error))


def _cause(error: Exception) -> BaseException:
    """The driver's error, where SQLAlchemy has wrapped one."""
    return (error.orig or error) if isinstance(error, DBAPIError) else error


def not_opened(path: Path, error: Exception) -> UserError:
    """Why a data file cannot be worked with at all; one that is damaged has to be replaced."""
    reason = database_error(error)
    if reason.key == "os_error.damaged":
        return UserError("store.spoilt", path=path)
    return UserError("store.unusable", path=path, reason=reason)


def not_written(error: Exception) -> Unavailable:
    """The same for those who wanted something kept, and may ask again."""
    return Unavailable("store.unavailable", reason=database_error(error))


def not_read(error: Exception) -> Unavailable:
    """The same for those who wanted to know something."""
    return Unavailable("store.cannot_read", reason=database_error(error))
