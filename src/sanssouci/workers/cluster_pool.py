"""The worker pool of a server with Redis: workers on other machines first, the server's own in reserve.

::

    turn, side, hint, review --> JobQueue of a lane --> a slot --> Redis --> sanssouci worker --> reply
                                     |                   |
                                     +-------------------+--> own processes, if no worker reports

A server has at most two jobs in Redis for each remote process, and keeps the others in its own ``JobQueue``.
So owners are served round-robin, and a cancelled job that has not begun costs nothing.
"""

import asyncio
from collections.abc import Awaitable, Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from secrets import token_hex
from typing import Any, TypeVar

import structlog
from coredis.exceptions import ConnectionError as RedisConnectionError
from coredis.retry import NoRetryPolicy
from sqlalchemy import URL

from sanssouci.locale import UserError
from sanssouci.notation import read_typed_json

from .answer import BadResponse, Preempted
from .job import Job, Priority, read_document
from .job_queue import AnyJob, JobQueue
from .redis_queue import (
    REDIS_ERRORS,
    Client,
    JobMessage,
    JobReply,
    Lane,
    RedisQueue,
    read_workers,
    reply_channel,
)
from .worker_pool import PoolStatistics, WorkerPool

T = TypeVar("T")
POLL_INTERVAL = 0.5
"""Seconds between two looks at the reports of workers."""
_RETRY_DELAY = 1.0
_REDIS_TIMEOUT = 2.0
_JOBS_PER_PROCESS = 2
"""One that runs and one that waits, so that no process waits for the network."""
_TIMEOUT_FACTOR = 3.0
"""Multiplies the timeout of a job: a worker may die, and the next one may have other jobs to finish."""

_log = structlog.get_logger("sanssouci.workers")


class _WorkersLost(Exception):
    """No worker will answer; the server's own processes take the job."""


class _Slots:
    """The jobs of one lane: those that wait in this server, and those in Redis."""

    def __init__(self, max_hints: int) -> None:
        self.queue = JobQueue(max_hints)
        self.limit = 0
        self._waiting: dict[AnyJob, asyncio.Future[None]] = {}
        self._sent: set[AnyJob] = set()
        self._changed = asyncio.Event()

    @property
    def sent(self) -> int:
        return len(self._sent)

    async def enter(self, job: AnyJob) -> None:
        """Wait until a job may be sent; ``UserError`` if it is a hint beyond the limits."""
        self.queue.admit(job)
        self._waiting[job] = asyncio.get_running_loop().create_future()
        await self._waiting[job]

    def leave(self, job: AnyJob) -> None:
        self.queue.drop(job)
        self._waiting.pop(job, None)
        self._sent.discard(job)
        self._changed.set()

    def set_limit(self, limit: int) -> None:
        """With a limit of 0, jobs that wait raise ``_WorkersLost``."""
        self.limit = limit
        self._changed.set()
        if limit == 0:
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(_WorkersLost)

    async def run(self) -> None:
        """Let jobs pass in the order of the queue."""
        while True:
            while len(self._sent) >= self.limit:
                self._changed.clear()
                await self._changed.wait()
            job = await self.queue.take()
            future = self._waiting.get(job)
            if future is not None and not future.done():
                self._sent.add(job)
                future.set_result(None)


class ClusterWorkerPool(WorkerPool):
    """A worker pool that prefers the workers of other machines, and survives the loss of all of them."""

    def __init__(self, url: URL, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._url = url
        self._channel = reply_channel(token_hex(8))
        self._processes = 0
        self._lengths: dict[str, int] = {}
        self._lanes = {lane: _Slots(self._config.max_hints) for lane in Lane}
        self._queues: dict[Lane, RedisQueue] = {}
        """While there is a connection."""
        self._replies: dict[str, asyncio.Future[JobReply]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._unusable = False

    @property
    def can_play(self) -> bool:
        return super().can_play or self._processes > 0

    @property
    def remote_processes(self) -> int:
        return self._processes

    @property
    def remote_jobs(self) -> Mapping[str, int]:
        return self._lengths

    @property
    def statistics(self) -> PoolStatistics:
        own = super().statistics
        play, review = (self._lanes[lane].queue for lane in Lane)
        return replace(
            own,
            waiting=own.waiting + play.waiting(Priority.GAME),
            waiting_hints=own.waiting_hints + play.waiting(Priority.HINT),
            waiting_reviews=own.waiting_reviews + review.waiting(Priority.REVIEW),
            running=own.running + sum(slots.sent for slots in self._lanes.values()),
        )

    def start(self) -> None:
        super().start()
        for work in (self._stay_connected(), *(slots.run() for slots in self._lanes.values())):
            self._spawn(work)

    async def close(self, grace: float = 5.0) -> None:
        self._closed = True
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._set_processes(0)  # jobs that wait fail, because the pool is closed
        await super().close(grace)

    async def _do(self, job: Job[T]) -> T:
        if self._processes and not self._closed:
            try:
                return await self._do_remotely(job)
            except _WorkersLost:
                pass
        return await super()._do(job)

    async def _do_remotely(self, job: Job[T]) -> T:
        slots = self._lanes[Lane.of(job.priority)]
        try:
            await slots.enter(job)
            reply = await self._ask(job)
        finally:
            slots.leave(job)
        response = reply["response"]
        if response is None and not reply["fault"]:
            raise _WorkersLost
        if response is None:
            # The player has crashed twice or hung; it is not asked again.
            job.lost_workers += 1
            await self._retry_or_fall_back(job, reply["fault"])
            return await self._wait_for(job)
        try:
            answer = read_document(job, response)
        except (BadResponse, Preempted):
            _log.warning("bad_reply", kind=job.kind, player=job.player, request_id=job.request_id)
            raise _WorkersLost from None
        self._finish(job, answer, response, reply["seconds"], remote=True)
        return answer

    async def _ask(self, job: AnyJob) -> JobReply:
        """Send a job and wait for its reply; if the caller is cancelled, the job is, too."""
        lane, number = Lane.of(job.priority), token_hex(16)
        queue = self._queues.get(lane)
        if queue is None:
            raise _WorkersLost
        reply: asyncio.Future[JobReply] = asyncio.get_running_loop().create_future()
        self._replies[number] = reply
        answered = False
        try:
            async with asyncio.timeout(_TIMEOUT_FACTOR * self._config.job_timeout * job.timeout_factor):
                await queue.put(
                    JobMessage(
                        id=number, reply_to=self._channel, request_id=job.request_id, question=job.question()
                    ),
                    job.priority,
                )
                found = await reply
            answered = True
            return found
        except REDIS_ERRORS:
            raise _WorkersLost from None
        finally:
            del self._replies[number]
            if not answered and not self._closed:
                self._spawn(_abort(queue, number))

    def _spawn(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _stay_connected(self) -> None:
        while True:
            try:
                await self._connect()
            except* (RedisConnectionError, OSError):
                pass  # logged as workers_lost
            except* Exception as errors:  # for instance, Redis is too old; the bus works all the same
                if not self._unusable:
                    _log.warning("job_queue_unusable", error=type(_first(errors)).__name__)
                self._unusable = True
            self._queues = {}
            self._set_processes(0)
            await asyncio.sleep(_RETRY_DELAY)

    async def _connect(self) -> None:
        """Watch workers and receive replies until the connection is lost."""
        queues = {lane: RedisQueue(self._url, lane, _not_here) for lane in Lane}
        async with AsyncExitStack() as stack:
            for queue in queues.values():
                await stack.enter_async_context(queue)
            client = queues[Lane.PLAY].client
            replies = await stack.enter_async_context(
                client.pubsub(
                    channels=[self._channel], ignore_subscribe_messages=True, retry_policy=NoRetryPolicy()
                )
            )
            self._queues = queues
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._watch(client))
                tasks.create_task(self._receive(replies))

    async def _watch(self, client: Client) -> None:
        while True:
            async with asyncio.timeout(_REDIS_TIMEOUT):
                self._set_processes(sum(info["processes"] for info in await read_workers(client)))
                self._lengths = {lane.value: await queue.length() for lane, queue in self._queues.items()}
            await asyncio.sleep(POLL_INTERVAL)

    async def _receive(self, replies: Any) -> None:
        async for message in replies:
            try:
                reply = read_typed_json(JobReply, message["data"])
            except UserError:
                continue
            future = self._replies.get(reply["id"])
            if future is not None and not future.done():
                future.set_result(reply)

    def _set_processes(self, processes: int) -> None:
        if processes and not self._processes:
            _log.info("workers_found", processes=processes)
        elif self._processes and not processes:
            if not self._closed:
                _log.warning("workers_lost")
            for future in self._replies.values():
                if not future.done():
                    future.set_exception(_WorkersLost)
        self._processes = processes
        for slots in self._lanes.values():
            slots.set_limit(processes * _JOBS_PER_PROCESS)


def _first(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first exception in a group of groups."""
    error = errors.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error


async def _abort(queue: RedisQueue, number: str) -> None:
    with suppress(*REDIS_ERRORS):
        async with asyncio.timeout(_REDIS_TIMEOUT):
            await queue.abort_by_id(number, timeout=0)


async def _not_here(message: JobMessage) -> None:
    raise NotImplementedError("servers only enqueue")
