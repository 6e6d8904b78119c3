"""The event log's writer: one thread that commits queued writes in batches, then acknowledges them.

::

    write --> queue --> BEGIN, a savepoint for each write, COMMIT --> the futures of all writes

A commit waits for the disk, so its cost is shared: every write that queues up during
one commit is part of the next. No future has its result before its commit has returned.
"""

import logging
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

from sqlalchemy import PoolProxiedConnection
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import SQLAlchemyError

from .change_writer import change_writer_for
from .changes import DELETIONS, Change
from .database import Database
from .errors import Conflict, LostRace, TakenOver, Unavailable, code_of, not_written

MAX_BATCH = 256
"""Writes in one transaction; bounds how long the first of them waits for the last."""

_log = logging.getLogger("sanssouci.store")
_log.addHandler(logging.NullHandler())


@dataclass(frozen=True, slots=True)
class _Write:
    changes: Iterable[Change]
    probes: bool = False
    """Whether it only tests that the disk can be written to."""
    future: Future[None] = field(default_factory=Future)


class Writer:
    """Takes writes from any thread; the future of each is done when the write is on the disk."""

    def __init__(self, database: Database) -> None:
        """Start the thread."""
        self._database = database
        self._engine = database.writers
        self._fence = database.fence
        self._log_has_deleted_rows = False
        """Whether the write-ahead log may still hold rows that were deleted for good."""
        self._dbapi: Any = self._engine.dialect.loaded_dbapi
        self._change_writer = change_writer_for(type(self._engine.dialect))  # type: ignore[arg-type]  # a class can be hashed
        self._connection: PoolProxiedConnection | None = None
        self._queue: SimpleQueue[_Write | None] = SimpleQueue()
        self._open_lock = Lock()
        self._open = True
        self.closed_because = "store.closed"
        """The key of the error for writes that are not accepted."""
        self._failing = False
        self._ended = False
        self._batch: list[_Write] = []
        self._thread = Thread(target=self._work, name="sanssouci-store", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether writes are accepted."""
        return self._open

    @property
    def failing(self) -> bool:
        """Whether the last batch could not be written."""
        return self._failing

    def write(self, changes: Iterable[Change]) -> Future[None]:
        """All of the changes or none; the future has its result when they are on the disk.

        It raises ``Conflict`` or ``Unavailable``, or any error raised by iterating over ``changes``, which
        happens in the writer's thread. If a future can be cancelled, its write has not been made.
        """
        return self._enqueue(_Write(changes))

    def probe(self) -> Future[None]:
        """Test whether the disk can be written to: the future raises ``Unavailable`` if not."""
        return self._enqueue(_Write((), probes=True))

    def _enqueue(self, write: _Write) -> Future[None]:
        # Under the lock, so that no write is queued behind the end mark of ``close`` and waits for ever.
        with self._open_lock:
            if self._open:
                self._queue.put(write)
                return write.future
        write.future.set_exception(Unavailable(self.closed_because))
        return write.future

    def close(self) -> None:
        """Accept no more writes, and return when the queued ones are written."""
        with self._open_lock:
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
        except BaseException as error:  # callers must not wait for a dead thread
            _log.critical("store_writer_died", extra={"error": type(error).__name__})
        finally:
            self._refuse_rest()

    def _collect(self) -> None:
        """Wait for a write, then take all that are queued, up to ``MAX_BATCH``."""
        # From ``set_running_or_notify_cancel`` on, a future cannot be cancelled. So a cancelled future always
        # means a write that was not made, and no result is set on one that nobody expects any more.
        self._batch = []
        write = self._queue.get()
        while write is not None:
            if write.future.set_running_or_notify_cancel():
                self._batch.append(write)
            if len(self._batch) == MAX_BATCH or self._queue.empty():
                return
            write = self._queue.get()
        self._ended = True

    def _write_batch(self) -> None:
        try:
            errors = self._commit(self._batch)
        except TakenOver as lost:
            _log.critical("store_taken_over")
            self._disconnect()
            self.closed_because, self._ended = lost.key, True
            return  # the thread ends and refuses this batch and all later writes
        except (self._dbapi.Error, SQLAlchemyError) as error:
            # Closing the connection rolls back. The next batch opens a new one, because a connection that
            # was opened while the disk was read-only can never write, even when the disk can again.
            self._disconnect()
            _log.error("store_write_failed", extra={"error": code_of(error)})
            errors = [not_written(error) for _ in self._batch]
            self._failing = True
        else:
            self._failing = self._failing and None not in errors  # a conflict proves nothing about the disk
        for write, wrong in zip(self._batch, errors, strict=True):
            _resolve(write, wrong)

    def _commit(self, batch: list[_Write]) -> list[Exception | None]:
        """The error of each write or None; an error that is raised is an error of the whole batch."""
        # A batch is one transaction, because the sync of a commit costs more than all of its statements. Each
        # write has a savepoint in it: a conflict undoes that write alone, and the others are committed.
        if self._connection is None:
            self._connection = self._engine.raw_connection()
        cursor = self._connection.cursor()
        cursor.execute(self._database.begin)
        self._fence.check(cursor)
        if len(batch) == 1:  # the transaction itself takes the place of the savepoint
            errors = [self._apply(cursor, batch[0])]
        else:
            errors = [self._apply_in_savepoint(cursor, write) for write in batch]
        if len(batch) == 1 and errors != [None]:
            cursor.execute("ROLLBACK")
            self._fence.forget_transaction()
        else:
            cursor.execute("COMMIT")
            self._fence.committed()
        if self._log_has_deleted_rows:
            self._truncate_log(cursor)
        return errors

    def _truncate_log(self, cursor: DBAPICursor) -> None:
        """Remove deleted rows from the log; if a reader or the disk prevents it, the next write retries."""
        try:
            self._log_has_deleted_rows = not self._database.empty_log(cursor)
        except self._dbapi.Error as error:  # the commit itself has succeeded
            _log.warning("store_log_not_emptied", extra={"error": code_of(error)})

    def _apply_in_savepoint(self, cursor: DBAPICursor, write: _Write) -> Exception | None:
        cursor.execute("SAVEPOINT one_write")
        error = self._apply(cursor, write)
        if error is not None:
            cursor.execute("ROLLBACK TO SAVEPOINT one_write")
        cursor.execute("RELEASE SAVEPOINT one_write")
        return error

    def _apply(self, cursor: DBAPICursor, write: _Write) -> Exception | None:
        """Make the changes of one write; an error that concerns only this write is returned, not raised."""
        # What concerns this write alone is returned, so that the batch goes on. Other errors of the driver
        # (a full disk) are raised: the whole transaction is lost, so every write of the batch has failed.
        try:
            if write.probes:
                self._fence.probe(cursor)
            for change in write.changes:
                self._change_writer.apply(cursor, change)
                self._log_has_deleted_rows = self._log_has_deleted_rows or isinstance(change, DELETIONS)
        except self._dbapi.IntegrityError:
            return Conflict("this contradicts what is kept")
        except self._database.value_errors as error:
            return ValueError(
                f"this cannot be kept: {type(error).__name__}"
            )  # its text could quote hidden cards
        except self._dbapi.Error as error:
            if self._database.has_lost_race(error):
                return LostRace("another process was quicker")
            raise
        except Exception as error:
            return error
        return None

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.invalidate()
            self._connection = None
        self._fence.forget_transaction()

    def _refuse_rest(self) -> None:
        """Accept no more writes, and fail all that are still waiting."""
        with self._open_lock:
            self._open = False
        while not self._queue.empty():
            write = self._queue.get()
            if write is not None and write.future.set_running_or_notify_cancel():
                self._batch.append(write)
        for write in self._batch:
            if not write.future.done():
                _resolve(write, Unavailable(self.closed_because))


def _resolve(write: _Write, error: Exception | None) -> None:
    if error is None:
        write.future.set_result(None)
    else:
        write.future.set_exception(error)
