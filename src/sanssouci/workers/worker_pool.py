"""Computer players in worker processes: the event loop asks and goes on, and a turn always comes back.

::

    turn, side, hint, look --> Agenda --> a desk --> its worker --> the caller
                                 ^            |
                                 +------------+  the worker died: once more; then greedy; then the rules alone

Each desk is a task that has one worker at a time. It hires, hands over one job after the other, and replaces
a worker that is dead, that takes too long, that answers nonsense, or that has worked long enough. A look at a
game that is over never keeps others waiting: where no worker is free, one that looks back is told to give
way, and the look is taken again later.
"""

import asyncio
import json
from collections.abc import Callable, Collection
from dataclasses import dataclass
from time import monotonic
from typing import Any, TypeVar

import structlog

from sanssouci.dealer import Seed
from sanssouci.locale import UserError, printable
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
_MAKE_WAY = b'{"make_way": true}\n'
"""Told to a worker that looks back; what is done already does not mind it."""
_PAUSE = 5.0
"""Seconds until a desk for which no worker could be started tries again."""
_log = structlog.get_logger("sanssouci.workers")


@dataclass(frozen=True, slots=True)
class StartProgress:
    """How far the workers are, while the server starts."""

    preparing: str = ""
    """The player that is being prepared; empty for hints, and before and after."""
    done: int = 0
    of: int = 0
    """Steps of the first worker: it compiles for all."""
    ready: int = 0
    """Workers that can be asked."""


@dataclass(frozen=True, slots=True)
class PoolStatistics:
    """What there is to do, and what was done since the start."""

    waiting: int
    """Jobs that games wait for."""
    waiting_hints: int
    waiting_reviews: int
    """At games that are over."""
    running: int
    done: int
    failed: int
    """Those of them in which the player failed, or for which there was no answer at all."""
    replaced: int
    """Workers."""
    seconds: float
    """What workers have spent on all that is done."""


class WorkerPool:
    """Workers, and the jobs that wait for them. It belongs to the event loop that starts it."""

    def __init__(
        self,
        workers: int,
        allowed: Collection[str],
        config: PoolConfig = PoolConfig(),  # noqa: B008 - it is frozen
        on_progress: Callable[[StartProgress], None] = lambda progress: None,
        on_job: Callable[[str, float], None] = lambda kind, seconds: None,
    ) -> None:
        """``UserError`` unless all that are allowed are installed players; a program is never one.

        ``on_job`` hears of every job that a worker has answered, of which kind, and the seconds it took.
        """
        if workers < 1:
            raise ValueError("without workers nobody plays")
        for name in allowed:
            check_player(name)
        self.allowed = frozenset(allowed)
        self.progress = StartProgress()
        self._size, self._config = workers, config
        self._on_progress, self._on_job = on_progress, on_job
        self._queue = JobQueue(config.hints)
        self._open: set[AnyJob] = set()
        """All that someone waits for."""
        self._running: dict[AnyJob, WorkerProcess] = {}
        self._preempted: set[AnyJob] = set()
        """Those of them that were told to give way."""
        self._worker_tasks: list[asyncio.Task[None]] = []
        self._ready: set[WorkerProcess] = set()
        self._begun = asyncio.Event()
        """The first worker is ready, or will never be."""
        self._closed = False
        self._done = self._failed = self._replaced = 0
        self._seconds = 0.0

    async def turn(self, player: str, view: View, key: Seed, owner: str = "") -> Answer[Turn]:
        """The turn that a player plays for the seat of a view; the same key and rollouts give the same.

        Owners are served in turn, however many jobs each of them has.
        """
        self._check_allowed(player)
        return await self._do(TurnJob(player, view, key, owner))

    async def side(self, player: str, view: SetupView, key: Seed, owner: str = "") -> Answer[int]:
        """The side that a player picks for the seat of a view."""
        self._check_allowed(player)
        return await self._do(SideJob(player, view, key, owner))

    async def hint(self, view: View, key: Seed, owner: str = "") -> HintResult:
        """A hint for the seat of a view; ``UserError`` if too many wait for one, or none can be found.

        One of each owner may wait.
        """
        return await self._do(HintJob(view, key, owner))

    async def review_position(
        self, record: Record, state: State, turn: Turn | None, owner: str = ""
    ) -> PositionReview:
        """What is found at a position of a record, by so many rollouts as ``look_rollouts`` says.

        Everything else is done first. ``UserError`` if it cannot be done.
        """
        return await self._do(ReviewJob(record, state, turn, self.review_rollouts, owner))

    @property
    def review_rollouts(self) -> int:
        """Imagined games for each look."""
        return self._config.review_rollouts

    @property
    def statistics(self) -> PoolStatistics:
        """The figures now."""
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

    def start(self) -> None:
        """Hire; jobs may come at once, and wait."""
        self._worker_tasks = [asyncio.create_task(self._supervise(desk)) for desk in range(self._size)]

    async def ready(self) -> None:
        """The kernel is compiled and a worker can be asked; ``UserError`` if workers cannot be started."""
        await self._begun.wait()
        if not self._ready and not self._closed:
            raise UserError(NO_WORKER)

    async def close(self, grace: float = 5.0) -> None:
        """Nothing more is begun; what runs may end within so many seconds; then no worker is left."""
        self._closed = True
        self._begun.set()
        for job in self._queue.drop_all():
            job.refuse(UserError("workers.closed"))
        if self._running:
            await asyncio.wait([job.answer for job in self._running], timeout=grace)
        for desk in self._worker_tasks:
            desk.cancel()
        await asyncio.gather(*self._worker_tasks, return_exceptions=True)
        for job in self._open:
            job.refuse(UserError("workers.closed"))

    def _check_allowed(self, player: str) -> None:
        if player not in self.allowed:
            known = ", ".join(sorted(self.allowed))
            raise UserError("workers.not_allowed", name=player, allowed=known)

    async def _do(self, job: Job[T]) -> T:
        if self._closed:
            raise UserError("workers.closed")
        self._queue.admit(job)
        self._open.add(job)
        self._preempt()
        try:
            return await job.answer
        finally:
            self._open.discard(job)
            self._queue.drop(job)  # if the caller is gone; a worker that is at it may finish

    def _preempt(self) -> None:
        """As many looks are left as jobs wait that are more urgent and for which nobody is free."""
        waiting = self._queue.waiting(Priority.GAME) + self._queue.waiting(Priority.HINT)
        wanted = waiting - (len(self._ready) - len(self._running)) - len(self._preempted)
        looks = [
            job for job in self._running if job.priority is Priority.REVIEW and job not in self._preempted
        ]
        for job in looks[: max(0, wanted)]:
            self._preempted.add(job)
            self._running[job].tell(_MAKE_WAY)

    async def _supervise(self, desk: int) -> None:
        """A desk: someone is always at it."""
        if desk:
            await self._begun.wait()  # the first one compiles for all
        while not self._closed:
            try:
                await self._run_worker()
            except Exception as error:  # a desk must not stay empty because a line could not be logged
                report = {"message": "a desk has failed", "exception": error}
                asyncio.get_running_loop().call_exception_handler(report)
                await asyncio.sleep(_PAUSE)

    async def _run_worker(self) -> None:
        """One worker, from its first day to its last."""
        worker = WorkerProcess(self._config.line(self.allowed))
        try:
            ready = await self._await_ready(worker)
            self._begun.set()
            gone = await self._serve_jobs(worker) if ready else {"why": "not ready"}
        finally:
            self._ready.discard(worker)
            await worker.end()
        self._replaced += ready
        self._show(StartProgress(ready=len(self._ready)))
        log = _log.info if gone["why"] == "retired" else _log.warning
        log("worker gone", pid=worker.pid, status=worker.status, **gone)
        if not ready:
            await self._start_without()

    async def _start_without(self) -> None:
        """Until it is time to try again; a job that nobody else will do is done somehow."""
        if self._ready:
            await asyncio.sleep(_PAUSE)
            return
        try:
            async with asyncio.timeout(_PAUSE):
                job = await self._queue.take()
        except TimeoutError:
            return
        await self._answer_without_worker(job)

    async def _await_ready(self, worker: WorkerProcess) -> bool:
        """Wait until a worker is ready; False if it does not live so long."""
        try:
            while not self._reported(json.loads(await worker.hear(self._config.patience))):
                pass
        except (EOFError, TimeoutError, ValueError, TypeError, LookupError):
            _log.warning("worker not ready", preparing=printable(self.progress.preparing))
            return False
        self._ready.add(worker)
        self._show(StartProgress(ready=len(self._ready)))
        _log.info("worker ready", pid=worker.pid)
        return True

    def _reported(self, report: Json) -> bool:
        """Whether a worker that begins has said all it had to say."""
        if "broken" in report:
            _log.warning(
                "player broken", player=printable(report["broken"]), reason=printable(report["reason"])
            )
        elif "preparing" in report:
            self._show(StartProgress(report["preparing"], report["done"], report["of"], len(self._ready)))
        return "ready" in report

    def _show(self, progress: StartProgress) -> None:
        self.progress = progress
        asyncio.get_running_loop().call_soon(self._on_progress, progress)

    async def _serve_jobs(self, worker: WorkerProcess) -> dict[str, str]:
        """Jobs for a worker, until it is gone or has worked long enough: why, and over what."""
        for _ in range(self._config.jobs):
            job = await self._next_job(worker)
            if job is None:
                return {"why": "died"}
            why = await self._try(worker, job)
            if why:
                return {"why": why, "kind": job.kind, "player": job.player}
        return {"why": "retired"}

    async def _next_job(self, worker: WorkerProcess) -> AnyJob | None:
        """The next job; None if the worker is gone before there is one."""
        taking = asyncio.create_task(self._queue.take())
        try:
            events: set[asyncio.Future[Any]] = {taking, worker.gone}
            await asyncio.wait(events, return_when=asyncio.FIRST_COMPLETED)
        finally:
            taking.cancel()
        if not worker.gone.done():
            return taking.result()
        if taking.done() and not taking.cancelled():
            self._queue.put(taking.result())
        return None

    async def _try(self, worker: WorkerProcess, job: AnyJob) -> str:
        """Let a worker do a job; if it has not done it, the job is passed on: why, else nothing."""
        begun = monotonic()
        self._running[job] = worker
        try:
            worker.tell(job.line())
            answer, document = read_answer(job, await worker.hear(self._config.limit * job.patience))
        except TimeoutError:
            await self._pass_on(job, HUNG)
            return "hung"
        except Preempted:
            if job not in self._preempted:
                await self._pass_on(job, DIED)
                return "garbled"
            if not job.answer.done():
                self._queue.put(job)
            return ""
        except (EOFError, BadResponse) as error:
            await self._pass_on(job, DIED)
            return "garbled" if isinstance(error, BadResponse) else "died"
        finally:
            del self._running[job]
            self._preempted.discard(job)
        self._finish(job, answer, document, monotonic() - begun)
        return ""

    def _finish(self, job: AnyJob, answer: Any, document: Json, seconds: float) -> None:
        self._done += 1
        self._seconds += seconds
        job.settle(answer)
        asyncio.get_running_loop().call_soon(self._on_job, job.kind, seconds)
        if isinstance(answer, Answer) and answer.fault is not None:
            self._failed += 1
            _log.warning(
                "player failed",
                player=job.player,
                fault=answer.fault.key,
                trace=str(document.get("trace", "")),
            )

    async def _pass_on(self, job: AnyJob, fault: str) -> None:
        """A worker was lost with a job: once more, unless it hung; then without its player."""
        job.losses += 1
        again = job.fault is None and job.losses < 2 and fault == DIED
        if self._closed or job.answer.done():
            job.refuse(UserError("workers.closed"))
        elif again:
            self._wait_again(job)
        elif job.can_fall_back:
            job.fault = UserError(fault)
            self._wait_again(job)
        else:
            job.fault = job.fault or UserError(fault)
            await self._answer_without_worker(job)

    def _wait_again(self, job: AnyJob) -> None:
        self._queue.put(job)
        self._preempt()

    async def _answer_without_worker(self, job: AnyJob) -> None:
        """An answer for which no worker is needed."""
        job.fault = job.fault or UserError(NO_WORKER)
        self._done += 1
        self._failed += 1
        try:
            job.settle(await asyncio.to_thread(job.last_resort))
        except UserError as user_error:
            job.refuse(user_error)
