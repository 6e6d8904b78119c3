"""The jobs that wait for a worker: those that games wait for first, and of each kind the oldest."""

import asyncio
from typing import Any, TypeAlias

from sanssouci.locale import Complaint

from .job import Job

AnyJob: TypeAlias = Job[Any]


class Agenda:
    """Every game waits for one turn at most; of hints only so many may wait."""

    def __init__(self, most_hints: int) -> None:
        self._most_hints = most_hints
        self._jobs: set[AnyJob] = set()
        self._filled = asyncio.Event()

    def admit(self, job: AnyJob) -> None:
        """A new job; ``Complaint`` if it is a hint too many."""
        if not job.urgent and self.waiting(urgent=False) >= self._most_hints:
            raise Complaint("workforce.busy")
        self.put(job)

    def put(self, job: AnyJob) -> None:
        """A job waits, or waits again: one that was here before is older than the others."""
        self._jobs.add(job)
        self._filled.set()

    async def take(self) -> AnyJob:
        """The first, as soon as there is one."""
        while not self._jobs:
            self._filled.clear()
            await self._filled.wait()
        job = min(self._jobs, key=lambda job: (not job.urgent, job.number))
        self._jobs.remove(job)
        return job

    def drop(self, job: AnyJob) -> None:
        """Nobody waits for its answer any more."""
        self._jobs.discard(job)

    def drop_all(self) -> list[AnyJob]:
        """Those that were waiting."""
        jobs = [*self._jobs]
        self._jobs.clear()
        return jobs

    def waiting(self, urgent: bool) -> int:
        """How many wait that games wait for, or that they do not."""
        return sum(job.urgent is urgent for job in self._jobs)
