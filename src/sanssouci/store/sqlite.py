"""Everything specific to SQLite: opening, marking, checking and copying a data file.

WAL and ``synchronous=FULL``: a commit returns when the log is on the disk. One connection writes, and takes
the write lock when its transaction begins; all others are read-only.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, NullPool, QueuePool, create_engine, event
from sqlalchemy.engine.interfaces import DBAPICursor

from sanssouci.locale import UserError

from .decoding import decode_text
from .errors import database_error
from .tables import METADATA

APPLICATION = 0x53616E73
"""Marks the data files of this program: "Sans" in ASCII."""
BEGIN = "BEGIN IMMEDIATE"
"""Takes the write lock at once, so that a transaction cannot fail to get it later."""
PROBE = "PRAGMA user_version=0"
"""Rewrites the first page unchanged, to test whether the disk can be written to."""
_BUSY_TIMEOUT = 5.0
"""Seconds for which a connection waits for the lock of another."""
_READ_CONNECTIONS = 4
_PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "fullfsync=ON",  # on macOS only this flushes the cache of the disk itself
    "foreign_keys=ON",
    "journal_size_limit=67108864",
    "secure_delete=ON",  # deleted rows are overwritten with zeros
)


def prepare_file(path: Path) -> None:
    """Create the data file, readable by its owner only, and its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        sync_folder(path.parent)


def remove_file(path: Path) -> None:
    """Remove a data file and the files that SQLite keeps next to it."""
    for ending in ("-wal", "-shm", ""):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make a new name in a folder survive a power cut; only POSIX systems need it."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def writing_engine(path: Path) -> Engine:
    """For one writing connection at a time."""
    return _engine(lambda: _connect(path, "rw", _PRAGMAS), NullPool, BEGIN)


def reading_engine(path: Path) -> Engine:
    """For a pool of read-only connections; each transaction sees a snapshot of the data."""
    engine = _engine(
        lambda: _connect(path, "ro", ("query_only=ON",)), QueuePool, "BEGIN", pool_size=_READ_CONNECTIONS
    )
    disposed = False

    @event.listens_for(engine, "engine_disposed")
    def note_disposal(_: Engine) -> None:
        nonlocal disposed
        disposed = True

    # Disposing closes idle connections only: a thread may still be reading when the server stops.
    @event.listens_for(engine, "checkin")
    def close_late(connection: sqlite3.Connection | None, _: object) -> None:
        if disposed and connection is not None:
            connection.close()

    return engine


def _engine(creator: Any, pool: Any, begin: str, **pool_options: Any) -> Engine:
    engine = create_engine("sqlite://", creator=creator, poolclass=pool, hide_parameters=True, **pool_options)

    @event.listens_for(engine, "begin")
    def begin_transaction(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _connect(path: Path, mode: str, pragmas: tuple[str, ...] = ()) -> sqlite3.Connection:
    """A connection that does not begin transactions implicitly."""
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?mode={mode}",
        uri=True,
        timeout=_BUSY_TIMEOUT,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.text_factory = decode_text
    try:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}").close()
    except BaseException:
        connection.close()
        raise
    return connection


def empty_log(cursor: DBAPICursor) -> bool:
    """Checkpoint and truncate the write-ahead log; False if a reader still needs it."""
    cursor.execute("PRAGMA busy_timeout=0")  # do not delay other writes for a reader
    try:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        found = cursor.fetchone()
    finally:
        cursor.execute(f"PRAGMA busy_timeout={round(_BUSY_TIMEOUT * 1000)}")
    return found is not None and found[0] == 0


def is_foreign(path: Path) -> bool:
    """Whether a file belongs to another program: it is not empty and lacks our application id."""
    # Not "ro": a read-only connection cannot roll back after a power cut, and so cannot open such a file.
    with closing(_connect(path, "rw")) as connection:
        (owner,) = connection.execute("PRAGMA application_id").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return owner != APPLICATION and bool(owner or tables)


def is_no_database(error: BaseException | None) -> bool:
    """Whether SQLite has refused a file because it is not a database."""
    return isinstance(error, sqlite3.Error) and error.sqlite_errorcode == sqlite3.SQLITE_NOTADB


def claim(connection: Connection) -> None:
    """Set the application id of the file."""
    connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION}")


def integrity_error(path: Path) -> UserError | None:
    """The first error that SQLite's integrity and foreign-key checks find, or None."""
    try:
        with closing(_connect(path, "ro")) as connection:
            found = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
            strays = connection.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.DatabaseError as error:
        if not _is_damage(error):
            raise
        return database_error(error)
    if found != "ok":
        return UserError("os_error.damaged")
    if strays is None:
        return None
    if not {strays[0], strays[2]} <= METADATA.tables.keys():  # the schema itself is damaged
        return UserError("os_error.damaged")
    return UserError("os_error.strays", table=strays[0], other=strays[2])


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether the file is too damaged to be checked at all."""
    return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def copy(source: Path, target: Path) -> None:
    """Copy a snapshot of a data file, which may be in use, into a new one."""
    with closing(_connect(source, "ro")) as reading, closing(_connect(target, "rw")) as writing:
        reading.backup(writing)  # in one step: a write by another process restarts a backup in several
        writing.execute("PRAGMA journal_mode=DELETE").close()  # a copy is one file, not three


@contextmanager
def snapshot(engine: Engine) -> Iterator[Connection]:
    """A connection on which every query sees the same state of the data, however long it reads."""
    with engine.connect() as connection, connection.begin():
        yield connection
