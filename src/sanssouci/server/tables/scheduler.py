"""Scheduler: asks computer players to move, enforces turn clocks, and evicts idle tables.

It acts through commands like every client, as the system caller. All pending work can be derived from the
store, so nothing stalls after a restart.
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
from ..ops.logs import error_location
from .live_table import BotRequest, BotTask, LiveTable, bot_request
from .table_registry import CommandRequest, TableRegistry, WriteConflict

SWEEP_INTERVAL = 20.0
"""Seconds between two scans for due tables."""
IDLE_TIMEOUT = 600.0
"""Seconds after which an unused table is evicted."""
FINISHED_IDLE_TIMEOUT = 60.0
"""The same for a finished game."""
RESTART_GRACE = 120.0
"""Seconds after a start in which no clock runs out (or the clock's own limit, if less), so people can
reconnect.
"""
RETRY_DELAY = 1.0
"""Seconds before a failed write is retried."""

_log = structlog.get_logger("sanssouci.server")


class Scheduler:
    """Runs background work for all tables; for the tasks of one event loop."""

    def __init__(self, worker_pool: WorkerPool) -> None:
        self._worker_pool = worker_pool
        self._registry: TableRegistry | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._running = False
        self._started_at = 0.0

    @property
    def registry(self) -> TableRegistry:
        assert self._registry is not None, "start() was called"
        return self._registry

    def start(self, registry: TableRegistry) -> None:
        """Start sweeping; work that fell due while the server was down is done first."""
        self._registry = registry
        self._started_at = registry.dependencies.now()
        self._running = True
        self._spawn(self._sweep_loop())

    async def stop(self) -> None:
        """Cancel all tasks; the store knows what is due."""
        self._running = False
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def schedule(self, live_table: LiveTable) -> None:
        """Update the bot task and the clock of a table that has changed."""
        if not self._running:
            return
        self._schedule_timeout(live_table)
        request, bot_task = bot_request(live_table.table.state), live_table.bot_task
        if bot_task is not None and bot_task.request != request:
            bot_task.task.cancel()  # its decision is obsolete
            bot_task = None
        if bot_task is None and request is not None:
            bot_task = BotTask(request, self._spawn(self._run_bot(live_table, request)))
        live_table.bot_task = bot_task

    async def sweep(self) -> None:
        """Load tables where something is due soon, and evict idle ones."""
        now = self.registry.dependencies.now()
        self.registry.evict(now - IDLE_TIMEOUT, now - FINISHED_IDLE_TIMEOUT)
        for table, _ in await asyncio.to_thread(self.registry.store.deadlines, now + SWEEP_INTERVAL):
            try:
                self.schedule(await self.registry.table(table))
            except CorruptData:
                continue  # go on with the other tables

    async def _sweep_loop(self) -> None:
        while True:
            try:
                await self.sweep()
            except Exception as error:  # the next sweep tries again
                _log.error("sweep_failed", error=type(error).__name__, location=error_location(error))
            await asyncio.sleep(SWEEP_INTERVAL)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _run_bot(self, live_table: LiveTable, request: BotRequest) -> None:
        """Ask a computer player and execute its decision."""
        try:
            command = await self._ask(live_table, request)
            caller = Caller(request.action.chair, system=True)
            command_request = CommandRequest(
                command,
                caller,
                f"{command.type}-{live_table.table.seq}",
                permitted=lambda: bot_request(live_table.table.state) == request,
            )
            await self._execute_with_retry(live_table, command_request)
        except Exception as error:  # the next sweep tries again
            key = error.key if isinstance(error, UserError) else type(error).__name__
            _log.warning(
                "bot_task_failed", table=live_table.table.id, error=key, location=error_location(error)
            )
        finally:
            if live_table.bot_task is not None and live_table.bot_task.task is asyncio.current_task():
                live_table.bot_task = None

    async def _ask(self, live_table: LiveTable, request: BotRequest) -> Pick | Play:
        action, view = request.action, request.view
        player = self._allowed_player(action.player)
        key = live_table.croupier.key(f"player {action.chair} {len(live_table.table.state.turns)}")
        match view:
            case SetupView():
                side = await self._worker_pool.side(player, view, key, live_table.owner)
                return Pick(side.choice)
            case View():
                turn = await self._worker_pool.turn(player, view, key, live_table.owner)
                return Play(write_turn(turn.choice))

    def _allowed_player(self, player: str) -> str:
        """An allowed player: the table may be older than the host's current list."""
        allowed = self._worker_pool.allowed
        return next((name for name in (player, STAND_IN) if name in allowed), min(allowed))

    async def _execute_with_retry(self, live_table: LiveTable, command_request: CommandRequest) -> None:
        """Execute a system command, retrying while the store is unavailable, until it is obsolete."""
        while True:
            try:
                await self.registry.command(live_table, command_request)
                return
            except (Unavailable, WriteConflict):
                await asyncio.sleep(RETRY_DELAY)
            except CommandRejected as declined:
                if declined.reason is RejectReason.NOT_ALLOWED:
                    return
                raise

    def _schedule_timeout(self, live_table: LiveTable) -> None:
        """Set a timer for the deadline if it is near; the sweep finds later ones."""
        if live_table.timeout_task is not None:
            live_table.timeout_task.cancel()
            live_table.timeout_task = None
        deadline = self._deadline(live_table)
        if deadline is None:
            return
        wait = deadline - self.registry.dependencies.now()
        if wait < 2 * SWEEP_INTERVAL:
            live_table.timeout_task = self._spawn(self._time_out(live_table, max(wait, 0)))

    def _deadline(self, live_table: LiveTable) -> float | None:
        """When the table's clock runs out, extended if the server was down in the meantime."""
        table_state = live_table.table.state
        deadline, limit = table_state.deadline, table_state.settings.time_control.seconds
        if deadline is None or limit is None:
            return None
        return max(deadline, self._started_at + min(limit, RESTART_GRACE))

    async def _time_out(self, live_table: LiveTable, wait: float) -> None:
        """When the clock has run out, let stand-ins play for everyone who is to act."""
        await asyncio.sleep(wait)
        for chair in live_table.table.state.waiting():
            command_request = CommandRequest(
                TimeOut(chair), SYSTEM, f"time_out-{chair}-{live_table.table.seq}"
            )
            try:
                await self._execute_with_retry(live_table, command_request)
            except (CommandRejected, Refused):
                continue  # played just in time, or the system clock was set back
        live_table.timeout_task = None
        self._schedule_timeout(live_table)
