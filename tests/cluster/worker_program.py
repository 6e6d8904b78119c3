"""``sanssouci worker`` as a program, and a pool that sends jobs to it."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import make_url

from sanssouci.workers import DoneJob, PoolConfig
from sanssouci.workers.cluster_pool import ClusterWorkerPool

from ..workers.pools import TIMEOUT, until
from .programs import Program, Redis

PLAYERS = "first,gated,level:1"


class WorkerProgram(Program):
    """A worker with one process."""

    start_timeout = TIMEOUT  # the first start compiles the rules

    def __init__(self, redis: Redis, players: str = PLAYERS) -> None:
        super().__init__(as_nobody=False)
        self._starts = 0
        self.environment = {
            **os.environ,
            "SANSSOUCI_REDIS": redis.url,
            "SANSSOUCI_PLAYERS": players,
            "SANSSOUCI_PLAYER_SECONDS": str(int(TIMEOUT)),
            "SANSSOUCI_LOG_FORMAT": "json",
            "SANSSOUCI_LOG_LEVEL": "info",
        }

    def words(self) -> list[str]:
        return [sys.executable, "-m", "sanssouci", "worker", "--processes", "1"]

    def is_up(self) -> bool:
        return self.log.count('"worker.ready"') == self._starts

    def start(self) -> None:
        self._starts += 1
        super().start()

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text(encoding="utf-8")

    @property
    def pid(self) -> int:
        assert self._process is not None, "it was started"
        return self._process.pid

    def jobs(self) -> int:
        """How many jobs it has done."""
        return self.log.count('"job_done"')


class ObservedPool(ClusterWorkerPool):
    """A server's pool that records the jobs that were done."""

    def __init__(self, redis: Redis, *allowed: str, **config: Any) -> None:
        self.done: list[DoneJob] = []
        super().__init__(
            make_url(redis.url),
            1,
            allowed,
            PoolConfig(**{"max_hints": 0, "start_timeout": TIMEOUT, "job_timeout": TIMEOUT, **config}),
            on_job=self.done.append,
        )


@asynccontextmanager
async def connected_pool(
    redis: Redis, *allowed: str, processes: int = 1, **config: Any
) -> AsyncIterator[ObservedPool]:
    """A pool that sees so many remote processes; its own are starting."""
    pool = ObservedPool(redis, *allowed, **config)
    pool.start()
    try:
        await until(lambda: pool.remote_processes == processes)
        yield pool
    finally:
        await pool.close(grace=0)


def open_gate(folder: Path) -> None:
    """Let the player ``gated`` play."""
    (folder / "gate").touch()


def close_gate(folder: Path) -> None:
    """Close it again, and forget who was asked."""
    for path in (*folder.glob("asked-*"), *folder.glob("gate")):
        path.unlink()


async def asked(folder: Path, number: int = 1) -> list[Path]:
    """Wait until so many players were asked; their files."""
    return await until(lambda: found if len(found := sorted(folder.glob("asked-*"))) >= number else [])


async def cancelled(*tasks: "asyncio.Task[Any]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
