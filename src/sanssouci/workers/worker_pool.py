"""The worker pool: runs computer players in processes, and always returns a turn.

::

    turn, side, hint, review --> JobQueue --> a supervisor task --> its worker --> the caller
                                    ^                |
                                    +----------------+  the worker died: retry; then greedy; then no player

Each supervisor task has one worker at a time. It starts the worker, gives it one job after another, and
replaces it when it has died, timed out, sent a bad response, or done ``max_jobs`` jobs. A review never delays
other jobs: if no worker is free, one that runs a review is preempted, and the review is queued again.
"""

import asyncio
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any, TypeVar

import structlog

from sanssouci.dealer import Seed
from sanssouci.locale import UserError, os_error_reason, printable
from sanssouci.notation import Record
from sanssouci.players import check_player
from sanssouci.review import PositionReview
from sanssouci.rules import SetupView, State, Turn, View

from .answer import DIED, HUNG, NO_WORKER, Answer, BadResponse, Json, Preempted
from .hint_result import HintResult
from .job import HintJob, Job, Priority, ReviewJob, SideJob, TurnJob, read_answer
from .job_queue import AnyJob, JobQueue
from .pool_config import PoolConfig
from .worker_process import WorkerProcess

T = TypeVar("T")
_PREEMPT = b'{"preempt": true}\n'
"""Asks a worker to give up a review; ignored if the review is already done."""
_RESTART_DELAY = 5.0
"""Seconds until a supervisor whose worker did not start tries again."""
_log = structlog.get_logger("sanssouci.workers")


@dataclass(frozen=True, slots=True)
class StartProgress:
    """How far the workers are while the server starts."""

    preparing: str = ""
    """The player being prepared; empty for hints, and before and after."""
    done: int = 0
    of: int = 0
    """Steps of the first worker, which compiles the kernel for all."""
    ready: int = 0
    """Workers that accept jobs."""


@dataclass(frozen=True, slots=True)
class PoolStatistics:
    """Queue lengths, and totals since the start."""

    waiting: int
    """Turns and sides."""
    waiting_hints: int
    waiting_reviews: int
    running: int
    done: int
    failed: int
    """Jobs among ``done`` whose player failed, or that no worker could do."""
    replaced: int
    """Workers that were replaced."""
    seconds: float
    """Total working time of the workers."""


@dataclass(frozen=True, slots=True)
class DoneJob:
    kind: str
    seconds: float
    """The working time."""
    waited: float
    """Seconds between the request and the start of the work, and on the way."""
    remote: bool
    """Whether a process of ``sanssouci worker`` has done it."""


class WorkerPool:
    """Worker processes and their job queue. Belongs to the event loop that starts it."""

    def __init__(
        self,
        workers: int,
        allowed: Collection[str],
        config: PoolConfig = PoolConfig(),  # noqa: B008 - it is frozen
        on_progress: Callable[[StartProgress], None] = lambda progress: None,
        on_job: Callable[[DoneJob], None] = lambda done: None,
    ) -> None:
        """``UserError`` unless all ``allowed`` are installed players; external engines are not accepted.

        ``on_job`` is called with every job that a worker has done.
        """
        if workers < 1:
            raise ValueError("a pool needs at least one worker")
        for name in allowed:
            check_player(name)
        self.allowed = frozenset(allowed)
        self.progress = StartProgress()
        self._size, self._config = workers, config
        self._on_progress, self._on_job = on_progress, on_job
        self._queue = JobQueue(config.max_hints)
        self._open: set[AnyJob] = set()
        """All jobs with a waiting caller."""
        self._running: dict[AnyJob, WorkerProcess] = {}
        self._preempted: set[AnyJob] = set()
        """Running jobs whose worker was asked to give them up."""
        self._reported: set[str] = set()
        """Network files that cannot be used, as sentences."""
        self._supervisors: list[asyncio.Task[None]] = []
        self._ready: set[WorkerProcess] = set()
        self._first_started = asyncio.Event()
        """Set when the first worker is ready, or could not be started."""
        self._closed = False
        self._done = self._failed = self._replaced = 0
        self._seconds = 0.0

    async def turn(self, player: str, view: View, key: Seed, owner: str = "") -> Answer[Turn]:
        """The turn that a player chooses for the seat of a view; key and rollouts determine it.

        Owners are served round-robin, however many jobs each of them has.
        """
        self._check_allowed(player)
        return await self._do(TurnJob(player, view, key, owner))

    async def side(self, player: str, view: SetupView, key: Seed, owner: str = "") -> Answer[int]:
        """The side that a player picks for the seat of a view."""
        self._check_allowed(player)
        return await self._do(SideJob(player, view, key, owner))

    async def hint(self, view: View, key: Seed, owner: str = "") -> HintResult:
        """A hint for the seat of a view; ``UserError`` if too many are queued, or it could not be computed.

        Each owner may queue one.
        """
        return await self._do(HintJob(view, key, owner))

    async def review_position(
        self, record: Record, state: State, turn: Turn | None, owner: str = ""
    ) -> PositionReview:
        """Review one position of a record with ``review_rollouts`` rollouts, after all other jobs.

        ``UserError`` if it could not be computed.
        """
        return await self._do(ReviewJob(record, state, turn, self.review_rollouts, owner))

    @property
    def review_rollouts(self) -> int:
        return self._config.review_rollouts

    @property
    def statistics(self) -> PoolStatistics:
        return PoolStatistics(
            self._queue.waiting(Priority.GAME),
            self._queue.waiting(Priority.HINT),
            self._queue.waiting(Priority.REVIEW),
            len(self._running),
            self._done,
            self._failed,
            self._replaced,
            self._seconds,
        )

    @property
    def can_play(self) -> bool:
        """Whether a worker accepts jobs."""
        return self.progress.ready > 0

    @property
    def remote_processes(self) -> int:
        """Worker processes on other machines that accept jobs."""
        return 0

    @property
    def remote_jobs(self) -> Mapping[str, int]:
        """Jobs of all servers in Redis, waiting or running, by queue."""
        return {}

    def start(self) -> None:
        """Start the workers; jobs may be queued at once."""
        self._supervisors = [asyncio.create_task(self._supervise(index)) for index in range(self._size)]

    async def ready(self) -> None:
        """Wait until the kernel is compiled and a worker accepts jobs; ``UserError`` if none starts."""
        await self._first_started.wait()
        if not self._ready and not self._closed:
            raise UserError(NO_WORKER)

    async def close(self, grace: float = 5.0) -> None:
        """Start no more jobs, give running ones ``grace`` seconds, then kill all workers."""
        # Queued jobs fail first, so that no supervisor takes another one and only running jobs are waited
        # for. Cancelling a supervisor kills its worker. Jobs that are still open then have no answer, and
        # their callers must not wait for ever.
        self._closed = True
        self._first_started.set()
        for job in self._queue.drop_all():
            job.fail(UserError("workers.closed"))
        if self._running:
            await asyncio.wait([job.answer for job in self._running], timeout=grace)
        for task in self._supervisors:
            task.cancel()
        await asyncio.gather(*self._supervisors, return_exceptions=True)
        for job in self._open:
            job.fail(UserError("workers.closed"))

    def _check_allowed(self, player: str) -> None:
        if player not in self.allowed:
            known = ", ".join(sorted(self.allowed))
            raise UserError("workers.not_allowed", name=player, allowed=known)

    async def _do(self, job: Job[T]) -> T:
        if self._closed:
            raise UserError("workers.closed")
        self._queue.admit(job)
        return await self._wait_for(job)

    async def _wait_for(self, job: Job[T]) -> T:
        """The answer to a queued job."""
        self._open.add(job)
        self._preempt()
        try:
            return await job.answer
        finally:
            self._open.discard(job)
            self._queue.drop(job)
            if job.answer.cancelled():
                self._give_up(job)

    def _give_up(self, job: AnyJob) -> None:
        """Stop a running review that nobody waits for; other jobs are short, and are finished in vain."""
        if job.priority is Priority.REVIEW and job in self._running and job not in self._preempted:
            self._preempted.add(job)
            self._running[job].send(_PREEMPT)

    def _preempt(self) -> None:
        """Preempt one review for each more urgent job for which no worker is free or about to be."""
        # Somebody is waiting for a turn or a hint, and a review takes long. Free workers and reviews that are
        # already being preempted are subtracted; otherwise a new job would stop more reviews than it needs.
        waiting = self._queue.waiting(Priority.GAME) + self._queue.waiting(Priority.HINT)
        wanted = waiting - (len(self._ready) - len(self._running)) - len(self._preempted)
        reviews = [
            job for job in self._running if job.priority is Priority.REVIEW and job not in self._preempted
        ]
        for job in reviews[: max(0, wanted)]:
            self._preempted.add(job)
            self._running[job].send(_PREEMPT)

    async def _supervise(self, index: int) -> None:
        """Run one worker after another until the pool is closed."""
        if index:
            await self._first_started.wait()  # the first worker compiles the kernel for all
        while not self._closed:
            try:
                await self._run_worker()
            except (
                Exception
            ) as error:  # for instance of logging: a supervisor that ended would cost a worker for good
                report = {"message": "a supervisor of a worker has failed", "exception": error}
                asyncio.get_running_loop().call_exception_handler(report)
                await asyncio.sleep(_RESTART_DELAY)

    async def _run_worker(self) -> None:
        """Run one worker until it has to be replaced."""
        worker = WorkerProcess(self._config.line(self.allowed))
        try:
            ready = await self._await_ready(worker)
            self._first_started.set()
            gone = await self._serve_jobs(worker) if ready else {"reason": "not_ready"}
        finally:
            self._ready.discard(worker)
            await worker.kill()
        self._replaced += ready
        self._show(StartProgress(ready=len(self._ready)))
        log = _log.info if gone["reason"] == "retired" else _log.warning
        log("worker_exited", pid=worker.pid, status=worker.status, **gone)
        if not ready:
            await self._wait_to_restart()

    async def _wait_to_restart(self) -> None:
        """Wait before the next attempt; if there is no worker at all, answer one job without a worker."""
        # Without any worker the queue would only grow. Answering one job here keeps games going, slowly,
        # while workers cannot start, for instance because memory is short.
        if self._ready:
            await asyncio.sleep(_RESTART_DELAY)
            return
        try:
            async with asyncio.timeout(_RESTART_DELAY):
                job = await self._queue.take()
        except TimeoutError:
            return
        await self._answer_without_worker(job)

    async def _await_ready(self, worker: WorkerProcess) -> bool:
        """Wait until a worker is ready; False if it fails to start."""
        try:
            while not self._handle_report(json.loads(await worker.receive(self._config.start_timeout))):
                pass
        except (EOFError, TimeoutError, ValueError, TypeError, LookupError) as error:
            reason = _start_failure(worker, error)
            _log.warning("worker_not_ready", preparing=printable(self.progress.preparing), reason=reason)
            return False
        self._ready.add(worker)
        self._show(StartProgress(ready=len(self._ready)))
        _log.info("worker_ready", pid=worker.pid)
        return True

    def _handle_report(self, report: Json) -> bool:
        """Log or show a report of a worker that starts; whether it is the last one."""
        if "broken" in report:
            _log.warning(
                "player_unavailable",
                player=printable(report["broken"]),
                fault=str(report["fault"]),
                trace=str(report["trace"]),
            )
        elif "unusable" in report:
            if report["unusable"] not in self._reported:  # once, not for every worker
                _log.warning("network_unusable", reason=printable(report["unusable"]))
            self._reported.add(report["unusable"])
        elif "failed" in report:  # the worker exits next
            _log.warning("worker_start_failed", error=printable(report["failed"]), trace=str(report["trace"]))
        elif "preparing" in report:
            self._show(StartProgress(report["preparing"], report["done"], report["of"], len(self._ready)))
        return "ready" in report

    def _show(self, progress: StartProgress) -> None:
        self.progress = progress
        asyncio.get_running_loop().call_soon(self._on_progress, progress)

    async def _serve_jobs(self, worker: WorkerProcess) -> dict[str, str]:
        """Give a worker jobs until it has to be replaced; the reason, for the log."""
        # A worker retires after ``max_jobs``, because third-party players may leak memory and the server runs
        # for months.
        for _ in range(self._config.max_jobs):
            job = await self._next_job(worker)
            if job is None:
                return {"reason": "died"}
            reason = await self._try(worker, job)
            if reason:
                return {
                    "reason": reason,
                    "kind": job.kind,
                    "player": job.player,
                    "request_id": job.request_id,
                }
        return {"reason": "retired"}

    async def _next_job(self, worker: WorkerProcess) -> AnyJob | None:
        """The next job, or None if the worker exits first."""
        taking = asyncio.create_task(self._queue.take())
        try:
            events: set[asyncio.Future[Any]] = {taking, worker.gone}
            await asyncio.wait(events, return_when=asyncio.FIRST_COMPLETED)
        finally:
            taking.cancel()
        if not worker.gone.done():
            return taking.result()
        if taking.done() and not taking.cancelled():  # both at once: do not lose the job
            self._queue.put(taking.result())
        return None

    async def _try(self, worker: WorkerProcess, job: AnyJob) -> str:
        """Run a job on a worker; if it fails, hand the job on and return why the worker must be replaced."""
        started = monotonic()
        self._running[job] = worker
        try:
            worker.send(job.line())
            answer, document = read_answer(
                job, await worker.receive(self._config.job_timeout * job.timeout_factor)
            )
        except TimeoutError:
            await self._retry_or_fall_back(job, HUNG)
            return "hung"
        except Preempted:
            if job not in self._preempted:  # nobody has asked for it
                await self._retry_or_fall_back(job, DIED)
                return "bad_response"
            if not job.answer.done():
                self._queue.put(job)
            return ""
        except (EOFError, BadResponse) as error:
            await self._retry_or_fall_back(job, DIED)
            return "bad_response" if isinstance(error, BadResponse) else "died"
        finally:
            del self._running[job]
            self._preempted.discard(job)
        self._finish(job, answer, document, monotonic() - started)
        return ""

    def _finish(self, job: AnyJob, answer: Any, document: Json, seconds: float, remote: bool = False) -> None:
        self._done += 1
        self._seconds += seconds
        job.seconds = seconds
        job.resolve(answer)
        done = DoneJob(job.kind, seconds, max(0.0, monotonic() - job.created - seconds), remote)
        asyncio.get_running_loop().call_soon(self._on_job, done)
        _log.info(
            "job_done",
            request_id=job.request_id,
            kind=job.kind,
            player=job.player,
            ms=round(seconds * 1000, 1),
            waited_ms=round(done.waited * 1000, 1),
            remote=remote,
        )
        if isinstance(answer, Answer) and answer.fault is not None:
            self._failed += 1
            _log.warning(
                "player_failed",
                request_id=job.request_id,
                player=job.player,
                fault=answer.fault.key,
                trace=str(document.get("trace", "")),
            )

    async def _retry_or_fall_back(self, job: AnyJob, fault: str) -> None:
        """After a worker was lost: retry once, unless it hung; then do without the player."""
        # A worker may die for a reason that has nothing to do with the job, for instance because memory is
        # short, so the player gets a second chance. A player that hung has used up its time: another attempt
        # would make everybody at the table wait twice as long.
        job.lost_workers += 1
        again = job.fault is None and job.lost_workers < 2 and fault == DIED
        if self._closed or job.answer.done():
            job.fail(UserError("workers.closed"))
        elif again:
            self._requeue(job)
        elif job.has_fallback:
            job.fault = UserError(fault)
            self._requeue(job)
        else:
            job.fault = job.fault or UserError(fault)
            await self._answer_without_worker(job)

    def _requeue(self, job: AnyJob) -> None:
        self._queue.put(job)
        self._preempt()

    async def _answer_without_worker(self, job: AnyJob) -> None:
        job.fault = job.fault or UserError(NO_WORKER)
        self._done += 1
        self._failed += 1
        try:
            job.resolve(await asyncio.to_thread(job.result_without_worker))
        except UserError as user_error:
            job.fail(user_error)


def _start_failure(worker: WorkerProcess, error: Exception) -> str:
    """Why a worker did not become ready, for the log."""
    if isinstance(error, TimeoutError):
        return "it did not respond in time"
    if not isinstance(error, EOFError):
        return "it sent an invalid report"
    if worker.start_error is not None:
        return f"the process could not be started: {printable(str(os_error_reason(worker.start_error)))}"
    status = worker.status or 0
    return f"it was killed by signal {-status}" if status < 0 else f"it exited with status {status}"
