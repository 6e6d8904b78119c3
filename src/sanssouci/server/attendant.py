"""The attendant: asks computer players, watches clocks, and puts tables away that nobody needs.

It speaks to the tables by commands as everyone does, with the house's right. What it still has to do is
in the store, so that after a restart nothing stands still.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any

import structlog

from sanssouci.locale import UserError
from sanssouci.notation import write_turn
from sanssouci.rules import Refused, SetupView, View
from sanssouci.store import Unavailable
from sanssouci.table import STAND_IN, SYSTEM, Caller, CommandRejected, Pick, Play, RejectReason, TimeOut
from sanssouci.workers import WorkerPool

from .damage import Damaged
from .hall import Contradicted, Hall, Order
from .hosted import Errand, Hosted, Question, question_of
from .logs import place_of

SWEEP = 20.0
"""Seconds between two looks at what is due."""
IDLE = 600.0
"""Seconds after which a table that nobody needs is put away."""
IDLE_WHEN_OVER = 60.0
"""And one at which the game is over."""
GRACE = 120.0
"""Seconds after a start in which no clock runs out, or its own limit if that is less: people come back."""
_PATIENCE = 1.0
"""Seconds until what could not be written is tried again."""

_log = structlog.get_logger("sanssouci.server")


class Attendant:
    """Does what the house has to do at its tables; for the tasks of one event loop."""

    def __init__(self, worker_pool: WorkerPool) -> None:
        self._worker_pool = worker_pool
        self._hall: Hall | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._at_work = False
        self._began = 0.0

    @property
    def hall(self) -> Hall:
        """The hall it attends to."""
        assert self._hall is not None, "it has begun"
        return self._hall

    def begin(self, hall: Hall) -> None:
        """Attend to a hall; what was due while the server was down is done first."""
        self._hall = hall
        self._began = hall.means.now()
        self._at_work = True
        self._spawn(self._sweep_for_ever())

    async def end(self) -> None:
        """Leave everything as it is; the store knows what is due."""
        self._at_work = False
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def attend(self, hosted: Hosted) -> None:
        """Look at a table that has moved on: a computer player is asked, a clock is wound."""
        if not self._at_work:
            return
        self._wind(hosted)
        question, errand = question_of(hosted.table.state), hosted.errand
        if errand is not None and errand.question != question:
            errand.task.cancel()  # nobody needs the answer any more
            errand = None
        if errand is None and question is not None:
            errand = Errand(question, self._spawn(self._run(hosted, question)))
        hosted.errand = errand

    async def sweep(self) -> None:
        """Open the tables at which something is due soon, and put away those that nobody needs."""
        now = self.hall.means.now()
        self.hall.put_away(now - IDLE, now - IDLE_WHEN_OVER)
        for table, _ in await asyncio.to_thread(self.hall.store.deadlines, now + SWEEP):
            try:
                self.attend(await self.hall.table(table))
            except Damaged:
                continue  # the others need not wait for it

    async def _sweep_for_ever(self) -> None:
        while True:
            try:
                await self.sweep()
            except Exception as error:  # the next sweep finds what this one has not
                _log.error("sweep_failed", error=type(error).__name__, place=place_of(error))
            await asyncio.sleep(SWEEP)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _run(self, hosted: Hosted, question: Question) -> None:
        """An errand: ask a computer player, and carry out what it answers."""
        try:
            command = await self._ask(hosted, question)
            caller = Caller(question.duty.chair, system=True)
            order = Order(
                command,
                caller,
                f"{command.type}-{hosted.table.seq}",
                permitted=lambda: question_of(hosted.table.state) == question,
            )
            await self._insist(hosted, order)
        except Exception as error:  # the next sweep sends another
            key = error.key if isinstance(error, UserError) else type(error).__name__
            _log.warning("errand_failed", table=hosted.table.id, error=key, place=place_of(error))
        finally:
            if hosted.errand is not None and hosted.errand.task is asyncio.current_task():
                hosted.errand = None

    async def _ask(self, hosted: Hosted, question: Question) -> Pick | Play:
        duty, view = question.duty, question.view
        player = self._allowed(duty.player)
        key = hosted.croupier.key(f"player {duty.chair} {len(hosted.table.state.turns)}")
        match view:
            case SetupView():
                side = await self._worker_pool.side(player, view, key, hosted.owner)
                return Pick(side.choice)
            case View():
                turn = await self._worker_pool.turn(player, view, key, hosted.owner)
                return Play(write_turn(turn.choice))

    def _allowed(self, player: str) -> str:
        """A player that the host allows: a table may be older than the host's last word."""
        allowed = self._worker_pool.allowed
        return next((name for name in (player, STAND_IN) if name in allowed), min(allowed))

    async def _insist(self, hosted: Hosted, order: Order) -> None:
        """Carry an order of the house out, as soon as the disk allows it, unless it has become needless."""
        while True:
            try:
                await self.hall.command(hosted, order)
                return
            except (Unavailable, Contradicted):
                await asyncio.sleep(_PATIENCE)
            except CommandRejected as declined:
                if declined.reason is RejectReason.NOT_ALLOWED:
                    return
                raise

    def _wind(self, hosted: Hosted) -> None:
        """Set the alarm to the deadline, if it is near; later ones are found by a sweep."""
        if hosted.alarm is not None:
            hosted.alarm.cancel()
            hosted.alarm = None
        deadline = self._deadline(hosted)
        if deadline is not None and (wait := deadline - self.hall.means.now()) < 2 * SWEEP:
            hosted.alarm = self._spawn(self._ring(hosted, max(wait, 0)))

    def _deadline(self, hosted: Hosted) -> float | None:
        """When the clock of a table runs out; while the server was down nobody could play."""
        table_state = hosted.table.state
        deadline, limit = table_state.deadline, table_state.settings.time_control.seconds
        return None if deadline is None or limit is None else max(deadline, self._began + min(limit, GRACE))

    async def _ring(self, hosted: Hosted, wait: float) -> None:
        """When the clock has run out, stand-ins play for all who are awaited."""
        await asyncio.sleep(wait)
        for chair in hosted.table.state.waiting():
            order = Order(TimeOut(chair), SYSTEM, f"time_out-{chair}-{hosted.table.seq}")
            try:
                await self._insist(hosted, order)
            except (CommandRejected, Refused):
                continue  # somebody was quick, or the clock of this machine was set back
        hosted.alarm = None
        self._wind(hosted)
