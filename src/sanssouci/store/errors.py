"""Errors of the store.

::

    Exception
    +-- Conflict          a write that contradicts the stored data; retrying cannot help
    +-- UserError
        +-- Unavailable   the disk fails, or the store is closed; retrying may help
        |   +-- TakenOver   another process has taken or replaced the data file
        +-- DamagedRow    one row holds a value that the store never writes; other rows are fine
        +-- Locked        another process has opened the data file

The text of a driver's error may quote a row, and a row may hold hidden cards. So no message contains it: an
error is identified by the database's error code or by its class.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError

from sanssouci.locale import UserError, os_error_reason

_SQLITE = {
    sqlite3.SQLITE_BUSY: "os_error.busy",
    sqlite3.SQLITE_CANTOPEN: "os_error.cannot_open",
    sqlite3.SQLITE_CORRUPT: "os_error.damaged",
    sqlite3.SQLITE_ERROR: "os_error.other_tables",  # our statements are constant, so the schema must differ
    sqlite3.SQLITE_FULL: "os_error.no_space",
    sqlite3.SQLITE_IOERR: "os_error.failing",
    sqlite3.SQLITE_LOCKED: "os_error.busy",
    sqlite3.SQLITE_NOMEM: "os_error.no_memory",
    sqlite3.SQLITE_NOTADB: "os_error.no_database",
    sqlite3.SQLITE_PERM: "os_error.no_rights",
    sqlite3.SQLITE_READONLY: "os_error.read_only",
}
"""Locale keys by SQLite's primary result code."""
NO_TLS = "28TLS"
"""In place of a code of PostgreSQL, which has none for encryption and certificates."""
_POSTGRES = {
    "08": "os_error.database_away",
    "25006": "os_error.read_only_database",
    "28": "os_error.database_login",
    NO_TLS: "os_error.database_tls",
    "3D000": "os_error.no_such_database",
    "42501": "os_error.no_rights",
    "53100": "os_error.no_space",
    "53200": "os_error.no_memory",
    "53300": "os_error.many_connections",
    "57": "os_error.database_away",  # shut down, crashed, starting up, or the query was cancelled
    "58": "os_error.failing",
    "XX001": "os_error.damaged",
    "XX002": "os_error.damaged",
}
"""Locale keys by PostgreSQL's error code (SQLSTATE), or by its class."""


class Conflict(Exception):
    """A place or name is taken, or the event before is missing. Nothing was written."""


class LostRace(Conflict):
    """Another process was writing the same rows, or had locked them."""


class Unavailable(UserError):
    """The data cannot be written or read at present. As far as is known, nothing was written."""


class TakenOver(Unavailable):
    """Another process has taken over the data file, or replaced it. This one must not write any more."""

    def __init__(self) -> None:
        super().__init__("store.taken_over")


class DamagedRow(UserError):
    """A row with a value that the store never writes: names the column, never the value."""

    def __init__(self, table: str, column: str, game: str | None = None, guest: str | None = None) -> None:
        """``game`` or ``guest`` is the id of the row's owner, if it is known."""
        super().__init__("store.damaged_row", table=table, column=column)
        self.table = table
        self.column = column
        self.game = game
        self.guest = guest

    def located(self) -> UserError:
        """The error with the id of the game or guest, for the host."""
        if self.game is not None:
            return UserError("audit.game", game=self.game, reason=self)
        return self if self.guest is None else UserError("audit.guest", guest=self.guest, reason=self)


class Locked(UserError):
    """Another process has opened the data file; ``url`` is its address if it has published one."""

    def __init__(self, path: Path, url: str | None) -> None:
        super().__init__("store.locked", path=path)
        self.url = url


@contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """Turns every ``OSError`` about a file into a ``UserError`` with the reason."""
    try:
        yield
    except OSError as error:
        raise UserError("store.unusable", path=path, reason=os_error_reason(error)) from None


def code_of(error: Exception) -> str:
    """A code for the log: the database's name or number of the error, or its class."""
    cause = _cause(error)
    code = getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None)
    return code or type(cause).__name__


def database_error(error: Exception) -> UserError:
    """A translatable error for an error of the database."""
    cause = _cause(error)
    state: str = getattr(cause, "sqlstate", None) or ""
    key = _SQLITE.get((getattr(cause, "sqlite_errorcode", None) or 0) & 0xFF)
    key = key or _POSTGRES.get(state) or _POSTGRES.get(state[:2])
    return UserError(key) if key else UserError("os_error.database", code=code_of(error))


def _cause(error: Exception) -> BaseException:
    """The driver's error, if SQLAlchemy has wrapped one."""
    return (error.orig or error) if isinstance(error, DBAPIError) else error


def not_opened(path: Path | URL, error: Exception) -> UserError:
    """The error for data that cannot be opened; a damaged file has its own message."""
    reason = database_error(error)
    if reason.key == "os_error.damaged":
        return UserError("store.corrupt", path=path)
    return UserError("store.unusable", path=path, reason=reason)


def not_written(error: Exception) -> Unavailable:
    return Unavailable("store.unavailable", reason=database_error(error))


def not_read(error: Exception) -> Unavailable:
    return Unavailable("store.cannot_read", reason=database_error(error))


def not_answered() -> Unavailable:
    """The error for a write that the database has not answered in time; it may still be made."""
    return Unavailable("store.unavailable", reason=UserError("os_error.database_away"))
