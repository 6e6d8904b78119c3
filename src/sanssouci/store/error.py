"""What the store says when it does not do what it was asked.

::

    Exception
    +-- Conflict          a write that contradicts what is kept; asked again, the answer is the same
    +-- Complaint
        +-- Unavailable   the disk, or the store is closed; asked again later, it may work
        +-- Locked        another process has the data file
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from sanssouci.locale import Complaint, trouble

_SQLITE = {
    sqlite3.SQLITE_BUSY: "trouble.busy",
    sqlite3.SQLITE_CANTOPEN: "trouble.cannot_open",
    sqlite3.SQLITE_CORRUPT: "trouble.damaged",
    sqlite3.SQLITE_ERROR: "trouble.other_tables",  # of statements that are always the same
    sqlite3.SQLITE_FULL: "trouble.no_space",
    sqlite3.SQLITE_IOERR: "trouble.failing",
    sqlite3.SQLITE_LOCKED: "trouble.busy",
    sqlite3.SQLITE_NOMEM: "trouble.no_memory",
    sqlite3.SQLITE_NOTADB: "trouble.no_database",
    sqlite3.SQLITE_PERM: "trouble.no_rights",
    sqlite3.SQLITE_READONLY: "trouble.read_only",
}
"""What SQLite says, by the first byte of its number."""


class Conflict(Exception):
    """A place or a name that is taken, or a predecessor that is not there. Nothing of the write was kept."""


class Unavailable(Complaint):
    """It cannot be written or read just now. Nothing of the write was kept, as far as can be told."""


class Locked(Complaint):
    """Another process works with the data file: at ``url``, if it is a server that has told."""

    def __init__(self, path: Path, url: str | None) -> None:
        super().__init__("store.locked", path=path)
        self.url = url


@contextmanager
def usable(path: Path) -> Iterator[None]:
    """In here a file is worked with; where the system does not allow it, ``Complaint`` says why."""
    try:
        yield
    except OSError as error:
        raise Complaint("store.unusable", path=path, reason=trouble(error)) from None


def reason_of(error: Exception) -> str:
    """What the database says, without the statement and its values."""
    if isinstance(error, DBAPIError):
        return str(error.orig)
    return type(error).__name__ if isinstance(error, SQLAlchemyError) else str(error)


def database_trouble(error: Exception) -> Complaint | str:
    """The same as a sentence that every language has, where it is a common one."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    key = _SQLITE.get((getattr(cause, "sqlite_errorcode", None) or 0) & 0xFF)
    return Complaint(key) if key else reason_of(error)


def not_opened(path: Path, error: Exception) -> Complaint:
    """Why a data file cannot be worked with at all; one that is damaged has to be replaced."""
    reason = database_trouble(error)
    if isinstance(reason, Complaint) and reason.key == "trouble.damaged":
        return Complaint("store.spoilt", path=path)
    return Complaint("store.unusable", path=path, reason=reason)


def not_written(error: Exception) -> Unavailable:
    """The same for those who wanted something kept, and may ask again."""
    return Unavailable("store.unavailable", reason=database_trouble(error))


def not_read(error: Exception) -> Unavailable:
    """The same for those who wanted to know something."""
    return Unavailable("store.cannot_read", reason=database_trouble(error))
