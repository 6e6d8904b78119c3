"""The hall: every table that is played at, each decided by one command at a time.

A command is checked, kept by the store, acknowledged, then announced. What is in memory never runs ahead of
the disk: a table that could not be written has not moved.
"""

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from sanssouci.dealer import Seed, new_seed
from sanssouci.locale import Complaint
from sanssouci.store import AddGame, Change, EventRow, Store
from sanssouci.table import Caller, Command, Croupier, Event, Move, Table

from .hosted import Hosted
from .ledger import append, changes_of, events_of, game_row
from .tokens import Token, new_token
from .windows import Clock


class UnknownTable(Complaint):
    """There is no such table, or it is none of the caller's business."""

    def __init__(self) -> None:
        super().__init__("server.unknown_table")


@dataclass(frozen=True, slots=True)
class Means:
    """What a server takes from the world: clocks and chance. Tests give their own."""

    now: Callable[[], float] = time.time
    table_id: Callable[[], str] = lambda: secrets.token_hex(8)
    seed: Callable[[], Seed] = new_seed
    token: Callable[[], Token] = new_token
    croupier: Callable[[Seed, str], Croupier] = Croupier
    clock: Clock = time.monotonic
    """How long something takes is measured by this one."""


@dataclass(frozen=True, slots=True)
class Done:
    """A command was carried out, now or before."""

    event: Event
    repeated: bool


@dataclass(frozen=True, slots=True)
class Order:
    """A command as it comes to the hall."""

    command: Command
    caller: Caller
    command_id: str
    expected: int | None = None
    """The last event that the caller knows; None takes the table as it is."""
    acknowledge: Callable[[Done], None] = lambda done: None
    """Told as soon as it is kept, before anyone else hears of it."""


class Hall:
    """All tables of a server; for the tasks of one event loop."""

    def __init__(self, store: Store, means: Means, moved: Callable[[Hosted], None]) -> None:
        """``moved`` is told of every table that has moved on."""
        self.store = store
        self.means = means
        self._moved = moved
        self._tables: dict[str, Hosted] = {}
        self._opening: dict[str, asyncio.Task[None]] = {}

    def __len__(self) -> int:
        return len(self._tables)

    async def table(self, table: str) -> Hosted:
        """A table by its id, read from the store if need be, or ``UnknownTable``."""
        if table not in self._tables:
            if table not in self._opening:
                self._opening[table] = asyncio.create_task(self._open(table))
            await asyncio.shield(self._opening[table])
        hosted = self._tables[table]
        hosted.touched = self.means.now()
        return hosted

    async def create(self, table: str, seed: Seed, move: Move, *more: Change) -> Hosted:
        """A new table, with other changes that are kept together with it."""
        await self.write(AddGame(game_row(move), seed), append(move), *more)
        return self._take_in(Table(table, [move.event]), self.means.croupier(seed, table))

    async def command(self, hosted: Hosted, order: Order, *more: Change) -> Done:
        """Carry an order out, with other changes that are kept together with it.

        Once it is decided it is brought to its end, also if whoever gave it has gone.
        """
        return await asyncio.shield(asyncio.ensure_future(self._command(hosted, order, more)))

    async def write(self, *changes: Change) -> None:
        """Wait until changes are kept."""
        await asyncio.wrap_future(self.store.write(*changes))

    def hosted(self) -> tuple[Hosted, ...]:
        """The tables in memory."""
        return tuple(self._tables.values())

    def put_away(self, before: float) -> None:
        """Forget tables that nobody has needed for some time; the store has them."""
        for table, hosted in tuple(self._tables.items()):
            if hosted.idle and hosted.touched < before:
                del self._tables[table]

    async def _command(self, hosted: Hosted, order: Order, more: tuple[Change, ...]) -> Done:
        async with hosted.lock:
            seq = hosted.table.seq
            move = hosted.table.decide(
                order.command,
                order.caller,
                self.means.now(),
                order.command_id,
                seq if order.expected is None else order.expected,
                hosted.croupier,
            )
            if isinstance(move, Event):
                done = Done(move, repeated=True)
            else:
                await self.write(*changes_of(move), *more)
                hosted.table.move_on(move)
                done = Done(move.event, repeated=False)
            order.acknowledge(done)
            if not done.repeated:
                hosted.announce(seq)
        if not done.repeated:
            self._moved(hosted)
        return done

    async def _open(self, table: str) -> None:
        try:
            seed, rows = await asyncio.to_thread(self._read, table)
            if seed is None:
                raise UnknownTable
            # Replaying a long game takes some milliseconds, which the other tables need not wait for.
            replayed = await asyncio.to_thread(lambda: Table(table, events_of(rows)))
            self._moved(self._take_in(replayed, self.means.croupier(seed, table)))
        finally:
            del self._opening[table]

    def _read(self, table: str) -> tuple[Seed | None, list[EventRow]]:
        return self.store.seed(table), list(self.store.events(table))

    def _take_in(self, table: Table, croupier: Croupier) -> Hosted:
        self._tables[table.id] = Hosted(table, croupier, self.means.now())
        return self._tables[table.id]
