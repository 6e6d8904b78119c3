"""The store: a data file that only this process writes, or a database that several processes share."""

from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType

from sqlalchemy import URL, Connection

from .changes import Change, DeleteGame, DropReview, ForgetGuest
from .database import Address, Database, postgres, snapshot
from .errors import Conflict, Unavailable
from .reader import Reader
from .sqlite import SqliteFile
from .writer import Writer

_STEP = 0.005
"""Seconds after which a transaction beside a server is committed."""
_PAUSE = 0.03
"""Seconds until the next one; a server that waits for the lock tries again after 1, 2, 5, 10, 15, 20 … ms."""


class Store(Reader):
    """An open database. Every method may be called from any thread."""

    def __init__(self, database: Database) -> None:
        """Use ``open``, or ``open_beside``."""
        self.address = database.address
        self._database = database
        self._writer = Writer(database)

    @classmethod
    def open(cls, address: Address, create: bool = True, *, for_writing: bool = True) -> "Store":
        """Open a data file or a database, and migrate it to the current schema.

        ``Locked`` if another process has opened the file; ``UserError`` if it is not a data file, has a newer
        schema, is missing and ``create`` is false, or cannot be written and is opened ``for_writing``. Other
        processes may use a database, so it is migrated only if ``create`` is true.
        """
        if isinstance(address, URL):
            return cls(postgres().PostgresDatabase.open(address, create))
        return cls(SqliteFile.open(address, create, for_writing))

    @classmethod
    def open_beside(cls, path: Path) -> "Store | None":
        """Open a data file that a server has opened; for short writes, with ``write_steps``.

        None if no process has locked the file under this name, or if its schema has another version.
        """
        database = SqliteFile.open_beside(path)
        return None if database is None else cls(database)

    @property
    def is_beside(self) -> bool:
        """Whether a server has locked the file and writes to it too."""
        return self._database.is_beside

    @property
    def path(self) -> Path:
        """The data file, where there is one."""
        assert isinstance(self.address, Path), "a database has a URL"
        return self.address

    @property
    def shared(self) -> bool:
        """Whether other servers may write to the same database at any time."""
        return self._database.shared

    def database_time(self) -> float:
        """Seconds since 1970, by the clock of the machine that the database runs on."""
        return float(self._rows(self._database.time)[0][0])

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """Whether writes are accepted: not if the store is closed, or another process has taken the file."""
        return self._writer.alive

    @property
    def failing(self) -> bool:
        """Whether the last write failed because of the disk, or the data file was moved; see ``probe``."""
        return self._writer.failing or self._database.fence.is_moved()

    def probe(self) -> "Future[None]":
        """Test whether the disk can be written to: the future raises ``Unavailable`` if not."""
        return self._writer.probe()

    def close(self) -> None:
        """Write everything queued, then release the data."""
        self._disconnect()
        self._database.close(self._pause)

    def discard(self) -> None:
        """Close it, and remove the file and folders that ``open`` has created."""
        if self.is_beside:
            self.close()
            return
        self._disconnect()
        self._database.discard()

    def _disconnect(self) -> None:
        self._database.readers.dispose()  # first, so that the writer closes the last connection
        self._writer.close()

    def publish(self, url: str) -> None:
        """Record the server's address for processes that try to open the file."""
        self._database.publish(url)

    def write(self, *changes: Change) -> "Future[None]":
        """All of the changes or none; the future has its result when they are on the disk.

        It raises ``Conflict``, which is permanent, or ``Unavailable``, after which a retry may succeed.
        """
        return self._writer.write(changes)

    def write_all(self, changes: Iterable[Change]) -> "Future[None]":
        """Like ``write``, for changes that do not fit into memory; other writes wait for the last of them."""
        return self._writer.write(changes)

    def write_steps(self, writes: Iterable[Iterable[Change]]) -> None:
        """Make many writes in short transactions, with pauses in which a server can write.

        Iterating over ``writes`` happens inside of the transactions, so what it reads cannot change before
        the transaction is committed. A write is never divided, but the writes before a failed one stay.
        In a database that other servers use, each write is a transaction, and conflicting ones are left out.
        """
        if self.shared:
            for changes in writes:
                with suppress(Conflict):
                    self.write(*changes).result()
            return
        pending, finished = iter(writes), False

        def step() -> Iterator[Change]:
            nonlocal finished
            end = monotonic() + _STEP
            for changes in pending:
                yield from changes
                if monotonic() > end:
                    return
            finished = True

        while not finished:
            self.write_all(step()).result()
            self._pause()

    def size(self) -> int:
        """The bytes that the data take on the disk."""
        return self._database.size()

    def shrink(self) -> bool:
        """Give free space back to the disk; False if that is impossible while a server uses the file."""
        return self._database.shrink(_STEP, self._pause)

    def _pause(self) -> None:
        if self.is_beside:
            sleep(_PAUSE)

    def delete(self, games: Iterable[str], guests: Iterable[str] = (), reviews: Iterable[str] = ()) -> None:
        """Delete games with everything that belongs to them, guests, and reviews, all or none.

        This is the only way to delete an event.
        """
        self.write(*map(DeleteGame, games), *map(ForgetGuest, guests), *map(DropReview, reviews)).result()

    def snapshot(self) -> AbstractContextManager[Connection]:
        return snapshot(self._database.readers)

    def _connected(self, snapshot: bool) -> AbstractContextManager[Connection]:
        if not self._writer.alive:
            raise Unavailable(self._writer.closed_because)
        return (self._database.readers if snapshot else self._database.statement_readers).connect()
