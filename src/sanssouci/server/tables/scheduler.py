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

from ..ops.corrupt_tables import CorruptData
from ..ops.logs import place_of
from .live_table import BotRequest, BotTask, LiveTable, bot_request
from .table_registry import CommandRequest, TableRegistry, WriteConflict

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


class Scheduler:
    """Does what the house has to do at its tables; for the tasks of one event loop."""

    def __init__(self, worker_pool: WorkerPool) -> None:
        self._worker_pool = worker_pool
        self._registry: TableRegistry | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._at_work = False
        self._began = 0.0

    @property
    def registry(self) -> TableRegistry:
        """The hall it attends to."""
        assert self._registry is not None, "it has begun"
        return self._registry

    def begin(self, registry: TableRegistry) -> None:
        """Attend to a hall; what was due while the server was down is done first."""
        self._registry = registry
        self._began = registry.dependencies.now()
        self._at_work = True
        self._spawn(self._sweep_for_ever())

    async def end(self) -> None:
        """Leave everything as it is; the store knows what is due."""
        self._at_work = False
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def attend(self, live_table: LiveTable) -> None:
        """Look at a table that has moved on: a computer player is asked, a clock is wound."""
        if not self._at_work:
            return
        self._wind(live_table)
        question, bot_task = bot_request(live_table.table.state), live_table.bot_task
        if bot_task is not None and bot_task.question != question:
            bot_task.task.cancel()  # nobody needs the answer any more
            bot_task = None
        if bot_task is None and question is not None:
            bot_task = BotTask(question, self._spawn(self._run(live_table, question)))
        live_table.bot_task = bot_task

    async def sweep(self) -> None:
        """Open the tables at which something is due soon, and put away those that nobody needs."""
        now = self.registry.dependencies.now()
        self.registry.evict(now - IDLE, now - IDLE_WHEN_OVER)
        for table, _ in await asyncio.to_thread(self.registry.store.deadlines, now + SWEEP):
            try:
                self.attend(await self.registry.table(table))
            except CorruptData:
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

    async def _run(self, live_table: LiveTable, question: BotRequest) -> None:
        """An errand: ask a computer player, and carry out what it answers."""
        try:
            command = await self._ask(live_table, question)
            caller = Caller(question.duty.chair, system=True)
            order = CommandRequest(
                command,
                caller,
                f"{command.type}-{live_table.table.seq}",
                permitted=lambda: bot_request(live_table.table.state) == question,
            )
            await self._insist(live_table, order)
        except Exception as error:  # the next sweep sends another
            key = error.key if isinstance(error, UserError) else type(error).__name__
            _log.warning("errand_failed", table=live_table.table.id, error=key, place=place_of(error))
        finally:
            if live_table.bot_task is not None and live_table.bot_task.task is asyncio.current_task():
                live_table.bot_task = None

    async def _ask(self, live_table: LiveTable, question: BotRequest) -> Pick | Play:
        duty, view = question.duty, question.view
        player = self._allowed(duty.player)
        key = live_table.croupier.key(f"player {duty.chair} {len(live_table.table.state.turns)}")
        match view:
            case SetupView():
                side = await self._worker_pool.side(player, view, key, live_table.owner)
                return Pick(side.choice)
            case View():
                turn = await self._worker_pool.turn(player, view, key, live_table.owner)
                return Play(write_turn(turn.choice))

    def _allowed(self, player: str) -> str:
        """A player that the host allows: a table may be older than the host's last word."""
        allowed = self._worker_pool.allowed
        return next((name for name in (player, STAND_IN) if name in allowed), min(allowed))

    async def _insist(self, live_table: LiveTable, order: CommandRequest) -> None:
        """Carry an order of the house out, as soon as the disk allows it, unless it has become needless."""
        while True:
            try:
                await self.registry.command(live_table, order)
                return
            except (Unavailable, WriteConflict):
                await asyncio.sleep(_PATIENCE)
            except CommandRejected as declined:
                if declined.reason is RejectReason.NOT_ALLOWED:
                    return
                raise

    def _wind(self, live_table: LiveTable) -> None:
        """Set the alarm to the deadline, if it is near; later ones are found by a sweep."""
        if live_table.alarm is not None:
            live_table.alarm.cancel()
            live_table.alarm = None
        deadline = self._deadline(live_table)
        if deadline is not None and (wait := deadline - self.registry.dependencies.now()) < 2 * SWEEP:
            live_table.alarm = self._spawn(self._ring(live_table, max(wait, 0)))

    def _deadline(self, live_table: LiveTable) -> float | None:
        """When the clock of a table runs out; while the server was down nobody could play."""
        table_state = live_table.table.state
        deadline, limit = table_state.deadline, table_state.settings.time_control.seconds
        return None if deadline is None or limit is None else max(deadline, self._began + min(limit, GRACE))

    async def _ring(self, live_table: LiveTable, wait: float) -> None:
        """When the clock has run out, stand-ins play for all who are awaited."""
        await asyncio.sleep(wait)
        for chair in live_table.table.state.waiting():
            order = CommandRequest(TimeOut(chair), SYSTEM, f"time_out-{chair}-{live_table.table.seq}")
            try:
                await self._insist(live_table, order)
            except (CommandRejected, Refused):
                continue  # somebody was quick, or the clock of this machine was set back
        live_table.alarm = None
        self._wind(live_table)
