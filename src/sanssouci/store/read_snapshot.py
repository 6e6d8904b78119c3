"""Reading a snapshot of a data file that another process may be writing to."""

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from sanssouci.notation import real_path

from . import sqlite
from .errors import not_opened
from .migration import is_current
from .reader import Reader


class ReadSnapshot(Reader):
    """The data as they were when the snapshot was opened; for use by one thread.

    The file is neither locked nor changed. SQLite cannot truncate its log before the snapshot is closed.
    """

    def __init__(self, path: Path, connection: Connection) -> None:
        """Use ``open_snapshot``."""
        self.path = path
        self._connection = connection

    def snapshot(self) -> AbstractContextManager[Connection]:
        return nullcontext(self._connection)

    def _connected(self) -> AbstractContextManager[Connection]:
        return nullcontext(self._connection)


@contextmanager
def open_snapshot(path: Path) -> Iterator[ReadSnapshot | None]:
    """A snapshot of a data file that may be open elsewhere; None if its schema has another version."""
    path = real_path(path)
    engine = sqlite.reading_engine(path)
    try:
        with sqlite.snapshot(engine) as connection:
            yield ReadSnapshot(path, connection) if is_current(connection) else None
    except (sqlite3.Error, DBAPIError) as error:
        raise not_opened(path, error) from None
    finally:
        engine.dispose()
