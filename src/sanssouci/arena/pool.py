"""Runs tasks in worker processes of this machine; the item of a worker that dies is run again.

Each worker has its own pipe and one item at a time, so the pool always knows which item a dead worker had.
Workers are spawned, never forked: they share no lock, no thread and no open file with this process.
"""

import os
import signal
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic

from sanssouci.locale import UserError, os_error_reason

from .executor import MOST_CRASHES, ExecutorFault, Item, Result, Task
from .signals import Interruption
from .worker import READY, work

MOST_WORKERS = 1024
_MAX_FAILED_STARTS = 20
"""Workers in a row that may die before their first item."""
_EXIT_TIMEOUT = 5.0
"""Seconds for an idle worker to stop its engines."""
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
"""Environment variables with which libraries limit their threads."""


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    pipe: Connection
    item: Any
    ready: bool = False


@dataclass(frozen=True, slots=True)
class ProcessPool:
    """An ``Executor``; the workers live as long as a run."""

    workers: int

    def run(
        self, task: Task[Item, Result], items: Iterable[Item], interruption: Interruption
    ) -> Generator[Result, None, None]:
        return _Run(task, self.workers, iter(items)).results(interruption)


@dataclass(slots=True)
class _Run(Generic[Item, Result]):
    """One run of a pool."""

    task: Task[Item, Result]
    workers: int
    left: Iterator[Item]
    busy: dict[Connection, _Worker] = field(default_factory=dict)
    resting: list[BaseProcess] = field(default_factory=list)
    again: list[Item] = field(default_factory=list)
    crashes: Counter[Item] = field(default_factory=Counter)
    failed_starts: int = 0

    def results(self, interruption: Interruption) -> Generator[Result, None, None]:
        try:
            while len(self.busy) < self.workers and (item := self._next()) is not None:
                self._start_worker(item)
            while self.busy:
                ready = wait([*self.busy, interruption.reader])
                if interruption.reader in ready:
                    raise KeyboardInterrupt
                for pipe in ready:
                    yield from self._receive(self.busy[pipe])  # type: ignore[index]  # not the reader
        finally:
            self._dismiss_all()

    def _next(self) -> Item | None:
        return self.again.pop() if self.again else next(self.left, None)

    def _start_worker(self, item: Item) -> None:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=work, args=(self.task, theirs), daemon=True)
        try:
            with _ignoring_interrupts(), _one_thread():
                process.start()
        except OSError as error:
            raise UserError("arena.no_worker", reason=os_error_reason(error)) from None
        theirs.close()  # so that the pipe ends when the worker does
        worker = self.busy[ours] = _Worker(process, ours, item)
        self._send(worker, item)

    def _send(self, worker: _Worker, item: Item) -> None:
        worker.item = item
        with suppress(OSError):  # one that is dead is noticed when it is listened to
            worker.pipe.send(item)

    def _receive(self, worker: _Worker) -> Iterator[Result]:
        try:
            result = worker.pipe.recv()
        except (EOFError, OSError):
            self._replace(worker)
            return
        if isinstance(result, str) and result == READY:
            worker.ready, self.failed_starts = True, 0
            return
        if isinstance(result, UserError):
            raise result
        item = self._next()
        if item is None:
            self.resting.append(self._stop_worker(worker))
        else:
            self._send(worker, item)
        yield result

    def _replace(self, worker: _Worker) -> None:
        """Give its item to the next free worker, unless the item itself kills workers."""
        self._stop_worker(worker).join()
        self.crashes[worker.item] += worker.ready
        self.failed_starts += not worker.ready
        if self.crashes[worker.item] == MOST_CRASHES:
            raise self.task.crash_fault(worker.item)
        if self.failed_starts == _MAX_FAILED_STARTS:
            raise ExecutorFault("arena.worker_exits")
        fresh = next(self.left, None)
        if fresh is not None:
            self.again.append(worker.item)
        self._start_worker(worker.item if fresh is None else fresh)

    def _stop_worker(self, worker: _Worker) -> BaseProcess:
        """Close its pipe; the worker then ends by itself."""
        del self.busy[worker.pipe]
        worker.pipe.close()
        return worker.process

    def _dismiss_all(self) -> None:
        for process in self.resting:
            process.join(_EXIT_TIMEOUT)
        processes = [*self.resting, *(self._stop_worker(worker) for worker in [*self.busy.values()])]
        for process in processes:
            process.kill()  # it has nothing to keep
        for process in processes:
            process.join()


@contextmanager
def _ignoring_interrupts() -> Iterator[None]:
    """Processes started in the block ignore Ctrl-C; the parent stops them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # or it would be started in between, and lift the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Processes started in the block compute in one thread, unless the user set another number."""
    ours = [name for name in _THREADS if name not in os.environ]
    os.environ.update(dict.fromkeys(ours, "1"))
    try:
        yield
    finally:
        for name in ours:
            del os.environ[name]
