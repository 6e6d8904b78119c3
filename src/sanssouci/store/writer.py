"""The one thread that writes. Whatever waits when it comes by is committed together, then acknowledged.

::

    write --> queue --> BEGIN, a savepoint for each write, COMMIT --> the futures of all
"""

import logging
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

from sqlalchemy import Engine, PoolProxiedConnection
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import SQLAlchemyError

from .change_writer import change_writer_for
from .changes import FORGETTING, Change
from .errors import Conflict, Unavailable, code_of, not_written

MOST_TOGETHER = 256
"""Writes in one transaction."""

_log = logging.getLogger("sanssouci.store")
_log.addHandler(logging.NullHandler())


@dataclass(frozen=True, slots=True)
class _Write:
    changes: Iterable[Change]
    probes: bool = False
    """Whether nothing changes: it is only seen whether anything could."""
    future: Future[None] = field(default_factory=Future)


class Writer:
    """Takes writes from any thread, and answers each when it is on the disk."""

    def __init__(
        self, engine: Engine, begin: str, probe: str, empty_log: Callable[[DBAPICursor], bool]
    ) -> None:
        """The connections of the engine begin no transaction by themselves; ``begin`` does.

        ``probe`` writes something to the disk, and changes nothing. ``empty_log`` leaves nothing in the log
        of what was written before, and says whether it could.
        """
        self._engine = engine
        self._begin = begin
        self._probe = probe
        self._empty_log = empty_log
        self._forgets = False
        """Whether the log still holds what was taken away for good."""
        self._dbapi: Any = engine.dialect.loaded_dbapi
        self._unfit = (
            self._dbapi.DataError,
            self._dbapi.NotSupportedError,
            self._dbapi.ProgrammingError,
            OverflowError,
            UnicodeEncodeError,
        )
        """Raised for a value that the database has no place for."""
        self._clerk = change_writer_for(type(engine.dialect))  # type: ignore[arg-type]  # a class can be hashed
        self._connection: PoolProxiedConnection | None = None
        self._queue: SimpleQueue[_Write | None] = SimpleQueue()
        self._gate = Lock()
        self._open = True
        self._failing = False
        self._ended = False
        self._batch: list[_Write] = []
        self._thread = Thread(target=self._work, name="sanssouci-store", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether a write can be hoped to be answered with more than no."""
        return self._open

    @property
    def failing(self) -> bool:
        """Whether the disk did not take what was last given to it."""
        return self._failing

    def write(self, changes: Iterable[Change]) -> Future[None]:
        """All of the changes or none; the future has its result when they are on the disk.

        It raises ``Conflict`` or ``Unavailable``, or what came of iterating over the changes, which is done
        in the writer's thread. A future that could be cancelled was not written.
        """
        return self._take(_Write(changes))

    def probe(self) -> Future[None]:
        """Find out whether anything can be written: the future has its result, or raises ``Unavailable``."""
        return self._take(_Write((), probes=True))

    def _take(self, write: _Write) -> Future[None]:
        with self._gate:
            if self._open:
                self._queue.put(write)
                return write.future
        write.future.set_exception(Unavailable("store.closed"))
        return write.future

    def close(self) -> None:
        """Write what is waiting, then take no more."""
        with self._gate:
            if self._open:
                self._open = False
                self._queue.put(None)
        self._thread.join()
        self._disconnect()

    def _work(self) -> None:
        try:
            while not self._ended:
                self._collect()
                if self._batch:
                    self._write_batch()
        except BaseException as error:  # nobody may wait for a thread that is no more
            _log.critical("the thread that writes has died: %s", type(error).__name__)
        finally:
            self._abandon()

    def _collect(self) -> None:
        """Wait for a write, and take all that are waiting with it."""
        self._batch = []
        write = self._queue.get()
        while write is not None:
            if write.future.set_running_or_notify_cancel():
                self._batch.append(write)
            if len(self._batch) == MOST_TOGETHER or self._queue.empty():
                return
            write = self._queue.get()
        self._ended = True

    def _write_batch(self) -> None:
        try:
            errors = self._commit(self._batch)
        except (self._dbapi.Error, SQLAlchemyError) as error:
            # What was not committed is undone. A connection that was opened while the disk was read-only can
            # never write, even when the disk can again: so the next batch begins on a new one.
            self._disconnect()
            _log.error("nothing can be written: %s", code_of(error))
            errors = [not_written(error) for _ in self._batch]
            self._failing = True
        else:
            self._failing = self._failing and None not in errors  # what contradicts was not written
        for write, wrong in zip(self._batch, errors, strict=True):
            _answer(write, wrong)

    def _commit(self, batch: list[_Write]) -> list[Exception | None]:
        """What became of each write; an error that is raised is everyone's."""
        if self._connection is None:
            self._connection = self._engine.raw_connection()
        cursor = self._connection.cursor()
        cursor.execute(self._begin)
        if len(batch) == 1:
            errors = [self._enter(cursor, batch[0])]
            cursor.execute("COMMIT" if errors == [None] else "ROLLBACK")
        else:
            errors = [self._enter_within_savepoint(cursor, write) for write in batch]
            cursor.execute("COMMIT")
        if self._forgets:
            self._forget(cursor)
        return errors

    def _forget(self, cursor: DBAPICursor) -> None:
        """Empty the log; where somebody still reads it, or the disk fails, the next write tries again."""
        try:
            self._forgets = not self._empty_log(cursor)
        except self._dbapi.Error as error:  # what was committed is kept all the same
            _log.warning("the log cannot be emptied: %s", code_of(error))

    def _enter_within_savepoint(self, cursor: DBAPICursor, write: _Write) -> Exception | None:
        cursor.execute("SAVEPOINT one_write")
        error = self._enter(cursor, write)
        if error is not None:
            cursor.execute("ROLLBACK TO SAVEPOINT one_write")
        cursor.execute("RELEASE SAVEPOINT one_write")
        return error

    def _enter(self, cursor: DBAPICursor, write: _Write) -> Exception | None:
        """Make the changes of one write; what is wrong with it alone is returned, not raised."""
        try:
            if write.probes:
                cursor.execute(self._probe)
            for change in write.changes:
                self._clerk.enter(cursor, change)
                self._forgets = self._forgets or isinstance(change, FORGETTING)
        except self._dbapi.IntegrityError:
            return Conflict("this contradicts what is kept")
        except self._unfit as error:
            return ValueError(f"this cannot be kept: {type(error).__name__}")  # and nothing of what it was
        except self._dbapi.Error:
            raise
        except Exception as error:
            return error
        return None

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.invalidate()
            self._connection = None

    def _abandon(self) -> None:
        """Nothing more is taken; who still waits is told."""
        with self._gate:
            self._open = False
        while not self._queue.empty():
            write = self._queue.get()
            if write is not None and write.future.set_running_or_notify_cancel():
                self._batch.append(write)
        for write in self._batch:
            if not write.future.done():
                _answer(write, Unavailable("store.closed"))


def _answer(write: _Write, error: Exception | None) -> None:
    if error is None:
        write.future.set_result(None)
    else:
        write.future.set_exception(error)
