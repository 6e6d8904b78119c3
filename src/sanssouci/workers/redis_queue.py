"""The job queue in Redis, for workers on any machine, on the library streaq.

::

    server                         Redis                         sanssouci worker
    message with a question  --->  streams game, hint, review -> its worker pool
    reply with the response  <---  channel of the server  <----  (or why there is none)

A message holds the question that a worker process gets (see ``job``), so it contains no seed and nothing
that its seat may not know. Redis keeps it until the job is done; replies are only published. Serialisation is
JSON, never pickle: a worker must not run code that it finds in Redis.

All names contain the version of the package, so that workers answer servers of their own version only.
"""

import asyncio
from collections.abc import Awaitable, Callable
from copy import copy
from enum import Enum
from typing import Any, TypeAlias, cast

import orjson
from anyio import CancelScope
from coredis import Redis
from coredis.exceptions import RedisError
from sqlalchemy import URL
from streaq import Worker
from typing_extensions import TypedDict

from sanssouci import __version__
from sanssouci.locale import UserError
from sanssouci.notation import read_typed_json

from .answer import Json
from .job import Priority

IDLE_TIMEOUT = 0.5
"""Seconds after which a worker that has not renewed its claim to a job loses it to another one.

A waiting worker looks for such jobs just as often, so they are taken over within twice this time.
"""
_RENEWALS = 4
"""Renewals of a claim within ``IDLE_TIMEOUT``."""
REPORT_INTERVAL = 0.5
REPORT_TTL = 2.0
"""Seconds for which a worker counts after its last report."""
_EXPIRY = 900
"""Seconds after which a message is dropped, for instance because its server has died."""
_CONNECT_TIMEOUT = 2.0
_OLDEST_REDIS = 7
"""The first version with functions, which streaq uses."""

REDIS_ERRORS = (RedisError, OSError)
Client: TypeAlias = Redis[str]


class Lane(Enum):
    """Reviews have a queue to themselves, because a worker preempts them for the other jobs."""

    PLAY = "play"
    REVIEW = "review"

    @classmethod
    def of(cls, priority: Priority) -> "Lane":
        return cls.REVIEW if priority is Priority.REVIEW else cls.PLAY

    @property
    def priorities(self) -> list[Priority]:
        """The most urgent one last."""
        return [Priority.REVIEW] if self is Lane.REVIEW else [Priority.HINT, Priority.GAME]


class JobMessage(TypedDict):
    id: str
    reply_to: str
    """The channel of the server."""
    request_id: str
    question: Json


class JobReply(TypedDict):
    id: str
    response: Json | None
    """As a worker process has written it; the server validates it."""
    fault: str
    """Without a response: the locale key of the reason, or empty if this worker could not take the job."""
    seconds: float
    """The working time."""


class WorkerInfo(TypedDict):
    """The report of a running ``sanssouci worker``."""

    host: str
    processes: int
    """Those that accept jobs."""


def _prefix(name: str) -> str:
    return f"sanssouci:{__version__}:{name}"


def reply_channel(server: str) -> str:
    return _prefix(f"replies:{server}")


class RedisQueue(Worker[None]):
    """One lane of the queue: a server enqueues with ``run_job``, a worker calls ``run_async``."""

    def __init__(
        self,
        url: URL,
        lane: Lane,
        run: Callable[[JobMessage], Awaitable[None]],
        concurrency: int = 1,
    ) -> None:
        super().__init__(
            url.render_as_string(hide_password=False),
            redis_kwargs={"connect_timeout": _CONNECT_TIMEOUT},
            concurrency=concurrency,
            queue_name=_prefix(lane.value),
            priorities=[priority.name.lower() for priority in lane.priorities],
            serializer=_dump,
            deserializer=orjson.loads,
            idle_timeout=IDLE_TIMEOUT,
        )
        self.lane = lane
        self.prefetch = concurrency  # a job that waits in a busy worker would not be given to a free one

        async def run_job(message: JobMessage) -> None:
            await run(message)

        # A job is tried until it is done: its workers may die one after the other.
        self.run_job = self.task(name="run_job", expire=_EXPIRY, ttl=0, silent=True, max_tries=None)(run_job)

    async def renew_idle_timeouts(self, scope: CancelScope) -> None:
        """Renew the claims to running jobs more often than streaq does, which leaves a tenth of the time."""
        often = copy(self)
        often.idle_timeout //= _RENEWALS
        await super(RedisQueue, often).renew_idle_timeouts(scope)

    @property
    def client(self) -> Client:
        """The connection, while the queue is open."""
        return cast(Client, self.redis)  # it may also be a cluster's, but not here

    async def put(self, message: JobMessage, priority: Priority) -> None:
        task = self.run_job.enqueue(message).start(priority=priority.name.lower())
        task.id = message["id"]
        await task

    async def length(self) -> int:
        """Jobs that wait or run."""
        return await self.queue_size(include_scheduled=False)


def _dump(data: Any) -> bytes:
    """JSON; streaq also passes exceptions, whose text may quote a view."""
    return orjson.dumps(data, default=lambda error: type(error).__name__)


async def report_worker(client: Client, name: str, info: WorkerInfo) -> None:
    async with client.pipeline(transaction=True) as pipe:
        pipe.sadd(_prefix("workers"), [name])
        pipe.set(_prefix(f"worker:{name}"), orjson.dumps(info), px=int(REPORT_TTL * 1000))


async def remove_worker(client: Client, name: str) -> None:
    async with client.pipeline(transaction=True) as pipe:
        pipe.srem(_prefix("workers"), [name])
        pipe.delete([_prefix(f"worker:{name}")])


async def read_workers(client: Client) -> list[WorkerInfo]:
    """The reports of all workers of this version that run; ``UserError`` if one cannot be read."""
    names = sorted(await client.smembers(_prefix("workers")))
    if not names:
        return []
    found = await client.mget([_prefix(f"worker:{name}") for name in names])
    gone = [name for name, text in zip(names, found, strict=True) if text is None]
    if gone:
        await client.srem(_prefix("workers"), gone)
    return [read_typed_json(WorkerInfo, text) for text in found if text is not None]


def open_client(url: URL) -> Client:
    return Redis.from_url(
        url.render_as_string(hide_password=False), decode_responses=True, connect_timeout=_CONNECT_TIMEOUT
    )


async def check_queue(url: URL) -> None:
    """``UserError`` if Redis cannot be used for the queue; the password is not shown."""
    version = ""
    try:
        async with asyncio.timeout(_CONNECT_TIMEOUT), open_client(url) as client:
            version = str((await client.info("server"))["redis_version"])
    except* REDIS_ERRORS:
        pass  # an exception raised here would be wrapped in a group
    if not version:
        raise UserError("cluster.no_redis", url=url)
    if int(version.partition(".")[0]) < _OLDEST_REDIS:
        raise UserError("worker.old_redis", version=version, least=_OLDEST_REDIS)
