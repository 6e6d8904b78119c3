"""Computer players whose answers come from the test, and whose jobs are recorded."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from sanssouci.dealer import Seed
from sanssouci.notation import write_turn
from sanssouci.rules import SetupView, Turn, View
from sanssouci.workers import WorkerPool
from sanssouci.workers.answer import Answer
from sanssouci.workers.hint_result import HintResult, TurnForecast
from sanssouci.workers.job import HintJob, SideJob, TurnJob
from sanssouci.workers.job_queue import AnyJob
from sanssouci.workers.worker_pool import StartProgress

PLAYERS = ("greedy", "random")


class SteeredPlayers(WorkerPool):
    """Computer players that think until ``finish`` is called."""

    def __init__(self) -> None:
        super().__init__(1, PLAYERS)
        self.progress = StartProgress(ready=1)
        self.jobs: list[tuple[int | None, bytes]] = []
        """The seat and the complete content of each job."""
        self.thinking: SideJob | TurnJob | None = None

    async def turn(self, player: str, view: View, key: Seed, owner: str = "") -> Answer[Turn]:
        """The turn passed to ``finish``."""
        job = TurnJob(player, view, key)
        with self._thinking_about(job, view.seat):
            return await job.answer

    async def side(self, player: str, view: SetupView, key: Seed, owner: str = "") -> Answer[int]:
        """The side passed to ``finish``."""
        job = SideJob(player, view, key)
        with self._thinking_about(job, view.seat):
            return await job.answer

    async def hint(self, view: View, key: Seed, owner: str = "") -> HintResult:
        """Immediately the first legal turn."""
        self._note(HintJob(view, key), view.seat)
        turn = write_turn(next(iter(view.options())))
        expected = TurnForecast(turn=turn, score=40.0, margin=2.0, share=0.5, level=True)
        return HintResult(turn, (), expected, ())

    def finish(self, document: dict[str, object]) -> None:
        """Finish the current job with this answer."""
        assert self.thinking is not None, "there is a job"
        job, self.thinking = self.thinking, None
        job.resolve(job.read(document))  # type: ignore[arg-type]  # each job parses its own answer

    @contextmanager
    def _thinking_about(self, job: SideJob | TurnJob, seat: int | None) -> Iterator[None]:
        """Set the current job until it is answered or cancelled."""
        self._note(job, seat)
        self.thinking = job
        try:
            yield
        finally:
            self.thinking = None if self.thinking is job else self.thinking

    def _note(self, job: AnyJob, seat: int | None) -> None:
        self.jobs.append((seat, json.dumps(job.question()).encode()))
