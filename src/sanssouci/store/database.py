"""The interface of a database, as the store uses it; ``sqlite.py`` and ``postgres.py`` implement it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from sqlalchemy import URL, Connection, Engine, Select, event
from sqlalchemy.engine.interfaces import DBAPICursor

from sanssouci.locale import UserError

Address: TypeAlias = Path | URL
"""A SQLite file, or the URL of a PostgreSQL database; ``str`` hides its password."""


class Fence(Protocol):
    """Allows one process to write, where the database needs that; see ``sqlite.Fence``."""

    def check(self, cursor: DBAPICursor) -> None: ...

    def is_moved(self) -> bool: ...

    def committed(self) -> None: ...

    def forget_transaction(self) -> None: ...

    def probe(self, cursor: DBAPICursor) -> None: ...


class Database(Protocol):
    """A database that is open for reading and writing."""

    @property
    def address(self) -> Address: ...

    @property
    def shared(self) -> bool:
        """Whether other servers may write to it at any time."""

    @property
    def is_beside(self) -> bool:
        """Whether a server has locked the data, and this process may only write in short steps."""

    @property
    def begin(self) -> str:
        """Begins a transaction that writes. No connection begins one by itself."""

    @property
    def fence(self) -> Fence: ...

    @property
    def value_errors(self) -> tuple[type[Exception], ...]:
        """Raised for a value that no column can store."""

    @property
    def time(self) -> Select[tuple[float]]:
        """Reads the clock of the machine that the database runs on."""

    @property
    def readers(self) -> Engine:
        """Every transaction sees a snapshot of the data."""

    @property
    def statement_readers(self) -> Engine:
        """The same connections, for single statements, which need no transaction."""

    @property
    def writers(self) -> Engine:
        """For one connection at a time."""

    @property
    def empty_log(self) -> Callable[[DBAPICursor], bool]:
        """Removes deleted rows from the database's own log; False if that must be tried again."""

    def has_lost_race(self, error: Exception) -> bool:
        """Whether one write has failed because another process holds, or just changed, the same rows."""

    def publish(self, url: str) -> None:
        """Record the server's address for processes that try to open the same data."""

    def close(self, pause: Callable[[], None]) -> None:
        """Release it, when all connections are closed."""

    def discard(self) -> None:
        """Release it, and remove what opening it has created; only called if it is not ``is_beside``."""

    def size(self) -> int: ...

    def shrink(self, step: float, pause: Callable[[], None]) -> bool:
        """Give free space back to the disk; False if that is impossible at present."""


@contextmanager
def snapshot(engine: Engine) -> Iterator[Connection]:
    """A connection on which every query sees the same state of the data, however long it reads."""
    with engine.connect() as connection, connection.begin():
        yield connection


def closed_when_disposed(engine: Engine) -> Engine:
    """An engine that also closes connections which are returned to it late.

    Disposing closes idle connections only: a thread may still be reading when the server stops.
    """
    disposed = False

    @event.listens_for(engine, "engine_disposed")
    def note_disposal(_: Engine) -> None:
        nonlocal disposed
        disposed = True

    @event.listens_for(engine, "checkin")
    def close_late(connection: Any, _: object) -> None:
        if disposed and connection is not None:
            connection.close()

    return engine


def postgres() -> Any:
    """The module ``postgres``; ``UserError`` if its driver, which is optional, is not installed."""
    try:
        from . import postgres  # noqa: PLC0415
    except ImportError:  # the package, or libpq
        raise UserError("store.no_driver") from None
    return postgres
