"""Reading a snapshot of a data file or database that another process may be writing to."""

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from sqlalchemy import URL, Connection, Engine
from sqlalchemy.exc import DBAPIError

from sanssouci.notation import real_path

from . import sqlite
from .database import Address, postgres, snapshot
from .errors import not_opened
from .migration import is_current
from .reader import Reader


class ReadSnapshot(Reader):
    """The data as they were when the snapshot was opened; for use by one thread.

    The data are neither locked nor changed. SQLite cannot truncate its log before the snapshot is closed.
    """

    def __init__(self, address: Address, connection: Connection) -> None:
        """Use ``open_snapshot``."""
        self.address = address
        self._connection = connection

    def snapshot(self) -> AbstractContextManager[Connection]:
        return nullcontext(self._connection)

    def _connected(self, snapshot: bool) -> AbstractContextManager[Connection]:
        return nullcontext(self._connection)


@contextmanager
def open_snapshot(address: Address) -> Iterator[ReadSnapshot | None]:
    """A snapshot of data that may be open elsewhere; None if the schema has another version."""
    address = address if isinstance(address, URL) else real_path(address)
    engine = _reading_engine(address)
    try:
        with snapshot(engine) as connection:
            yield ReadSnapshot(address, connection) if is_current(connection) else None
    except (sqlite3.Error, DBAPIError) as error:
        raise not_opened(address, error) from None
    finally:
        engine.dispose()


def _reading_engine(address: Address) -> Engine:
    engine: Engine = (postgres() if isinstance(address, URL) else sqlite).reading_engine(address)
    return engine
