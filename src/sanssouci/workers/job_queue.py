"""The job queue: by priority, and round-robin between owners within one priority.

::

    owners    Ada -> Bob -> Cid           next is Ada
    jobs      Ada: 3 5 8, Bob: 4, Cid: 7  Ada's oldest job is taken, then Ada moves to the end

So no owner waits for more than one job of each other owner, however many jobs the others have.
"""

import asyncio
from typing import Any, TypeAlias

from sanssouci.locale import UserError

from .job import Job, Priority

AnyJob: TypeAlias = Job[Any]


class _RoundRobin:
    """Jobs of one priority."""

    def __init__(self) -> None:
        self._jobs: dict[str, set[AnyJob]] = {}
        """By owner, in the order in which owners are served."""

    def __len__(self) -> int:
        return sum(map(len, self._jobs.values()))

    def count(self, owner: str) -> int:
        return len(self._jobs.get(owner, ()))

    def put(self, job: AnyJob) -> None:
        """A new owner goes to the end."""
        self._jobs.setdefault(job.owner, set()).add(job)

    def take(self) -> AnyJob:
        """Remove the oldest job of the next owner, who goes to the end."""
        owner = next(iter(self._jobs))
        jobs = self._jobs.pop(owner)
        job = min(jobs, key=lambda job: job.number)
        if len(jobs) > 1:
            self._jobs[owner] = jobs - {job}
        return job

    def drop(self, job: AnyJob) -> None:
        jobs = self._jobs.get(job.owner, set())
        jobs.discard(job)
        if not jobs:
            self._jobs.pop(job.owner, None)

    def drop_all(self) -> list[AnyJob]:
        jobs = [job for jobs in self._jobs.values() for job in jobs]
        self._jobs.clear()
        return jobs


class JobQueue:
    """Limits hints to ``max_hints`` and one per owner.

    Turns need no limit, because a game waits for one at a time. Reviews run only if nothing else is queued.
    """

    def __init__(self, max_hints: int) -> None:
        self._max_hints = max_hints
        self._queues = {priority: _RoundRobin() for priority in sorted(Priority)}
        self._filled = asyncio.Event()

    def admit(self, job: AnyJob) -> None:
        """Queue a new job; ``UserError`` if it is a hint beyond the limits."""
        line = self._queues[job.priority]
        if job.priority is Priority.HINT and line.count(job.owner):
            raise UserError("workers.hint_waits")
        if job.priority is Priority.HINT and len(line) >= self._max_hints:
            raise UserError("workers.busy")
        self.put(job)

    def put(self, job: AnyJob) -> None:
        """Queue a job without limits, also again: it keeps its number, so it is served before newer ones."""
        self._queues[job.priority].put(job)
        self._filled.set()

    async def take(self) -> AnyJob:
        """Wait for a job, and remove it from the queue."""
        while not any(self._queues.values()):
            self._filled.clear()
            await self._filled.wait()
        return next(line for line in self._queues.values() if line).take()

    def drop(self, job: AnyJob) -> None:
        self._queues[job.priority].drop(job)

    def drop_all(self) -> list[AnyJob]:
        return [job for line in self._queues.values() for job in line.drop_all()]

    def waiting(self, priority: Priority) -> int:
        return len(self._queues[priority])
