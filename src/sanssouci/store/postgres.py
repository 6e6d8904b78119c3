"""Everything specific to PostgreSQL: connecting, and claiming a database for this program.

Any number of processes read and write the same database. If two of them write the same event, the unique keys
of the tables let only one succeed; nothing else is locked, so a process that dies leaves nothing behind.
"""

import os
import subprocess
from collections.abc import Callable, Generator
from contextlib import closing
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

import psycopg
from psycopg.waiting import Ready
from sqlalchemy import (
    URL,
    Connection,
    Double,
    Engine,
    NullPool,
    QueuePool,
    cast,
    create_engine,
    event,
    extract,
    func,
    inspect,
    select,
    text,
)
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import DBAPIError

from sanssouci.locale import UserError, printable

from .database import closed_when_disposed
from .errors import NO_TLS, not_opened, not_written
from .migration import is_current, migrate

_BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED"
_BEGIN_READING = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
"""Every query of the transaction sees the same state of the data."""
_NO_TRANSACTION = "sanssouci_no_transaction"
"""An option of engines whose connections do not begin transactions, which saves two messages a read."""
_READ_CONNECTIONS = 4
_MIGRATION_LOCK = 0x53616E73
"""Processes that start together migrate the tables one after the other."""
_SESSION = {
    "synchronous_commit": "on",  # a commit returns when the log is on the disk
    "lock_timeout": "2s",
    "idle_in_transaction_session_timeout": "10s",  # the locks of a process whose machine has vanished
}
_NETWORK = {
    "connect_timeout": 3,
    "tcp_user_timeout": 4000,
    "keepalives_idle": 3,
    "keepalives_interval": 1,
    "keepalives_count": 3,
}
"""A server that does not answer counts as away after some seconds."""
_TIMEOUT = 5.0
"""Seconds until a statement that is not answered fails; the driver would wait for ever."""
_LOST_RACES = ("40001", "40P01", "55P03")
"""Serialization failure, deadlock, lock timeout: one write was undone, and the others can go on."""
_LOGIN_ERRORS = {
    "password authentication failed": "28P01",
    "no password supplied": "28P01",
    "no pg_hba.conf entry": "28000",
    "role ": "28000",
    "database ": "3D000",
    "too many": "53300",
    "remaining connection slots": "53300",
    "the database system is": "57P03",
}
"""Codes by the texts of a server that refuses a connection: libpq does not pass on the codes."""


class NotConnected(psycopg.OperationalError):
    """No connection could be made. The driver's text names the user, so only a code is kept."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.sqlstate = code


def reading_engine(url: URL) -> Engine:
    """For a pool of connections that only read; each transaction sees a snapshot of the data.

    After PostgreSQL was restarted, every connection of the pool is dead. The reader repeats what has failed,
    which is cheaper than a ping before every read.
    """
    engine = _engine(
        url,
        _BEGIN_READING,
        poolclass=QueuePool,
        pool_size=_READ_CONNECTIONS,
        max_overflow=_READ_CONNECTIONS,
        pool_timeout=5.0,
    )
    return closed_when_disposed(engine)


def writing_engine(url: URL, timeout: float = _TIMEOUT) -> Engine:
    """For one writing connection at a time."""
    return _engine(url, _BEGIN, timeout, poolclass=NullPool)


def _engine(url: URL, begin: str, timeout: float = _TIMEOUT, **options: Any) -> Engine:
    arguments = connect_arguments(url)

    def connect() -> _Connection:
        connection = _connect(arguments)
        connection.timeout = timeout
        return connection

    engine = create_engine("postgresql+psycopg://", creator=connect, hide_parameters=True, **options)

    @event.listens_for(engine, "begin")
    def begin_transaction(connection: Connection) -> None:
        if not connection.get_execution_options().get(_NO_TRANSACTION):
            connection.exec_driver_sql(begin)

    return engine


def connect_arguments(url: URL) -> dict[str, Any]:
    """The driver's arguments; settings of the URL come first, except for the durability of commits."""
    arguments: dict[str, Any] = {**_NETWORK, **url.query}
    arguments |= url.translate_connect_args(username="user", database="dbname")
    session = " ".join(f"-c {name}={value}" for name, value in _SESSION.items())
    return {**arguments, "options": f"{arguments.get('options', '')} {session}", "autocommit": True}


class _Connection(psycopg.Connection[Any]):
    """A connection that is closed if the server does not answer in time, as when its machine hangs."""

    timeout = _TIMEOUT

    def wait(self, gen: Any, *args: Any, **options: Any) -> Any:
        return super().wait(self._limited(gen), *args, **options)

    def _limited(self, gen: Any) -> Generator[Any, Any, Any]:
        # The driver resumes a generator when the socket is ready, or with NONE after each interval.
        end = monotonic() + self.timeout
        ready = None
        while True:
            try:
                waits_for = next(gen) if ready is None else gen.send(ready)
            except StopIteration as returned:
                return returned.value
            ready = yield waits_for
            if ready == Ready.NONE and monotonic() > end:
                self.pgconn.finish()
                raise NotConnected("08006")


def _connect(arguments: dict[str, Any]) -> _Connection:
    try:
        return _Connection.connect(**arguments)
    except psycopg.OperationalError as error:
        said = str(error).partition("FATAL:")[2].strip()
        away = NO_TLS if "certificate" in str(error) or "SSL" in str(error) else "08001"
        code = next((code for start, code in _LOGIN_ERRORS.items() if said.startswith(start)), away)
        raise NotConnected(error.sqlstate or code) from None


class _NoFence:
    """Every process may write."""

    def check(self, cursor: DBAPICursor) -> None: ...

    def is_moved(self) -> bool:
        return False

    def committed(self) -> None: ...

    def forget_transaction(self) -> None: ...

    def probe(self, cursor: DBAPICursor) -> None:
        cursor.execute("UPDATE alembic_version SET version_num = version_num")


class PostgresDatabase:
    shared = True
    is_beside = False
    begin = _BEGIN
    time = select(cast(extract("epoch", func.clock_timestamp()), Double))
    fence = _NoFence()
    value_errors = (psycopg.DataError, UnicodeEncodeError)

    def __init__(self, url: URL) -> None:
        """Use ``open``."""
        self.address = url
        self.readers, self.writers = reading_engine(url), writing_engine(url)
        self.statement_readers = self.readers.execution_options(**{_NO_TRANSACTION: True})

    @classmethod
    def open(cls, url: URL, create: bool) -> "PostgresDatabase":
        """``UserError`` if it cannot be used, or has another schema and ``create`` is false."""
        engine = writing_engine(url, timeout=inf)  # migrating large tables takes long
        try:
            with engine.begin() as connection:
                if create:
                    migrate(connection, url, lambda connection: _claim(connection, url))
                elif not is_current(connection):
                    raise UserError("store.other_schema", path=url)
        except DBAPIError as error:
            raise not_opened(url, error) from None
        return cls(url)

    def has_lost_race(self, error: Exception) -> bool:
        return getattr(error, "sqlstate", None) in _LOST_RACES

    def empty_log(self, cursor: DBAPICursor) -> bool:
        return True  # only the owner of the database can delete its log

    def publish(self, url: str) -> None:
        """Several servers share the data, and none of them keeps others out."""

    def close(self, pause: Callable[[], None]) -> None: ...

    def discard(self) -> None: ...

    def size(self) -> int:
        with self.readers.connect() as connection:
            return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())

    def shrink(self, step: float, pause: Callable[[], None]) -> bool:
        try:
            with closing(writing_engine(self.address, timeout=inf).raw_connection()) as connection:
                connection.cursor().execute("VACUUM (ANALYZE)")
        except (psycopg.Error, DBAPIError) as error:
            raise not_written(error) from None
        return True


def _claim(connection: Connection, url: URL) -> None:
    """Wait for other processes that migrate; ``UserError`` if the database belongs to another program."""
    connection.execute(text("SET LOCAL lock_timeout = '60s'"))
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
    tables = inspect(connection).get_table_names()
    if tables and "alembic_version" not in tables:
        raise UserError("store.foreign", path=url)


def dump(url: URL, target: Path) -> None:
    """Write an archive of the whole database with ``pg_dump``, and check that it is complete."""
    environment = {**os.environ, "PGPASSWORD": url.password or os.environ.get("PGPASSWORD", "")}
    source = url._replace(drivername="postgresql", password=None).render_as_string()
    dumping = ["pg_dump", "--format=custom", f"--file={target}", source]
    for words in (dumping, ["pg_restore", "--list", str(target)]):
        try:
            subprocess.run(words, env=environment, check=True, capture_output=True)
        except FileNotFoundError:
            raise UserError("store.no_pg_dump", program=words[0]) from None
        except subprocess.CalledProcessError as error:
            # The last line of its output may name the user, the host and the version, but no row or password.
            said = error.stderr.decode("utf-8", "replace").strip().splitlines() or [""]
            raise UserError("store.no_copy", path=url, reason=printable(said[-1])) from None
