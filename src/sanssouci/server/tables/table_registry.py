"""Registry of all loaded tables. Each table executes one command at a time.

A command is decided, written to the event log, acknowledged, then announced to subscribers. Memory never runs
ahead of the disk: if the write fails, the table has not changed.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import dataclass
from math import inf
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from sanssouci.dealer import Seed, new_seed
from sanssouci.locale import UserError
from sanssouci.store import AddGame, Change, Conflict, Store, Unavailable, check_chain
from sanssouci.table import Caller, Command, CommandRejected, Croupier, Event, RejectReason, Table, Transition

from ..auth.tokens import Token, new_token
from ..features.statistics import played
from ..limits.moving_windows import Clock
from ..ops.corrupt_tables import CorruptTables
from .live_table import OWNER, LiveTable
from .persistence import append, game_row, read_events, store_changes

T = TypeVar("T")


class UnknownTable(UserError):
    """The table does not exist, or the caller may not see it."""

    def __init__(self) -> None:
        super().__init__("server.unknown_table")


class WriteConflict(UserError):
    """The write contradicts the store, even after reloading the table."""

    def __init__(self) -> None:
        super().__init__("server.contradicted")


@dataclass(frozen=True, slots=True)
class Dependencies:
    """Clocks and random sources of a server; tests replace them."""

    now: Callable[[], float] = time.time
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


def fixed_changes(*changes: Change) -> Callable[[], Awaitable[Iterable[Change]]]:
    """Changes that do not depend on the state of the table."""

    async def same() -> Iterable[Change]:
        return changes

    return same


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """A command with its caller and callbacks."""

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
    ) -> None:
        """``on_change`` is called for every changed table, ``on_write`` with the seconds of each write.

        At most ``max_waiting`` writes may be pending.
        """
        self.store = store
        self.dependencies = dependencies
        self._on_change = on_change
        self._max_waiting = max_waiting
        self.waiting = 0
        """Writes that are not on disk yet."""
        self._on_write = on_write
        self.corrupt_tables = CorruptTables()
        store.damaged = self.corrupt_tables.report
        self._loaded: dict[str, LiveTable] = {}
        self._alive: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()
        """Includes evicted tables that are still referenced, so no table is ever loaded twice."""
        self._opening: dict[str, asyncio.Task[LiveTable]] = {}
        self._running: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        return len(self._loaded)

    def find_loaded(self, table: str) -> LiveTable | None:
        """The table, if it is in memory."""
        return self._alive.get(table)

    async def table(self, table: str) -> LiveTable:
        """The table, loaded from the store if necessary; ``UnknownTable`` or ``CorruptData``."""
        live_table = self._alive.get(table)
        if live_table is None:
            if table not in self._opening:
                self._opening[table] = self._spawn(self._open(table))
                self._opening[table].add_done_callback(lambda _: self._opening.pop(table))
            live_table = await asyncio.shield(self._opening[table])
        return self._touch(live_table)

    async def create(self, owner: str, seed: Seed, transition: Transition, *more: Change) -> LiveTable:
        """Write and register a new table, with extra changes in the same transaction."""
        await self.write(AddGame(game_row(transition), seed), append(transition), *more)
        table, croupier = transition.state.table, self.dependencies.croupier(seed, transition.state.deal_name)
        live_table = self._add(Table(table, [transition.event]), croupier, owner)
        self._on_change(live_table)  # a game among computer players starts at once
        return live_table

    async def command(self, live_table: LiveTable, request: CommandRequest) -> CommandResult:
        """Execute a command; it is completed even if the caller disconnects."""
        return await self.finish(self._command(live_table, request))

    async def update_access(self, live_table: LiveTable, update: AccessUpdate) -> None:
        """Change chair holders or links under the table's lock."""
        await self.finish(self._update_access(live_table, update))

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
        """Wait for all running work."""
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

    def _spawn(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._on_task_done)
        return task

    def _on_task_done(self, task: "asyncio.Task[Any]") -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # mark as retrieved: the caller may be gone

    async def _update_access(self, live_table: LiveTable, update: AccessUpdate) -> None:
        async with live_table.lock:
            if not update.permitted():
                raise CommandRejected(RejectReason.NOT_ALLOWED)
            await self.write(*await update.changes())
            update.done()

    async def _command(self, live_table: LiveTable, request: CommandRequest) -> CommandResult:
        async with live_table.lock:
            if not request.permitted():
                raise CommandRejected(RejectReason.NOT_ALLOWED)
            try:
                done = await self._decide_and_write(live_table, request)
            except Conflict:
                await self._reload(live_table)
                try:
                    done = await self._decide_and_write(live_table, request)
                except Conflict:
                    raise WriteConflict from None
            request.acknowledge(done)
            if not done.repeated:
                live_table.announce(done.event.seq - 1)
        if not done.repeated:
            self._on_change(live_table)
        return done

    async def _decide_and_write(self, live_table: LiveTable, request: CommandRequest) -> CommandResult:
        table = live_table.table
        expected = table.seq if request.expected is None else request.expected
        transition = table.decide(
            request.command,
            request.caller,
            self.dependencies.now(),
            request.command_id,
            expected,
            live_table.croupier,
        )
        if isinstance(transition, Event):
            return CommandResult(transition, repeated=True)
        statistics = await played(self.store, table.state, transition)
        await self._write(*store_changes(transition), *await request.extra_changes(), *statistics)
        table.apply(transition)
        return CommandResult(transition.event, repeated=False)

    async def _reload(self, live_table: LiveTable) -> None:
        """Catch up with the store: a write that seemed to fail had been committed."""
        seq = live_table.table.seq
        live_table.table, live_table.croupier = await self._read(live_table.table.id)
        if live_table.table.seq > seq:
            live_table.announce(seq)
            self._on_change(live_table)

    async def _write(self, *changes: Change) -> None:
        if self.waiting >= self._max_waiting:
            raise Unavailable("server.busy")
        begun = self.dependencies.clock()
        self.waiting += 1
        try:
            await asyncio.wrap_future(self.store.write(*changes))
        finally:
            self.waiting -= 1
        self._on_write(self.dependencies.clock() - begun)

    async def _open(self, table: str) -> LiveTable:
        owner = await asyncio.to_thread(self._owner, table)
        live_table = self._add(*await self._read(table), owner)
        self._on_change(live_table)
        return live_table

    async def _read(self, table: str) -> tuple[Table, Croupier]:
        """Load a table in a thread, because replaying it takes some milliseconds."""
        found = await asyncio.to_thread(self._replay, table)
        if found is None:
            raise UnknownTable
        return found

    def _replay(self, table: str) -> tuple[Table, Croupier] | None:
        with self.corrupt_tables.reading(table):
            game = self.store.game(table)
            if game is None:
                return None
            rows = self.store.events(table)
            if check_chain(rows, last=game.seq) is not None:
                raise UserError("audit.chain")
            replayed = Table(table, read_events(rows))
            croupier = self.dependencies.croupier(self.store.seed(table) or b"", replayed.state.deal_name)
            if not croupier.deals(replayed.state.commitment):
                raise UserError("table.not_from_seed")
            return replayed, croupier

    def _owner(self, table: str) -> str:
        with self.corrupt_tables.reading(table):
            return next((row.guest for row in self.store.holdings(table) if row.chair == OWNER), "")

    def _add(self, table: Table, croupier: Croupier, owner: str) -> LiveTable:
        live_table = LiveTable(table, croupier, self.dependencies.now(), owner)
        self._alive[table.id] = live_table
        return self._touch(live_table)

    def _touch(self, live_table: LiveTable) -> LiveTable:
        live_table.touched = self.dependencies.now()
        self._loaded[live_table.table.id] = live_table
        return live_table
