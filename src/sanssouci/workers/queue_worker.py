"""``sanssouci worker``: takes jobs from the queue in Redis and runs them in a worker pool of this machine.

It takes as many turns and hints as it has processes, and as many reviews. The pool runs turns and hints first
and preempts reviews for them, as in a server.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from secrets import token_hex
from socket import gethostname
from typing import Any

import orjson
import structlog
from anyio import CancelScope, current_time
from sqlalchemy import URL

from sanssouci.locale import UserError

from .answer import DIED, HUNG, Json, Preempted
from .job import HintJob, Job, ReviewJob, SideJob, TurnJob
from .redis_queue import (
    REDIS_ERRORS,
    REPORT_INTERVAL,
    JobMessage,
    JobReply,
    Lane,
    RedisQueue,
    WorkerInfo,
    open_client,
    read_workers,
    remove_worker,
    report_worker,
)
from .worker_pool import WorkerPool

_RETRY_DELAY = 1.0
_REDIS_TIMEOUT = 2.0
GRACE = {Lane.PLAY: 8.0, Lane.REVIEW: 0.0}
"""Seconds that jobs get to finish when the worker is stopped; then they go back to the queue."""
_KINDS: dict[str, type[Job[Any]]] = {
    "turn": TurnJob,
    "fallback": TurnJob,
    "side": SideJob,
    "hint": HintJob,
    "review": ReviewJob,
}

_log = structlog.get_logger("sanssouci.workers")


class RelayedJob(Job[Json]):
    """A job of a server; its response is passed on as it is, and validated there."""

    def __init__(self, message: JobMessage) -> None:
        super().__init__(owner=message["reply_to"])
        self._question = message["question"]
        original = _KINDS[self._question["ask"]]
        self.kind, self.priority = original.kind, original.priority
        self.timeout_factor = original.timeout_factor
        self.request_id = message["request_id"]

    @property
    def player(self) -> str:
        return str(self._question.get("player", ""))

    def question(self) -> Json:
        return self._question

    def read(self, document: Json) -> Json:
        if document.get("preempted") is True:
            raise Preempted
        return document

    def result_without_worker(self) -> Json:
        """Always fails: the server decides what to do instead."""
        raise self.fault or UserError(DIED)


class RelayPool(WorkerPool):
    """A worker pool for the jobs of servers."""

    async def relay(self, message: JobMessage) -> JobReply:
        """Run a job; a player that hangs, crashes or is not allowed is not replaced here."""
        job, fault = RelayedJob(message), ""
        response: Json | None = None
        try:
            if job.player:
                self._check_allowed(job.player)
            self._queue.put(job)  # the server has checked the limits
            response = await self._wait_for(job)
        except UserError as error:
            fault = error.key if error.key in (DIED, HUNG) else ""
        return {"id": message["id"], "response": response, "fault": fault, "seconds": job.seconds}


class _Consumer(RedisQueue):
    """Stops with an event instead of a signal, because two of them run in this process."""

    stopping: asyncio.Event

    async def signal_handler(self, scope: CancelScope) -> None:
        await self.stopping.wait()
        scope.cancel()
        deadline = current_time() + GRACE[self.lane]
        for running in self._cancel_scopes.values():
            running.deadline = min(running.deadline, deadline)


class QueueWorker:
    """Connects a started pool to Redis until ``stop`` is called."""

    def __init__(self, url: URL, pool: RelayPool, processes: int) -> None:
        self._url, self._pool, self._processes = url, pool, processes
        self._name = token_hex(8)
        self._stopping = asyncio.Event()
        self._was_lost = False

    def stop(self) -> None:
        """Take no more jobs; those that do not end soon are given back."""
        self._stopping.set()

    async def run(self, on_ready: Callable[[], None]) -> None:
        """Work until it is stopped; ``UserError`` if no process can be started."""
        if not await self._until_ready():
            return
        on_ready()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._reconnect(self._report))
            for lane in Lane:
                tasks.create_task(self._reconnect(partial(self._consume, lane)))

    async def _until_ready(self) -> bool:
        """Whether a process is ready; False if the worker is stopped before."""
        ready = asyncio.create_task(self._pool.ready())
        stopping = asyncio.create_task(self._stopping.wait())
        await asyncio.wait({ready, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if not ready.done():
            ready.cancel()
            return False
        ready.result()
        return True

    async def _reconnect(self, work: Callable[[], Awaitable[None]]) -> None:
        """Repeat work after each loss of the connection, until the worker is stopped."""
        while not self._stopping.is_set():
            try:
                await work()
            except* REDIS_ERRORS:
                self._lost()
            await self._sleep(_RETRY_DELAY)

    async def _sleep(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stopping.wait()

    async def _consume(self, lane: Lane) -> None:
        async def run(message: JobMessage) -> None:
            reply = await self._pool.relay(message)
            await consumer.client.publish(message["reply_to"], orjson.dumps(reply))

        consumer = _Consumer(self._url, lane, run, self._processes)
        consumer.stopping = self._stopping
        await consumer.run_async()

    async def _report(self) -> None:
        async with open_client(self._url) as client:
            while not self._stopping.is_set():
                info = WorkerInfo(host=gethostname(), processes=self._pool.progress.ready)
                async with asyncio.timeout(_REDIS_TIMEOUT):
                    await report_worker(client, self._name, info)
                self._found()
                await self._sleep(REPORT_INTERVAL)
            async with asyncio.timeout(_REDIS_TIMEOUT):
                await remove_worker(client, self._name)

    def _found(self) -> None:
        if self._was_lost:
            _log.warning("redis_back")
        self._was_lost = False

    def _lost(self) -> None:
        if not self._was_lost:
            _log.warning("redis_away")
        self._was_lost = True


async def is_running_here(url: URL) -> bool:
    """Whether a worker on this machine has reported and can work."""
    workers: list[WorkerInfo] = []
    try:
        async with asyncio.timeout(_REDIS_TIMEOUT), open_client(url) as client:
            workers = await read_workers(client)
    except* REDIS_ERRORS:
        pass
    return any(info["host"] == gethostname() and info["processes"] > 0 for info in workers)
