"""Scheduler: asks computer players to move, enforces turn clocks, evicts idle tables, deletes unused lobbies.

It acts through commands like every client, as the system caller. All pending work can be derived from the
store, so nothing stalls after a restart.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import Any

import structlog
from structlog.contextvars import bind_contextvars, get_contextvars

from sanssouci.locale import UserError
from sanssouci.notation import write_turn
from sanssouci.rules import Refused, SetupView, View
from sanssouci.store import (
    Change,
    DamagedRow,
    DropTokens,
    EndLease,
    FreeChair,
    Lease,
    Store,
    TokenKind,
    Unavailable,
)
from sanssouci.table import (
    STAND_IN,
    SYSTEM,
    Caller,
    CommandRejected,
    Pick,
    Play,
    RejectReason,
    Reshuffle,
    Stage,
    TimeOut,
    chairs_lost_by_reshuffle,
)
from sanssouci.workers import WorkerPool

from ..ops.clocks import MAX_SLEW
from ..ops.damaged_data import DamagedData
from ..ops.logs import error_location
from .live_table import BotRequest, BotTask, LiveTable, bot_request
from .membership import count_missed
from .table_registry import (
    CommandRequest,
    CommandResult,
    TableRegistry,
    WriteConflict,
    always,
    no_changes,
)

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
EXPIRY_INTERVAL = 600.0
"""Seconds between two searches for unused lobbies, and until the first."""
EXPIRY_BATCH = 64
"""Lobbies that one sweep looks at."""
RETRY_DELAY = 1.0
"""Seconds before a failed write is retried."""
SHARED_SWEEP_INTERVAL = 3.0
"""``SWEEP_INTERVAL`` where other servers may die, whose work must be taken over."""
TURN_LEASE = 1.0
"""Seconds for which one server has a computer's turn for itself, unless it asks again.

If it dies, other servers at which the table is in use notice after ``LEASE_RETRY_DELAY`` more. A sweep takes
the same lease to load a table. It must not be longer: the computer may be on turn next, at another server.
"""
LEASE_RETRY_DELAY = 0.25
LEASE = 6.0
"""The same for a lobby or a review.

Together with ``SHARED_SWEEP_INTERVAL``, a dead server's work is taken over after at most nine seconds.
"""

_log = structlog.get_logger("sanssouci.server")


_FIRST_LOBBY = (-inf, "")


@dataclass(frozen=True, slots=True)
class LobbyExpiry:
    """Seconds without an event after which a table that has not started is deleted."""

    lobby: float = 7 * 86_400.0
    solo_lobby: float = 86_400.0
    """The same if no guest but its creator holds a chair."""


async def take_lease(registry: TableRegistry, work: str, server: str, seconds: float = LEASE) -> bool:
    """Whether a server may work on a game or a review now, because no other server does.

    Leases only save work. Work done twice changes nothing.
    """
    if not registry.store.shared:
        return True
    now = registry.dependencies.now()
    try:
        await registry.write(Lease(work, server, now, now + seconds))
    except WriteConflict:
        return False
    return True


class Scheduler:
    """Runs background work for all tables; for the tasks of one event loop."""

    registry: TableRegistry
    """Set by ``start``."""

    def __init__(self, worker_pool: WorkerPool, lobby_expiry: LobbyExpiry = LobbyExpiry()) -> None:  # noqa: B008 - it is frozen
        self._worker_pool = worker_pool
        self._lobby_expiry = lobby_expiry
        self._next_expiry = 0.0
        self._expiry_place = _FIRST_LOBBY
        self._tasks: set[asyncio.Task[None]] = set()
        self._name = secrets.token_hex(8)
        """The name under which this server leases tables."""
        self._interval = SWEEP_INTERVAL
        self._running = False
        self._first_read = self._started_at = 0.0
        """Server time at the start; the second one also moves when server time has jumped."""
        self._last_read = (0.0, 0.0)
        """Server time and the monotonic clock, when they were last read."""
        self._has_looked_ahead = False
        self.sweeps = 0
        """How often the loop has looked for work since the start, with or without success."""

    def start(self, registry: TableRegistry) -> None:
        """Start sweeping; work that fell due while the server was down is done first."""
        self.registry = registry
        if registry.store.shared:
            self._interval = SHARED_SWEEP_INTERVAL
        self._first_read = self._started_at = registry.dependencies.now()
        self._last_read = self._started_at, registry.dependencies.clock()
        self._next_expiry = self._started_at + EXPIRY_INTERVAL
        self._running = True
        self._spawn(self._sweep_loop())

    async def stop(self, *, end_leases: bool = True) -> None:
        """Cancel all tasks; the store knows what is due, and other servers may take it over at once.

        Otherwise leases run out, as if this server had died.
        """
        self._running = False
        thinking = [table.table.id for table in self.registry.live_tables() if table.bot_task is not None]
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.registry.store.shared and thinking and end_leases:
            with suppress(UserError):  # then the leases run out
                await self.registry.write(*(EndLease(table, self._name) for table in thinking))

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
        now, ahead = self._now(), self.registry.ahead
        if not self._has_looked_ahead:
            for table, at in await asyncio.to_thread(self.registry.store.games_ahead, self._first_read):
                ahead.setdefault(table, at - self._first_read)
            self._has_looked_ahead = True
        self.registry.evict(now - IDLE_TIMEOUT, now - FINISHED_IDLE_TIMEOUT)
        await self.registry.refresh(self.registry.live_tables())
        if self.registry.store.shared:
            await self._keep_lobbies(now)
        soon = now + self._interval
        latest = soon + max(ahead.values(), default=0.0)
        for table, deadline in await asyncio.to_thread(self.registry.store.deadlines, latest):
            if deadline - ahead.get(table, 0.0) > soon:
                continue
            if self.registry.find_loaded(table) is None and not await self._lease(table, TURN_LEASE):
                continue
            try:
                self.schedule(await self.registry.table(table))
            except DamagedData:
                continue  # go on with the other tables
        if now >= self._next_expiry:
            await self._expire_lobbies(now)

    async def _expire_lobbies(self, now: float) -> None:
        """Delete some of the unused lobbies; tables in memory are in use, or were until minutes ago."""
        store, expiry = self.registry.store, self._lobby_expiry
        before = now - min(expiry.lobby, expiry.solo_lobby)
        idle = await asyncio.to_thread(store.idle_lobbies, before, EXPIRY_BATCH, self._expiry_place)
        for table, updated_at in idle:
            try:
                holdings = await asyncio.to_thread(store.holdings, table)
            except DamagedRow:
                continue
            solo = len({row.guest for row in holdings}) <= 1
            expired = updated_at < now - (expiry.solo_lobby if solo else expiry.lobby)
            if expired and await self._lease(table):
                await self.registry.expire(table)
        if len(idle) == EXPIRY_BATCH:
            self._expiry_place = idle[-1][1], idle[-1][0]
        else:
            self._expiry_place, self._next_expiry = _FIRST_LOBBY, now + EXPIRY_INTERVAL

    async def _lease(self, table: str, seconds: float = LEASE) -> bool:
        return await take_lease(self.registry, table, self._name, seconds)

    def _end_lease(self, table: str) -> Callable[[], Awaitable[Iterable[Change]]]:
        """The changes that end a lease, in the same transaction as the work."""
        return always(EndLease(table, self._name)) if self.registry.store.shared else no_changes

    async def _keep_lobbies(self, now: float) -> None:
        """Lease old lobbies with open sockets, so that no other server deletes them."""
        before = now - min(self._lobby_expiry.lobby, self._lobby_expiry.solo_lobby)
        for live_table in self.registry.live_tables():
            table = live_table.table
            if (
                live_table.subscribers
                and table.state.stage is Stage.LOBBY
                and table.event(table.seq).at < before
            ):
                await self._lease(table.id)

    async def _hold_lease(self, table: str) -> None:
        """Keep a computer's turn for this server, until the task is cancelled."""
        while True:
            await asyncio.sleep(TURN_LEASE / 3)
            with suppress(UserError):
                await self._lease(table, TURN_LEASE)

    def _now(self) -> float:
        """Server time. If it has jumped, players get the same grace period as after a restart.

        It jumps when the machine was suspended, and when the wall clock was set right after the start.
        """
        dependencies = self.registry.dependencies
        (last_now, last_clock), now, clock = self._last_read, dependencies.now(), dependencies.clock()
        if now - last_now > (1 + MAX_SLEW) * (clock - last_clock) + SWEEP_INTERVAL:
            self._started_at = now
        self._last_read = now, clock
        return now

    async def _sweep_loop(self) -> None:
        while True:
            try:
                await self.sweep()
            except Exception as error:  # the next sweep tries again
                _log.error("sweep_failed", error=type(error).__name__, location=error_location(error))
            self.sweeps += 1
            await asyncio.sleep(self._interval)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _run_bot(self, live_table: LiveTable, request: BotRequest) -> None:
        shared, table = self.registry.store.shared, live_table.table.id
        lease: asyncio.Task[None] | None = None
        if "request_id" not in get_contextvars():  # it is not the consequence of a request
            bind_contextvars(request_id=secrets.token_hex(8))
        try:
            while not await self._lease(table, TURN_LEASE):
                await asyncio.sleep(LEASE_RETRY_DELAY)  # cancelled when the other server's turn arrives
            if shared:
                lease = self._spawn(self._hold_lease(table))
                await self.registry.refresh([live_table])  # another server may have played before
                if bot_request(live_table.table.state) != request:
                    return
            command = await self._ask(live_table, request)
            caller = Caller(request.action.chair, system=True)
            command_request = CommandRequest(
                command,
                caller,
                f"{command.type}-{live_table.table.seq}",
                permitted=lambda: bot_request(live_table.table.state) == request,
                extra_changes=self._end_lease(table),
            )
            await self._execute_with_retry(live_table, command_request)
        except Exception as error:  # the next sweep tries again
            key = error.key if isinstance(error, UserError) else type(error).__name__
            _log.warning(
                "bot_task_failed", table=live_table.table.id, error=key, location=error_location(error)
            )
        finally:
            if lease is not None:
                lease.cancel()
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
        now, deadline = self._now(), self._deadline(live_table)
        if deadline is None:
            return
        wait = deadline - now
        if wait < 2 * SWEEP_INTERVAL:
            live_table.timeout_task = self._spawn(self._time_out(live_table, max(wait, 0)))

    def _deadline(self, live_table: LiveTable) -> float | None:
        """The server time at which the table's clock runs out, later if the server was down meanwhile."""
        table_state = live_table.table.state
        deadline, limit = table_state.deadline, table_state.time_limit
        if deadline is None or limit is None:
            return None
        return max(deadline - live_table.ahead, self._started_at + min(limit, RESTART_GRACE))

    async def _time_out(self, live_table: LiveTable, wait: float) -> None:
        """When the clock has run out, let stand-ins play for everyone who is to act, or give up a shuffle."""
        await asyncio.sleep(wait)
        table, end = live_table.table, self._end_lease(live_table.table.id)
        requests = [
            CommandRequest(TimeOut(chair), SYSTEM, f"time_out-{chair}-{table.seq}", extra_changes=end)
            for chair in table.state.waiting
        ]
        if table.state.shuffling:
            requests = [_reshuffle(live_table, self.registry.store)]
        for command_request in requests:
            try:
                await self._execute_with_retry(live_table, command_request)
            except (CommandRejected, Refused):
                continue  # acted just in time
        live_table.timeout_task = None
        self._schedule_timeout(live_table)


def _reshuffle(live_table: LiveTable, store: Store) -> CommandRequest:
    """Give up a shuffle, and count it for guests. They lose the chairs that are opened, with their links."""
    table, lost = live_table.table, chairs_lost_by_reshuffle(live_table.table.state)
    missing = table.state.waiting

    async def vacated() -> Iterable[Change]:
        missed = await asyncio.to_thread(count_missed, store, table.id, missing)
        links = [DropTokens(table.id, TokenKind.SEAT, chair) for chair in lost]
        return *missed, *links, *(FreeChair(table.id, chair) for chair in lost)

    def acknowledge(done: CommandResult) -> None:
        live_table.revoke(lost, lambda one: bool(one.roles & set(lost)))

    return CommandRequest(
        Reshuffle(),
        SYSTEM,
        f"reshuffle-{table.seq}",
        expected=table.seq,
        extra_changes=vacated,
        acknowledge=acknowledge,
        changes_access=True,
    )
