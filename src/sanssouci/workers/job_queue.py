"""The jobs that wait for a worker: the most urgent first, and of equally urgent ones the guests' in turn.

::

    rota      Ada -> Bob -> Cid           whose turn it is
    jobs      Ada: 3 5 8, Bob: 4, Cid: 7  each has the oldest done, and goes to the end

So nobody waits for more than one job of each other guest, however many others have.
"""

import asyncio
from typing import Any, TypeAlias

from sanssouci.locale import UserError

from .job import Job, Priority

AnyJob: TypeAlias = Job[Any]


class _Line:
    """Jobs of one urgency."""

    def __init__(self) -> None:
        self._jobs: dict[str, set[AnyJob]] = {}
        """By whose they are; the first one's turn is next."""

    def __len__(self) -> int:
        return sum(map(len, self._jobs.values()))

    def of(self, owner: str) -> int:
        """How many jobs of one wait."""
        return len(self._jobs.get(owner, ()))

    def put(self, job: AnyJob) -> None:
        """Whoever has none yet comes last."""
        self._jobs.setdefault(job.owner, set()).add(job)

    def take(self) -> AnyJob:
        """The oldest of the one whose turn it is, who then goes to the end."""
        owner = next(iter(self._jobs))
        jobs = self._jobs.pop(owner)
        job = min(jobs, key=lambda job: job.number)
        if len(jobs) > 1:
            self._jobs[owner] = jobs - {job}
        return job

    def drop(self, job: AnyJob) -> None:
        """Take a job out, if it is there."""
        jobs = self._jobs.get(job.owner, set())
        jobs.discard(job)
        if not jobs:
            self._jobs.pop(job.owner, None)

    def drop_all(self) -> list[AnyJob]:
        """Take all out."""
        jobs = [job for jobs in self._jobs.values() for job in jobs]
        self._jobs.clear()
        return jobs


class JobQueue:
    """Every game waits for one turn at most; of hints only so many may wait, and one of each guest.

    Looks at games that are over wait as long as there is anything else to do.
    """

    def __init__(self, most_hints: int) -> None:
        self._most_hints = most_hints
        self._lines = {priority: _Line() for priority in sorted(Priority)}
        self._filled = asyncio.Event()

    def admit(self, job: AnyJob) -> None:
        """A new job; ``UserError`` if it is a hint too many, of all together or of one guest."""
        line = self._lines[job.priority]
        if job.priority is Priority.HINT and line.of(job.owner):
            raise UserError("workers.hint_waits")
        if job.priority is Priority.HINT and len(line) >= self._most_hints:
            raise UserError("workers.busy")
        self.put(job)

    def put(self, job: AnyJob) -> None:
        """A job waits, or waits again: one that was here before is older than the others of its guest."""
        self._lines[job.priority].put(job)
        self._filled.set()

    async def take(self) -> AnyJob:
        """The first, as soon as there is one."""
        while not any(self._lines.values()):
            self._filled.clear()
            await self._filled.wait()
        return next(line for line in self._lines.values() if line).take()

    def drop(self, job: AnyJob) -> None:
        """Nobody waits for its answer any more."""
        self._lines[job.priority].drop(job)

    def drop_all(self) -> list[AnyJob]:
        """Those that were waiting."""
        return [job for line in self._lines.values() for job in line.drop_all()]

    def waiting(self, priority: Priority) -> int:
        """How many wait that are so urgent."""
        return len(self._lines[priority])
