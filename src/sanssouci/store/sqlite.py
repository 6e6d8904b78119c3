"""All that is special about SQLite: how a data file is opened, claimed, looked through and copied.

WAL and ``synchronous=FULL``: a commit returns when the log is on the disk. One connection writes, and takes
the write lock when its transaction begins; all others cannot write at all.
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
"""Takes the write lock at once, so that no transaction finds later that it cannot have it."""
PROBE = "PRAGMA user_version=0"
"""Writes the first page as it is, so that it is seen whether anything can be written."""
_PATIENCE = 5.0
"""Seconds for which a connection waits for another."""
_READERS = 4
_PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "fullfsync=ON",  # on macOS the disk itself has a cache that only this empties
    "foreign_keys=ON",
    "journal_size_limit=67108864",
    "secure_delete=ON",  # what is deleted is overwritten
)


def prepare_file(path: Path) -> None:
    """A new data file can be read by its owner only; its folder is made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        sync_folder(path.parent)


def remove_file(path: Path) -> None:
    """A data file goes, with what SQLite keeps beside it."""
    for ending in ("-wal", "-shm", ""):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """A new name in a folder survives a power cut; some systems see to it themselves."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def writing_engine(path: Path) -> Engine:
    """For one connection at a time, that writes."""
    return _engine(lambda: _connect(path, "rw", _PRAGMAS), NullPool, BEGIN)


def reading_engine(path: Path) -> Engine:
    """For some connections that only read; each sees one moment of the data while it is open."""
    engine = _engine(lambda: _connect(path, "ro", ("query_only=ON",)), QueuePool, "BEGIN", pool_size=_READERS)
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
    """A connection that begins no transaction by itself."""
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?mode={mode}",
        uri=True,
        timeout=_PATIENCE,
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
    """Bring all that is in the log into the file, and empty it; whether nobody who reads was in the way."""
    cursor.execute("PRAGMA busy_timeout=0")  # others who write do not wait for who reads
    try:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        found = cursor.fetchone()
    finally:
        cursor.execute(f"PRAGMA busy_timeout={round(_PATIENCE * 1000)}")
    return found is not None and found[0] == 0


def is_foreign(path: Path) -> bool:
    """Whether a file is another program's: one that is not empty and has not our mark."""
    # One that only reads could not undo what a power cut has left half done, and so not open the file at all.
    with closing(_connect(path, "rw")) as connection:
        (owner,) = connection.execute("PRAGMA application_id").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return owner != APPLICATION and bool(owner or tables)


def is_no_database(error: BaseException | None) -> bool:
    """Whether this is what SQLite says of a file that is not its own."""
    return isinstance(error, sqlite3.Error) and error.sqlite_errorcode == sqlite3.SQLITE_NOTADB


def claim(connection: Connection) -> None:
    """Mark the file as this program's."""
    connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION}")


def damage(path: Path) -> UserError | None:
    """What is wrong inside a data file, if anything."""
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
    """Whether the file is so far gone that it cannot even be looked through."""
    return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def copy(source: Path, target: Path) -> None:
    """Copy one moment of a data file that others may be writing to into a new one."""
    with closing(_connect(source, "ro")) as reading, closing(_connect(target, "rw")) as writing:
        reading.backup(writing)  # in one step, or every write of others would begin it anew
        writing.execute("PRAGMA journal_mode=DELETE").close()  # a copy is one file, not three


@contextmanager
def snapshot(engine: Engine) -> Iterator[Connection]:
    """A connection that sees one moment of the data, however long it reads."""
    with engine.connect() as connection, connection.begin():
        yield connection
