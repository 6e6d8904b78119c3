"""Registry of all loaded tables, and their rows in the store. Each table executes one command at a time.

A command is decided, written to the event log, acknowledged, then announced to subscribers. Memory never runs
ahead of the disk: if the write fails, the table has not changed.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import wraps
from math import inf
from typing import Any, ParamSpec, TypeVar
from weakref import WeakValueDictionary

import orjson

from sanssouci import __version__
from sanssouci.dealer import Seed, new_seed
from sanssouci.locale import UserError
from sanssouci.store import (
    Add,
    AddGame,
    AppendEvent,
    Change,
    ChangeAccess,
    Conflict,
    EventRow,
    ExpireGame,
    GameRow,
    GameVersion,
    HoldingRow,
    LatestEvents,
    Store,
    StoredTable,
    TokenRow,
    Unavailable,
    UpdateGame,
    check_chain,
    is_chain,
    not_answered,
    stored_bytes,
)
from sanssouci.table import (
    Caller,
    Command,
    CommandRejected,
    Croupier,
    Event,
    RejectReason,
    Sitter,
    Stage,
    Table,
    TableState,
    Transition,
    parse_body,
    write_body,
    write_summary,
)

from ..auth.tokens import Token, new_token
from ..ops.clocks import ServerClock
from ..ops.damaged_data import DamageLog
from ..rate_limits import Clock
from .live_table import OWNER, ROLES, LiveTable, grantees_of
from .statistics import played

ENGINE = f"sanssouci {__version__}"
FULL = "full"
"""The phase of a lobby without an open chair."""


def store_changes(
    transition: Transition, access: int = 0, changes_access: bool = False
) -> tuple[Change, ...]:
    """The rows to write for a transition: the event and the updated summary."""
    return append(transition), UpdateGame(game_row(transition), access, changes_access)


def append(transition: Transition) -> AppendEvent:
    table, event = transition.state.table, transition.event
    return AppendEvent(table, event.seq, event.command_id, event.chair, write_body(event), ENGINE)


def game_row(transition: Transition) -> GameRow:
    """The summary row of a table after a transition. The store keeps ``created_at`` of the first one."""
    table_state, event = transition.state, transition.event
    return GameRow(
        table_state.table,
        event.at,
        event.at,
        phase_of(table_state),
        table_state.settings.visibility.value,
        sum(1 << place for place in table_state.waiting if not table_state.chairs[place].away),
        next_wakeup(table_state, event.at),
        event.seq,
        orjson.dumps(write_summary(table_state)).decode("utf-8"),
    )


def phase_of(table_state: TableState) -> str:
    """The stage of a table; a lobby without open chairs has a phase of its own, so lists can skip it."""
    waits = any(chair.sitter is Sitter.OPEN for chair in table_state.chairs)
    return FULL if table_state.stage is Stage.LOBBY and not waits else table_state.stage.value


def next_wakeup(table_state: TableState, at: float) -> float | None:
    """When the scheduler must look at the table: at once for a computer player, later for a clock."""
    return at if table_state.pending_bot_action() is not None else table_state.deadline


def read_events(rows: list[EventRow]) -> list[Event]:
    return [parse_body(row.seq, row.command_id, row.seat, row.body) for row in rows]


P = ParamSpec("P")
T = TypeVar("T")


def uninterrupted(method: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Complete a method even if its caller is cancelled, by the ``finish`` of its object."""

    @wraps(method)
    async def run(*args: P.args, **kwargs: P.kwargs) -> T:
        owner: Any = args[0]
        result: T = await owner.finish(method(*args, **kwargs))
        return result

    return run


class UnknownTable(UserError):
    """The table does not exist, or the caller may not see it."""

    def __init__(self) -> None:
        super().__init__("server.unknown_table")


class TableExpired(UserError):
    """The table was deleted because nobody used it before its game started."""

    def __init__(self) -> None:
        super().__init__("server.table_expired")


class WriteConflict(UserError):
    """The write contradicts the store, even after reloading the table."""

    def __init__(self) -> None:
        super().__init__("server.contradicted")


WRITE_TIMEOUT = 5.0
"""Seconds until a database that does not answer counts as away."""


@dataclass(frozen=True, slots=True)
class Dependencies:
    """Clocks and random sources of a server; tests replace them."""

    now: Clock = field(default_factory=lambda: ServerClock().now)
    """Server time, for everything that is stored or compared with something stored."""
    wall: Clock = time.time
    """The wall clock, which may jump; for calendar dates only."""
    table_id: Callable[[], str] = lambda: secrets.token_hex(8)
    seed: Callable[[], Seed] = new_seed
    token: Callable[[], Token] = new_token
    croupier: Callable[[Seed, str], Croupier] = Croupier
    clock: Clock = time.monotonic
    """Monotonic, for durations."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    event: Event
    repeated: bool


async def no_changes() -> Iterable[Change]:
    return ()


def always(*changes: Change) -> Callable[[], Awaitable[Iterable[Change]]]:
    """Changes that do not depend on the state of the table."""

    async def same() -> Iterable[Change]:
        return changes

    return same


@dataclass(frozen=True, slots=True)
class CommandRequest:
    command: Command
    caller: Caller
    command_id: str
    expected: int | None = None
    """The last event that the caller knows; None accepts any state."""
    permitted: Callable[[], bool] = lambda: True
    """Called under the table's lock: whether the caller still has the right."""
    acknowledge: Callable[[CommandResult], None] = lambda done: None
    """Called once the event is written, before it is announced."""
    extra_changes: Callable[[], Awaitable[Iterable[Change]]] = no_changes
    """Changes to write in the same transaction."""
    changes_access: bool = False
    """Whether ``extra_changes`` change who holds a chair or which links are valid."""


@dataclass(frozen=True, slots=True)
class AccessUpdate:
    """A change of chair holders or links, which is not an event of the table."""

    changes: Callable[[], Awaitable[Iterable[Change]]]
    """Called under the table's lock."""
    permitted: Callable[[], bool]
    done: Callable[[], None]
    """Called after the write, still under the lock."""


class TableRegistry:
    """All loaded tables of a server; for the tasks of one event loop."""

    def __init__(
        self,
        store: Store,
        dependencies: Dependencies,
        on_change: Callable[[LiveTable], None],
        max_waiting: int = 4096,
        on_write: Callable[[float], None] = lambda seconds: None,
        on_stored: Callable[[int], None] = lambda size: None,
    ) -> None:
        """``on_change`` is called for every changed table.

        ``on_write`` is called with the seconds of each write, ``on_stored`` with the bytes that it adds. At
        most ``max_waiting`` writes may be pending.
        """
        self.store = store
        self.dependencies = dependencies
        self._on_change = on_change
        self._max_waiting = max_waiting
        self.waiting = 0
        """Writes that are not on disk yet."""
        self._on_write, self._on_stored = on_write, on_stored
        self.on_written: Callable[[LiveTable], None] = lambda live_table: None
        """Called for every table that this server has written, so that other servers can be told."""
        self.damage_log = DamageLog()
        store.damaged = self.damage_log.report
        self._loaded: dict[str, LiveTable] = {}
        self._alive: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()
        """Includes evicted tables that are still referenced, so no table is ever loaded twice."""
        self._opening: dict[str, asyncio.Task[LiveTable]] = {}
        self.ahead: dict[str, float] = {}
        """By how many seconds the time of a table is ahead of server time; see ``time_at``."""
        self._running: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        return len(self._loaded)

    def find_loaded(self, table: str) -> LiveTable | None:
        return self._alive.get(table)

    async def table(self, table: str) -> LiveTable:
        """The table, loaded from the store if necessary; ``UnknownTable`` or ``DamagedData``."""
        live_table = self._alive.get(table)
        if live_table is None:
            task = self._opening.get(table) or self._start_opening(table, self._open(table))
            live_table = await asyncio.shield(task)
        elif self.store.shared:
            await self.refresh([live_table])
            if table not in self._alive:
                raise UnknownTable
        return self._touch(live_table)

    async def refresh(self, live_tables: Iterable[LiveTable]) -> None:
        """Catch up with what other servers have written, where the store has newer versions."""
        tables = {live_table.table.id: live_table for live_table in live_tables}
        versions = await asyncio.to_thread(self.store.versions, tables)
        for table, live_table in tables.items():
            version = versions.get(table)
            if version is None:
                self.drop(table)
            elif self.store.shared and version != GameVersion(live_table.table.seq, live_table.access):
                await self.catch_up(live_table)

    @uninterrupted
    async def catch_up(self, live_table: LiveTable) -> None:
        async with live_table.lock:
            await self._catch_up(live_table)

    def time_at(self, table: str) -> float:
        """Server time, or later at a table whose last event is in the future.

        Such an event was written when the wall clock was ahead. The table's time goes on from there, so its
        events stay in order, and its current wait is not prolonged by the jump.
        """
        return self.dependencies.now() + self.ahead.get(table, 0.0)

    async def create(self, owner: str, seed: Seed, transition: Transition, *more: Change) -> LiveTable:
        """Write and register a new table, with extra changes in the same transaction."""
        await self.write(AddGame(game_row(transition), seed), append(transition), *more)
        table, croupier = transition.state.table, self.dependencies.croupier(seed, transition.state.deal_name)
        live_table = self._add(Table(table, [transition.event]), croupier, owner)
        if self.store.shared:
            live_table.grantees = grantees_of(*_rows_added(more))
        self._on_change(live_table)  # a game among computer players starts at once
        return live_table

    async def expire(self, table: str) -> bool:
        """Delete a table, and return true, unless it is in use; requests for it wait until it is gone."""
        if table in self._alive or table in self._opening:
            return False

        async def delete() -> LiveTable:
            await self._write(ExpireGame(table, self.dependencies.now()))
            raise TableExpired

        try:
            await asyncio.shield(self._start_opening(table, delete()))
        except TableExpired:
            return True
        raise AssertionError("deleting never returns a table")

    def drop(self, table: str) -> None:
        """Forget a table that was deleted by another process, and disconnect everyone there."""
        self._loaded.pop(table, None)
        live_table = self._alive.pop(table, None)
        if live_table is not None:
            live_table.revoke(ROLES, lambda subscriber: True)

    async def write(self, *changes: Change) -> None:
        """Wait until changes are on disk; ``Unavailable`` or ``WriteConflict``."""
        try:
            await self._write(*changes)
        except Conflict:
            raise WriteConflict from None

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Complete ``work`` even if the caller is cancelled."""
        return await asyncio.shield(self._spawn(work))

    async def drain(self) -> None:
        while self._running:
            await asyncio.wait(self._running)

    def live_tables(self) -> tuple[LiveTable, ...]:
        return tuple(self._alive.values())

    def evict(self, before: float, over_before: float = -inf) -> None:
        """Drop idle tables that were last used before a time; the store has them.

        Finished games may have a later limit, because they are hardly ever requested again.
        """
        for table, live_table in tuple(self._loaded.items()):
            since = max(before, over_before) if live_table.over else before
            if live_table.idle and live_table.touched < since:
                del self._loaded[table]

    def _start_opening(self, table: str, work: Coroutine[Any, Any, LiveTable]) -> "asyncio.Task[LiveTable]":
        self._opening[table] = task = self._spawn(work)
        task.add_done_callback(lambda _: self._opening.pop(table))
        return task

    def _spawn(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._on_task_done)
        return task

    def _on_task_done(self, task: "asyncio.Task[Any]") -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # mark as retrieved: the caller may be gone

    @uninterrupted
    async def update_access(self, live_table: LiveTable, update: AccessUpdate) -> None:
        async def attempt() -> None:
            if not update.permitted():
                raise CommandRejected(RejectReason.NOT_ALLOWED)
            change = ChangeAccess(live_table.table.id, live_table.access)
            await self._write(*await update.changes(), change)

        async with live_table.lock:
            await self._until_written(live_table, attempt)
            await self._note_access(live_table)
            update.done()
        self.on_written(live_table)

    @uninterrupted
    async def command(self, live_table: LiveTable, request: CommandRequest) -> CommandResult:
        """Execute a command under the table's lock: decide, write, acknowledge, announce."""

        async def attempt() -> CommandResult:
            if not request.permitted():
                raise CommandRejected(RejectReason.NOT_ALLOWED)
            return await self._decide_and_write(live_table, request)

        async with live_table.lock:
            done = await self._until_written(live_table, attempt)
            request.acknowledge(done)
            if not done.repeated:
                live_table.announce(done.event.seq - 1)
        if not done.repeated:
            self.on_written(live_table)
            self._on_change(live_table)
        return done

    async def _until_written(self, live_table: LiveTable, attempt: Callable[[], Awaitable[T]]) -> T:
        """Decide again on the current state of the table, as long as other servers are quicker."""
        stalled = False
        while True:
            try:
                return await attempt()
            except Conflict:
                if not await self._catch_up(live_table):
                    if stalled:
                        raise WriteConflict from None
                    stalled = True
            except CommandRejected as rejected:
                # The caller may have seen an event of another server that this one has not read yet.
                is_ahead = rejected.reason is RejectReason.AHEAD and self.store.shared
                if not is_ahead or not await self._catch_up(live_table):
                    raise

    async def _decide_and_write(self, live_table: LiveTable, request: CommandRequest) -> CommandResult:
        table = live_table.table
        expected = table.seq if request.expected is None else request.expected
        transition = table.decide(
            request.command,
            request.caller,
            max(self.time_at(table.id), table.event(table.seq).at),  # another server may be ahead a little
            request.command_id,
            expected,
            live_table.croupier,
        )
        if isinstance(transition, Event):
            return CommandResult(transition, repeated=True)
        statistics = await played(self.store, table.state, transition)
        changes = store_changes(transition, live_table.access, request.changes_access)
        await self._write(*changes, *await request.extra_changes(), *statistics)
        table.apply(transition)
        if request.changes_access:
            await self._note_access(live_table)
        return CommandResult(transition.event, repeated=False)

    async def _note_access(self, live_table: LiveTable) -> None:
        """Follow a change of access that this server has written."""
        live_table.access += 1
        if not self.store.shared:
            return
        with suppress(UserError):  # otherwise the next change elsewhere may revoke more than necessary
            stored = await asyncio.to_thread(
                self.store.stored_table, live_table.table.id, live_table.table.seq, True
            )
            if stored is not None and stored.access == live_table.access:
                live_table.grantees = grantees_of(stored.holdings, stored.tokens)

    async def _catch_up(self, live_table: LiveTable) -> bool:
        """Follow the store, and return whether it was ahead.

        Another server has written, or a write of this one that seemed to fail had been committed. Rights are
        revoked before events are announced, so nobody sees an event after losing the right to see it.
        """
        table = live_table.table
        seq, access = table.seq, live_table.access
        stored = await asyncio.to_thread(self._read_since, table.id, seq, access)
        if stored is None:
            raise UnknownTable
        events = read_events(stored.events[1:])
        if not stored.events or stored.events[0].command_id != table.event(seq).command_id:
            raise UnknownTable  # deleted, and another one has its id
        live_table.access = stored.access
        if isinstance(stored, StoredTable):
            live_table.take_grantees(grantees_of(stored.holdings, stored.tokens))
        table.replay(events)
        if events:
            live_table.announce(seq)
            self._on_change(live_table)
        return bool(events) or access != stored.access

    def _read_since(self, table: str, seq: int, access: int) -> StoredTable | LatestEvents | None:
        """The event ``seq`` and all later ones, whose hashes are checked; with all rights if they changed."""
        with self.damage_log.reporting_damage(table):
            stored: StoredTable | LatestEvents | None = self.store.latest_events(table, seq - 1)
            if stored is not None and stored.access != access and self.store.shared:
                stored = self.store.stored_table(table, seq - 1, with_tokens=True)
            if stored is not None and not is_chain(stored.events):
                raise UserError("audit.chain")
            return stored

    async def _write(self, *changes: Change) -> None:
        if self.waiting >= self._max_waiting:
            raise Unavailable("server.busy")
        begun = self.dependencies.clock()
        self.waiting += 1
        try:
            written = asyncio.wrap_future(self.store.write(*changes))
            await (_in_time(written) if self.store.shared else written)
        finally:
            self.waiting -= 1
        self._on_write(self.dependencies.clock() - begun)
        self._on_stored(sum(map(stored_bytes, changes)))

    async def _open(self, table: str) -> LiveTable:
        """Load a table in a thread, because replaying it takes some milliseconds."""
        found = await asyncio.to_thread(self._replay, table)
        if found is None:
            raise UnknownTable
        replayed, croupier, stored = found
        owner = next((row.guest for row in stored.holdings if row.chair == OWNER), "")
        live_table = self._add(replayed, croupier, owner)
        live_table.access = stored.access
        if self.store.shared:
            live_table.grantees = grantees_of(stored.holdings, stored.tokens)
        self._on_change(live_table)
        return live_table

    def _replay(self, table: str) -> tuple[Table, Croupier, StoredTable] | None:
        with self.damage_log.reporting_damage(table):
            stored = self.store.stored_table(table, with_tokens=self.store.shared)
            if stored is None:
                return None
            if check_chain(stored.events, last=stored.game.seq) is not None:
                raise UserError("audit.chain")
            replayed = Table(table, read_events(stored.events))
            croupier = self.dependencies.croupier(stored.seed, replayed.state.deal_name)
            if not croupier.deals(replayed.state):
                raise UserError("table.not_from_seed")
            return replayed, croupier, stored

    def _add(self, table: Table, croupier: Croupier, owner: str) -> LiveTable:
        now = self.dependencies.now()
        if table.event(table.seq).at > self.time_at(table.id):
            self.ahead[table.id] = table.event(table.seq).at - now
        live_table = LiveTable(table, croupier, now, owner, ahead=self.ahead.get(table.id, 0.0))
        self._alive[table.id] = live_table
        return self._touch(live_table)

    def _touch(self, live_table: LiveTable) -> LiveTable:
        live_table.touched = self.dependencies.now()
        self._loaded[live_table.table.id] = live_table
        return live_table


async def _in_time(written: "asyncio.Future[None]") -> None:
    """Wait for a write, or ``Unavailable``: a database may never answer, and the write may still be made.

    Then the next command at the table conflicts and is decided again, and a repeated one is recognised.
    """
    done, _ = await asyncio.wait((written,), timeout=WRITE_TIMEOUT)
    if not done:
        raise not_answered()
    written.result()


def _rows_added(changes: Iterable[Change]) -> tuple[list[HoldingRow], list[TokenRow]]:
    rows = [change.row for change in changes if isinstance(change, Add)]
    holdings = [row for row in rows if isinstance(row, HoldingRow)]
    return holdings, [row for row in rows if isinstance(row, TokenRow)]
