"""Everything specific to SQLite: opening, marking, checking and copying a data file.

WAL and ``synchronous=FULL``: a commit returns when the log is on the disk. One connection writes, and takes
the write lock when its transaction begins; all others are read-only.
"""

import os
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import quote

from sqlalchemy import (
    Connection,
    Double,
    Engine,
    NullPool,
    QueuePool,
    create_engine,
    event,
    literal_column,
    select,
)
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import DBAPIError

from sanssouci.locale import UserError
from sanssouci.notation import real_path

from .database import closed_when_disposed
from .decoding import decode_text
from .errors import TakenOver, database_error, file_errors, not_opened, not_written
from .lock import DataLock, file_identity, is_data_file, is_locked
from .migration import is_current, migrate
from .tables import METADATA

APPLICATION = 0x53616E73
"""Marks the data files of this program: "Sans" in ASCII."""
BEGIN = "BEGIN IMMEDIATE"
"""Takes the write lock at once, so that a transaction cannot fail to get it later."""
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
_SHRINKABLE = "auto_vacuum=INCREMENTAL"


def prepare_file(path: Path) -> None:
    """Create the data file, readable by its owner only, and its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        sync_folder(path.parent)


def _correct_modes(path: Path) -> None:
    """Give the files next to a data file its mode.

    SQLite does so when it creates them. If the data file was read-only then, they would stay so for good, and
    nothing could be written even once the data file can be.
    """
    mode = stat.S_IMODE(path.stat().st_mode)
    for ending in ("-wal", "-shm"):
        with suppress(OSError):  # it is missing, or belongs to somebody else
            path.with_name(path.name + ending).chmod(mode)


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

    def connect() -> sqlite3.Connection:
        # Can be chosen for an empty file only, and would be written to the file each time.
        new = (_SHRINKABLE,) if path.stat().st_size == 0 else ()
        return _connect(path, "rw", (*new, *_PRAGMAS))

    return _engine(connect, NullPool, BEGIN)


def reading_engine(path: Path) -> Engine:
    """For a pool of read-only connections; each transaction sees a snapshot of the data."""
    return closed_when_disposed(
        _engine(
            lambda: _connect(path, "ro", ("query_only=ON",)), QueuePool, "BEGIN", pool_size=_READ_CONNECTIONS
        )
    )


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


def can_shrink(path: Path) -> bool:
    """Whether a data file can be shrunk in steps; files of older versions must be rebuilt once."""
    with closing(_connect(path, "ro")) as connection:
        (mode,) = connection.execute("PRAGMA auto_vacuum").fetchone()
    return bool(mode == _INCREMENTAL)


def rebuild(path: Path) -> None:
    """Write the file anew without free pages; other connections must wait."""
    with closing(_connect(path, "rw", (*_PRAGMAS, _SHRINKABLE))) as connection:
        connection.execute("VACUUM").close()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()


def shrink(path: Path, step: float, pause: Callable[[], None]) -> None:
    """Move free pages to the end of the file and cut them off, in transactions of ``step`` seconds."""
    with closing(_connect(path, "rw", _PRAGMAS)) as connection:
        while connection.execute("PRAGMA freelist_count").fetchone()[0]:
            connection.execute(BEGIN).close()
            end = monotonic() + step
            while monotonic() < end and connection.execute("PRAGMA freelist_count").fetchone()[0]:
                # It frees a page for each row that is fetched.
                connection.execute(f"PRAGMA incremental_vacuum({_PAGES_AT_ONCE})").fetchall()
            connection.execute("COMMIT").close()
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").close()
            pause()


def checkpoint(cursor: DBAPICursor) -> bool:
    """Copy the write-ahead log into the file without blocking other writers; it is not emptied."""
    cursor.execute("PRAGMA wal_checkpoint(PASSIVE)")
    cursor.fetchone()
    return False


def empty_log_beside(path: Path, pause: Callable[[], None]) -> None:
    """Truncate the write-ahead log of a file in use, at a moment when nobody reads or writes."""
    with closing(_connect(path, "rw")) as connection:
        for _ in range(_ATTEMPTS):
            if empty_log(connection.cursor()):  # type: ignore[arg-type]  # SQLAlchemy's protocol of a cursor
                return
            pause()


_ATTEMPTS = 40
_INCREMENTAL = 2
_PAGES_AT_ONCE = 16
_LAST_NUMBER = (1 << 31) - 1


class Fence:
    """Allows one process to write, even if locks fail: the others stop before they acknowledge anything.

    With its first write, a process numbers itself in the file (``user_version``). A process that finds
    another number, or another file under the same name, has been replaced.
    """

    def __init__(self, path: Path, claims: bool = True) -> None:
        """A process that does not claim the file may write beside the one that does."""
        self._path, self._file = path, file_identity(path)
        self._claims = claims
        self._number: int | None = None
        self._claimed: int | None = None
        """The number that the current transaction writes."""
        self._data_version: int | None = None

    def check(self, cursor: DBAPICursor) -> None:
        """In a transaction that can write: claim the file, or ``TakenOver``."""
        if self.is_moved():
            raise TakenOver
        if not self._claims:
            return
        version = _pragma(cursor, "data_version")
        if version == self._data_version:  # only this connection has written since
            return
        number, self._data_version = _pragma(cursor, "user_version"), version
        if self._number is None:
            self._claimed = number % _LAST_NUMBER + 1 if number > 0 else 1
            cursor.execute(f"PRAGMA user_version={self._claimed}")
        elif number != self._number:
            raise TakenOver

    def is_moved(self) -> bool:
        """Whether the file has been renamed or replaced."""
        try:
            return file_identity(self._path) != self._file
        except FileNotFoundError:
            return True

    def committed(self) -> None:
        self._number = self._number or self._claimed

    def forget_transaction(self) -> None:
        """The transaction was rolled back, or the connection closed."""
        self._claimed = self._data_version = None

    def probe(self, cursor: DBAPICursor) -> None:
        """Rewrite the first page unchanged, to test whether the disk can be written to."""
        cursor.execute(f"PRAGMA user_version={self._number or self._claimed}")


def probe(connection: Connection) -> None:
    """Rewrite the first page unchanged, to test whether the file can be written."""
    number = connection.exec_driver_sql("PRAGMA user_version").scalar()
    connection.exec_driver_sql(f"PRAGMA user_version={number}")


def _pragma(cursor: DBAPICursor, name: str) -> int:
    cursor.execute(f"PRAGMA {name}")
    (value,) = cursor.fetchone() or (0,)
    return int(value)


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


def _claim(connection: Connection) -> None:
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


class SqliteFile:
    """A data file; one process has locked it, and others may write beside it in short steps."""

    shared = False
    begin = BEGIN
    time = select(literal_column("(julianday('now') - 2440587.5) * 86400.0", Double))
    value_errors = (
        sqlite3.DataError,
        sqlite3.NotSupportedError,
        sqlite3.ProgrammingError,
        OverflowError,
        UnicodeEncodeError,
    )

    def __init__(self, path: Path, lock: DataLock | None, made: tuple[Path, ...] = ()) -> None:
        """Use ``open``, or ``open_beside``, which has no lock; ``made`` are the files and folders created."""
        self.address = path
        self._lock = lock
        self._made = made
        self.is_beside = lock is None
        self.readers, self.writers = reading_engine(path), writing_engine(path)
        self.statement_readers = self.readers
        self.fence = Fence(path, claims=lock is not None)
        self.empty_log = checkpoint if lock is None else empty_log

    @classmethod
    def open(cls, path: Path, create: bool, for_writing: bool) -> "SqliteFile":
        path = real_path(path)
        with file_errors(path):
            if not is_data_file(path) and not create:
                raise UserError("store.missing", path=path)
            made = tuple(each for each in (path, *path.parents) if not each.exists())
            prepare_file(path)
            lock = DataLock(path)
        try:
            _correct_modes(path)
            _migrate(path, for_writing)
            return cls(path, lock, made)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def open_beside(cls, path: Path) -> "SqliteFile | None":
        """None if no process has locked the file under this name, or if its schema has another version."""
        path = real_path(path)
        try:
            if not is_data_file(path) or not is_locked(path):
                return None
            engine = reading_engine(path)
            with engine.begin() as connection:
                current = is_current(connection)
            engine.dispose()
        except (sqlite3.Error, DBAPIError) as error:
            raise not_opened(path, error) from None
        return cls(path, None) if current else None

    def has_lost_race(self, error: Exception) -> bool:
        return False  # a transaction has the only write lock from its beginning

    def publish(self, url: str) -> None:
        assert self._lock is not None, "only a server has an address"
        with file_errors(self.address):
            self._lock.publish(url)

    def close(self, pause: Callable[[], None]) -> None:
        if self._lock is not None:
            self._lock.release()
            return
        with suppress(sqlite3.Error):
            empty_log_beside(self.address, pause)

    def discard(self) -> None:
        assert self._lock is not None, "the file belongs to the server"
        if self._made:
            remove_file(self.address)
            self._lock.remove()
        self._lock.release()
        with suppress(OSError):  # a folder is in use by now
            for folder in self._made[1:]:
                folder.rmdir()

    def size(self) -> int:
        return self.address.stat().st_size

    def shrink(self, step: float, pause: Callable[[], None]) -> bool:
        try:
            if can_shrink(self.address):
                shrink(self.address, step, pause)
                empty_log_beside(self.address, pause)
            elif self.is_beside:
                return False
            else:
                rebuild(self.address)
        except sqlite3.Error as error:
            raise not_written(error) from None
        return True


def _migrate(path: Path, for_writing: bool) -> None:
    # Checked before anything is written: the file may belong to another program.
    try:
        if is_foreign(path):
            raise UserError("store.foreign", path=path)
        with writing_engine(path).begin() as connection:
            migrate(connection, path, _claim)
            if for_writing:  # SQLite opens a file that it may not write, and begins transactions on it
                probe(connection)
    except (sqlite3.Error, DBAPIError) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        if is_no_database(cause):
            raise UserError("store.not_a_database", path=path) from None
        raise not_opened(path, error) from None
