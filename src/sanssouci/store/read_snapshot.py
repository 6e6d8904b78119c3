"""One moment of a data file that another process may be writing to."""

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
    """The data as they were when it was opened, however long they are read; for one thread.

    The file is neither locked nor changed. What is written meanwhile stays in its log until this is closed.
    """

    def __init__(self, path: Path, connection: Connection) -> None:
        """Use ``moment_of``."""
        self.path = path
        self._connection = connection

    def snapshot(self) -> AbstractContextManager[Connection]:
        """The connection, which sees this moment only."""
        return nullcontext(self._connection)

    def _connected(self) -> AbstractContextManager[Connection]:
        return nullcontext(self._connection)


@contextmanager
def open_snapshot(path: Path) -> Iterator[ReadSnapshot | None]:
    """This moment of a data file that is open elsewhere; None if its tables are of another version."""
    path = real_path(path)
    engine = sqlite.reading_engine(path)
    try:
        with sqlite.snapshot(engine) as connection:
            yield ReadSnapshot(path, connection) if is_current(connection) else None
    except (sqlite3.Error, DBAPIError) as error:
        raise not_opened(path, error) from None
    finally:
        engine.dispose()
