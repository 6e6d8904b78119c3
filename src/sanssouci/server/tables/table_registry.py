"""The hall: every table that is played at, each decided by one command at a time.

A command is checked, kept by the store, acknowledged, then announced. What is in memory never runs ahead of
the disk: a table that could not be written has not moved.
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
    """There is no such table, or it is none of the caller's business."""

    def __init__(self) -> None:
        super().__init__("server.unknown_table")


class WriteConflict(UserError):
    """What was asked for does not fit what is kept, though it was looked at again."""

    def __init__(self) -> None:
        super().__init__("server.contradicted")


@dataclass(frozen=True, slots=True)
class Dependencies:
    """What a server takes from the world: clocks and chance. Tests give their own."""

    now: Callable[[], float] = time.time
    table_id: Callable[[], str] = lambda: secrets.token_hex(8)
    seed: Callable[[], Seed] = new_seed
    token: Callable[[], Token] = new_token
    croupier: Callable[[Seed, str], Croupier] = Croupier
    clock: Clock = time.monotonic
    """How long something takes is measured by this one."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """A command was carried out, now or before."""

    event: Event
    repeated: bool


async def no_changes() -> Iterable[Change]:
    """No other changes."""
    return ()


def fixed_changes(*changes: Change) -> Callable[[], Awaitable[Iterable[Change]]]:
    """These changes, whatever has happened meanwhile."""

    async def same() -> Iterable[Change]:
        return changes

    return same


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """A command as it comes to the hall."""

    command: Command
    caller: Caller
    command_id: str
    expected: int | None = None
    """The last event that the caller knows; None takes the table as it is."""
    permitted: Callable[[], bool] = lambda: True
    """Asked when it is its turn: whether the caller still has the right to give it."""
    acknowledge: Callable[[CommandResult], None] = lambda done: None
    """Told as soon as it is kept, before anyone else hears of it."""
    beside: Callable[[], Awaitable[Iterable[Change]]] = no_changes
    """Other changes, that are kept together with it."""


@dataclass(frozen=True, slots=True)
class AccessUpdate:
    """Changes beside a table that are no events of it: who holds a chair, which links open it."""

    changes: Callable[[], Awaitable[Iterable[Change]]]
    """Asked while nothing else happens at the table."""
    permitted: Callable[[], bool]
    done: Callable[[], None]
    """Told when they are kept, before anything else happens at the table."""


class TableRegistry:
    """All tables of a server; for the tasks of one event loop."""

    def __init__(
        self,
        store: Store,
        dependencies: Dependencies,
        moved: Callable[[LiveTable], None],
        most_waiting: int = 4096,
        written: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        """``moved`` is told of every table that has moved on, ``written`` how long a write has taken.

        At most so many writes may wait for the disk.
        """
        self.store = store
        self.dependencies = dependencies
        self._moved = moved
        self._most_waiting = most_waiting
        self.waiting = 0
        """Writes that are not on the disk yet."""
        self._written = written
        self.corrupt_tables = CorruptTables()
        store.damaged = self.corrupt_tables.tell
        self._kept: dict[str, LiveTable] = {}
        self._known: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()
        """Those too that were put away, as long as somebody has one in hand: no table is there twice."""
        self._opening: dict[str, asyncio.Task[LiveTable]] = {}
        self._running: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        return len(self._kept)

    def present(self, table: str) -> LiveTable | None:
        """A table, if it is in memory."""
        return self._known.get(table)

    async def table(self, table: str) -> LiveTable:
        """A table by its id, read from the store if need be, or ``UnknownTable``, or ``Damaged``."""
        live_table = self._known.get(table)
        if live_table is None:
            if table not in self._opening:
                self._opening[table] = self._begin(self._open(table))
                self._opening[table].add_done_callback(lambda _: self._opening.pop(table))
            live_table = await asyncio.shield(self._opening[table])
        return self._keep(live_table)

    async def create(self, owner: str, seed: Seed, move: Transition, *more: Change) -> LiveTable:
        """A new table of a guest, with other changes that are kept together with it."""
        await self.write(AddGame(game_row(move), seed), append(move), *more)
        table, croupier = move.state.table, self.dependencies.croupier(seed, move.state.deal_name)
        live_table = self._take_in(Table(table, [move.event]), croupier, owner)
        self._moved(live_table)  # where only computers play it has started
        return live_table

    async def command(self, live_table: LiveTable, order: CommandRequest) -> CommandResult:
        """Carry an order out; once it is given it is brought to its end, also if whoever gave it has gone."""
        return await self.finish(self._command(live_table, order))

    async def amend(self, live_table: LiveTable, amendment: AccessUpdate) -> None:
        """Change what is kept beside a table, while nothing else happens there."""
        await self.finish(self._amend(live_table, amendment))

    async def write(self, *changes: Change) -> None:
        """Wait until changes are kept; ``Unavailable``, or ``Contradicted`` if they do not fit."""
        try:
            await self._write(*changes)
        except Conflict:
            raise WriteConflict from None

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Bring something to its end, also if whoever waits for it has gone."""
        return await asyncio.shield(self._begin(work))

    async def end(self) -> None:
        """Wait for all that has been begun."""
        while self._running:
            await asyncio.wait(self._running)

    def live_table(self) -> tuple[LiveTable, ...]:
        """The tables in memory."""
        return tuple(self._known.values())

    def evict(self, before: float, over_before: float = -inf) -> None:
        """Forget tables that nobody has needed since some time; the store has them.

        Where the game is over it may be another time: such a table is hardly ever asked for again.
        """
        for table, live_table in tuple(self._kept.items()):
            since = max(before, over_before) if live_table.over else before
            if live_table.idle and live_table.touched < since:
                del self._kept[table]

    def _begin(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: "asyncio.Task[Any]") -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # whoever should have heard of it may have gone

    async def _amend(self, live_table: LiveTable, amendment: AccessUpdate) -> None:
        async with live_table.lock:
            if not amendment.permitted():
                raise CommandRejected(RejectReason.NOT_ALLOWED)
            await self.write(*await amendment.changes())
            amendment.done()

    async def _command(self, live_table: LiveTable, order: CommandRequest) -> CommandResult:
        async with live_table.lock:
            if not order.permitted():
                raise CommandRejected(RejectReason.NOT_ALLOWED)
            try:
                done = await self._carried_out(live_table, order)
            except Conflict:
                await self._read_again(live_table)
                done = await self._carried_out_at_last(live_table, order)
            order.acknowledge(done)
            if not done.repeated:
                live_table.announce(done.event.seq - 1)
        if not done.repeated:
            self._moved(live_table)
        return done

    async def _carried_out(self, live_table: LiveTable, order: CommandRequest) -> CommandResult:
        table = live_table.table
        expected = table.seq if order.expected is None else order.expected
        move = table.decide(
            order.command,
            order.caller,
            self.dependencies.now(),
            order.command_id,
            expected,
            live_table.croupier,
        )
        if isinstance(move, Event):
            return CommandResult(move, repeated=True)
        kept = await played(self.store, table.state, move)
        await self._write(*store_changes(move), *await order.beside(), *kept)
        table.apply(move)
        return CommandResult(move.event, repeated=False)

    async def _carried_out_at_last(self, live_table: LiveTable, order: CommandRequest) -> CommandResult:
        try:
            return await self._carried_out(live_table, order)
        except Conflict:
            raise WriteConflict from None

    async def _read_again(self, live_table: LiveTable) -> None:
        """The store knows more of a table than its memory does: a write that seemed to fail was kept."""
        seq = live_table.table.seq
        live_table.table, live_table.croupier = await self._read(live_table.table.id)
        if live_table.table.seq > seq:
            live_table.announce(seq)
            self._moved(live_table)

    async def _write(self, *changes: Change) -> None:
        if self.waiting >= self._most_waiting:
            raise Unavailable("server.busy")
        begun = self.dependencies.clock()
        self.waiting += 1
        try:
            await asyncio.wrap_future(self.store.write(*changes))
        finally:
            self.waiting -= 1
        self._written(self.dependencies.clock() - begun)

    async def _open(self, table: str) -> LiveTable:
        owner = await asyncio.to_thread(self._owner, table)
        live_table = self._take_in(*await self._read(table), owner)
        self._moved(live_table)
        return live_table

    async def _read(self, table: str) -> tuple[Table, Croupier]:
        """A table from the store; replaying it takes some milliseconds, for which the others do not wait."""
        found = await asyncio.to_thread(self._replayed, table)
        if found is None:
            raise UnknownTable
        return found

    def _replayed(self, table: str) -> tuple[Table, Croupier] | None:
        with self.corrupt_tables.noticed(table):
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
        with self.corrupt_tables.noticed(table):
            return next((row.guest for row in self.store.holdings(table) if row.chair == OWNER), "")

    def _take_in(self, table: Table, croupier: Croupier, owner: str) -> LiveTable:
        live_table = LiveTable(table, croupier, self.dependencies.now(), owner)
        self._known[table.id] = live_table
        return self._keep(live_table)

    def _keep(self, live_table: LiveTable) -> LiveTable:
        live_table.touched = self.dependencies.now()
        self._kept[live_table.table.id] = live_table
        return live_table
