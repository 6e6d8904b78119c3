"""Runs tasks on a Ray cluster: one started for this command, or one that is already running.

Items are sent in batches that take about two seconds, because a batch costs milliseconds of Ray's time
(docs/scaling.md). Every node needs the same version of the installed package and nothing else.
"""

import logging
import os
import secrets
import socket
import time
import warnings
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count, islice
from types import TracebackType
from typing import Any, Generic
from urllib.parse import urlsplit

from sanssouci.locale import UserError, os_error_reason

from .executor import MOST_CRASHES, ExecutorFault, Item, Result, Task, engine_digest
from .signals import Interruption

LOCAL = "ray"
"""The address of a new cluster on this machine."""
_CONNECT_TIMEOUT = 5.0
_JOIN_PAUSES = (2.0, 5.0)
"""Seconds to wait before trying again."""
_POLL = 0.25
"""Seconds after which Ctrl-C is noticed at the latest."""
_BATCH_SECONDS = 2.0
_BATCH_SECONDS_PER_PROCESSOR = 0.05
"""In a large cluster batches are longer, so that this process, which needs 10 ms for each, keeps up."""
_GROWTH = 4
"""How much larger a batch may be than the one before: the first items say little about the rest."""
_AHEAD = 8
"""Batches per processor between the oldest unfinished one and the newest. Results that must be returned in
order wait for the oldest one, so this limits their memory."""
_RESOURCES_SECONDS = 5.0
"""How often to look for nodes that have joined or left."""
_LOST_WORK = ("WorkerCrashedError", "NodeDiedError", "ObjectLostError", "OutOfMemoryError")
"""Ray's errors after which a batch is repeated."""


class RayExecutor:
    """An ``Executor``, connected as long as the ``with`` block lasts."""

    def __init__(self, address: str, processors: int | None = None) -> None:
        """Start a cluster if the address is ``LOCAL``, otherwise connect to ``ray://HOST:PORT``.

        At most ``processors`` batches run at a time; by default as many as the cluster has processors.
        ``UserError`` if Ray is not installed or the cluster cannot be reached.
        """
        if address != LOCAL:
            _check_address(address)
        self._ray = _import_ray(address)
        if address != LOCAL:
            _check_port(address)
        self._limit = None if address == LOCAL else processors  # a local cluster has no more
        _connect(self._ray, address, processors)

    def __enter__(self) -> "RayExecutor":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(Exception):  # the cluster may be gone
            self._ray.shutdown()

    def run(
        self, task: Task[Item, Result], items: Iterable[Item], interruption: Interruption
    ) -> Generator[Result, None, None]:
        run = _Run(self._ray, task, iter(items), self._limit, engine_digest())
        return run.results(interruption)


@dataclass(slots=True)
class _Batch(Generic[Item]):
    number: int
    items: list[Item]
    crashes: int = 0


@dataclass(slots=True)
class _Run(Generic[Item, Result]):
    """One run on a cluster."""

    ray: Any
    task: Task[Item, Result]
    left: Iterator[Item]
    limit: int | None
    digest: str
    remote: Any = None
    name: str = field(default_factory=lambda: secrets.token_hex(8))
    pending: dict[Any, _Batch[Item]] = field(default_factory=dict)
    """The batches in flight, by the reference to their result."""
    again: list[_Batch[Item]] = field(default_factory=list)
    """Batches whose work was lost."""
    numbers: Iterator[int] = field(default_factory=count)
    newest: int = -1
    size: int = 1
    """Items of the next batch."""
    processors: int = 0
    looked: float = 0.0

    def results(self, interruption: Interruption) -> Generator[Result, None, None]:
        # Ray's own retries would repeat a whole batch, and could not tell which item kills its process.
        self.remote = self.ray.remote(num_cpus=1, max_retries=0)(run_batch)
        try:
            self._submit()
            while self.pending:
                ready, _ = self.ray.wait([*self.pending], num_returns=1, timeout=_POLL)
                if interruption.reader.poll():
                    raise KeyboardInterrupt
                for reference in ready:
                    yield from self._receive(reference)
                self._submit()
        except (ConnectionError, self.ray.exceptions.RayError) as error:
            self.pending.clear()  # cancelling would start a new cluster
            raise ExecutorFault("ray.lost", reason=_short(error)) from None
        finally:
            with suppress(Exception):  # the cluster may be gone
                for reference in self.pending:
                    self.ray.cancel(reference, force=True)

    def _submit(self) -> None:
        """Keep one batch waiting for each that runs."""
        self._count_processors()
        in_flight = self.limit or 2 * self.processors
        while len(self.pending) < in_flight and (batch := self._next()) is not None:
            self.pending[self.remote.remote(self.name, self.digest, self.task, batch.items)] = batch

    def _count_processors(self) -> None:
        if not self.looked or time.monotonic() > self.looked + _RESOURCES_SECONDS:
            self.processors = max(1, int(self.ray.cluster_resources().get("CPU", 1)))
            self.looked = time.monotonic()

    def _next(self) -> _Batch[Item] | None:
        if self.again:
            return self.again.pop()
        oldest = min((batch.number for batch in self.pending.values()), default=self.newest)
        if self.newest - oldest >= _AHEAD * self.processors:
            return None
        items = [*islice(self.left, self.size)]
        if not items:
            return None
        self.newest = next(self.numbers)
        return _Batch(self.newest, items)

    def _receive(self, reference: Any) -> Iterator[Result]:
        batch = self.pending.pop(reference)
        try:
            seconds, result = self.ray.get(reference)
        except self.ray.exceptions.RayTaskError as error:
            raise ExecutorFault("ray.task_failed", reason=_short(error.cause)) from None
        except tuple(getattr(self.ray.exceptions, name) for name in _LOST_WORK):
            self._repeat(batch)
            return
        if isinstance(result, UserError):
            raise result
        self._adapt_size(seconds / len(batch.items))
        yield result

    def _adapt_size(self, seconds_per_item: float) -> None:
        wanted = max(_BATCH_SECONDS, _BATCH_SECONDS_PER_PROCESSOR * self.processors)
        fitting = int(wanted / max(seconds_per_item, 1e-6))
        self.size = max(1, min(fitting, _GROWTH * self.size, self.task.most_items))

    def _repeat(self, batch: _Batch[Item]) -> None:
        """Submit a lost batch again in two halves, so that an item that kills its process ends up alone."""
        if len(batch.items) > 1:
            middle = len(batch.items) // 2
            self.again += [
                _Batch(batch.number, batch.items[middle:]),
                _Batch(batch.number, batch.items[:middle]),
            ]
            return
        batch.crashes += 1
        if batch.crashes == MOST_CRASHES:
            raise self.task.crash_fault(batch.items[0])
        self.again.append(batch)


_prepared: set[str] = set()
"""The runs for which this worker process is prepared."""


def run_batch(
    run: str, digest: str, task: Task[Item, Result], items: list[Item]
) -> tuple[float, Result | UserError]:
    """In a worker process of a node: the seconds taken, and the result or the error that ends the run."""
    try:
        if run not in _prepared:
            _prepare(digest, task)
            _prepared.add(run)
        started = time.perf_counter()
        result = task.run(items)
    except UserError as user_error:
        return 0.0, user_error
    return time.perf_counter() - started, result


def _prepare(digest: str, task: Task[Any, Any]) -> None:
    if engine_digest() != digest:
        raise ExecutorFault("ray.other_version", node=socket.gethostname())
    task.prepare()


def _check_address(address: str) -> None:
    with suppress(ValueError):  # of the port
        parts = urlsplit(address)
        if parts.scheme == "ray" and parts.hostname and parts.port and not parts.path.strip("/"):
            return
    raise UserError("ray.bad_address", address=address)


def _import_ray(address: str) -> Any:
    """The module; environment variables are set before, because Ray reads them when it is imported."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # report nothing to Ray's makers
    if address == LOCAL:
        os.environ.setdefault("RAY_AUTH_MODE", "token")  # other users of this machine have no access
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    try:
        import ray  # noqa: PLC0415 - an extra
    except ImportError:
        raise UserError("ray.missing") from None
    return ray


def _check_port(address: str) -> None:
    """Ray itself would need half a minute to notice that nothing listens there."""
    parts = urlsplit(address)
    try:
        socket.create_connection((parts.hostname or "", parts.port or 0), _CONNECT_TIMEOUT).close()
    except OSError as error:
        raise UserError("ray.unreachable", address=address, reason=os_error_reason(error)) from None


def _connect(ray: Any, address: str, processors: int | None) -> None:
    logging.getLogger("ray").setLevel(logging.CRITICAL)  # errors are reported as sentences
    options = {"log_to_driver": False, "logging_level": logging.CRITICAL}
    warnings.filterwarnings("ignore", module=r"ray\.")
    try:
        if address == LOCAL:
            ray.init("local", num_cpus=processors, include_dashboard=False, **options)
        else:
            _join(ray, address, options)
    except Exception as error:  # Ray raises many kinds, some of them its own
        reason = _short(error)
        if address == LOCAL:
            raise UserError("ray.not_started", reason=reason) from None
        raise UserError("ray.unreachable", address=address, reason=reason) from None


def _join(ray: Any, address: str, options: dict[str, Any]) -> None:
    """Connect to a running cluster; one that has just been started may refuse at first."""
    for pause in _JOIN_PAUSES:
        try:
            ray.init(address, **options)
        except ConnectionAbortedError:
            time.sleep(pause)
        else:
            return
    ray.init(address, **options)


def _short(error: BaseException) -> str:
    """The first line of an error, or the last one if Ray quotes a traceback of the cluster."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[-1 if any(line.startswith("Traceback") for line in lines) else 0]
