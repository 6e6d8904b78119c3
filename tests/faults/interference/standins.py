"""A workforce of which the test says what it answers, and when; what it was asked is kept."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from sanssouci.dealer import Seed
from sanssouci.notation import write_turn
from sanssouci.rules import SetupView, Turn, View
from sanssouci.workers import WorkerPool
from sanssouci.workers.answer import Answer
from sanssouci.workers.hint_result import Expectation, HintResult
from sanssouci.workers.job import HintJob, SideJob, TurnJob
from sanssouci.workers.job_queue import AnyJob
from sanssouci.workers.worker_pool import StartProgress

PLAYERS = ("greedy", "random")


class StandIns(WorkerPool):
    """Computer players who think until they are told to have finished."""

    def __init__(self) -> None:
        super().__init__(1, PLAYERS)
        self.progress = StartProgress(ready=1)
        self.asked: list[tuple[int | None, bytes]] = []
        """For which seat something was asked, and all that was said."""
        self.thinking: SideJob | TurnJob | None = None

    async def turn(self, player: str, view: View, key: Seed, owner: str = "") -> Answer[Turn]:
        """The turn that ``finish`` is told."""
        job = TurnJob(player, view, key)
        with self._thinking(job, view.seat):
            return await job.answer

    async def side(self, player: str, view: SetupView, key: Seed, owner: str = "") -> Answer[int]:
        """The side that ``finish`` is told."""
        job = SideJob(player, view, key)
        with self._thinking(job, view.seat):
            return await job.answer

    async def hint(self, view: View, key: Seed, owner: str = "") -> HintResult:
        """At once: the first turn that the view allows."""
        self._note(HintJob(view, key), view.seat)
        turn = write_turn(next(iter(view.options())))
        return HintResult(turn, (), Expectation(turn, 9, 0.5, 40.0, 1.0, 2.0, 0.5, 0.1, True), ())

    def finish(self, document: dict[str, object]) -> None:
        """The one who thinks has found something."""
        assert self.thinking is not None, "somebody was asked"
        job, self.thinking = self.thinking, None
        job.resolve(job.read(document))  # type: ignore[arg-type]  # each reads what it resolves

    @contextmanager
    def _thinking(self, job: SideJob | TurnJob, seat: int | None) -> Iterator[None]:
        """Until there is an answer, or nobody wants it any more."""
        self._note(job, seat)
        self.thinking = job
        try:
            yield
        finally:
            self.thinking = None if self.thinking is job else self.thinking

    def _note(self, job: AnyJob, seat: int | None) -> None:
        self.asked.append((seat, json.dumps(job.question()).encode()))
