"""The load generator, an open loop: turns are due at fixed times, whether the server keeps up or not.

A turn that waits for the server or the generator counts from its due time. So a stalling server cannot reduce
the load or hide the waits.
"""

import asyncio
import gc
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.harness.process import ServerProcess

from .games import SOCKETS, Game, Tally
from .tables import Prepared, TableFactory
from .usage import Usage, usage_of

TURNS = 36
"""Turns of a game of two."""
_LAST_TURNS_TIMEOUT = 10.0
"""Seconds to wait for the last turns."""
_TIMEOUT = 600.0
_STRIDE = 211
"""Spreads the turns of neighbouring games, so that they do not end and reopen sockets together."""


@dataclass(frozen=True)
class Stretch:
    """The measurements at one rate."""

    rate: float
    turns: int
    listeners: int
    """The sockets that wait for each turn."""
    seconds: float
    waits: list[float]
    """In ascending order."""
    missing: int
    """The number of events that have not arrived."""
    lags: list[float]
    """In ascending order."""
    server: tuple[Usage, Usage]
    own: tuple[Usage, Usage]

    @property
    def reached(self) -> float:
        """Turns per second that have reached everyone."""
        return (self.turns - self.missing / self.listeners) / self.seconds

    def wait(self, share: float) -> float:
        """The wait in seconds that this share of all events does not exceed."""
        total = len(self.waits) + self.missing
        place = min(int(share * total), total - 1)
        return self.waits[place] if place < len(self.waits) else float("inf")

    @property
    def lag(self) -> float:
        """The 99th percentile of the generator's own delays."""
        return self.lags[len(self.lags) * 99 // 100] if self.lags else 0.0

    @property
    def shares(self) -> tuple[float, float]:
        """The CPU shares of server and generator."""
        return self.server[1].share(self.server[0]), self.own[1].share(self.own[0])

    @property
    def cpu_per_turn(self) -> float:
        """CPU seconds of the server per turn."""
        return (self.server[1].cpu - self.server[0].cpu) / self.turns


class Generator:
    """Plays many games on a server, from a separate process."""

    def __init__(self, server: ServerProcess, factory: TableFactory, sockets: int = SOCKETS) -> None:
        """``sockets`` is the number of sockets at each table."""
        self._server = server
        self._sockets = sockets
        self._factory = factory
        self._tally = Tally()
        self._games: list[Game] = []
        self._guests = 0
        self._spares: list[Prepared] = []
        self._replacing: set[asyncio.Task[None]] = set()

    @property
    def spares(self) -> int:
        """The number of prepared tables."""
        return len(self._spares)

    async def prepare(self, tables: int) -> None:
        """Prepare tables with two new guests each, until there are ``tables`` spares."""
        missing = range(len(self._spares), tables)
        self._spares += await asyncio.gather(*[self._prepared() for _ in missing])

    async def open(self, games: int) -> None:
        """Start more games."""
        new_games = [self._game() for _ in range(games)]
        self._games += new_games
        await asyncio.gather(*[game.open(self._factory) for game in new_games])
        self._tally.check()

    async def scatter(self) -> None:
        """Bring the games to different turns, so that they do not end together."""
        games = len(self._games)
        for place, game in enumerate(self._games):
            game.rush(TURNS * (place * _STRIDE % games) // games)
        await self._settle(_TIMEOUT)

    async def run(self, rate: float, seconds: float) -> Stretch:
        """Play at a rate for some time."""
        turns = round(rate * seconds)
        self._tally.clear()
        with _gc_disabled():
            before, start = self._usages(), time.perf_counter()
            for turn, due in enumerate(_schedule(start, rate, turns)):
                while (wait := due - time.perf_counter()) > 0:
                    await asyncio.sleep(wait)
                self._games[turn % len(self._games)].play_at(due)
                self._tally.check()
            await self._settle(_LAST_TURNS_TIMEOUT)
        after, tally = self._usages(), self._tally
        listeners = self._sockets - 1
        unsent = sum(len(game.due) for game in self._games)
        return Stretch(
            rate,
            turns,
            listeners,
            time.perf_counter() - start,
            sorted(tally.waits),
            tally.expected - len(tally.waits) + unsent * listeners,
            sorted(tally.lags),
            (before[0], after[0]),
            (before[1], after[1]),
        )

    async def change_watcher(self, number: int) -> None:
        """Replace a watcher at one of the tables."""
        await self._games[number % len(self._games)].change_watcher(self._factory)

    def close(self) -> None:
        """Close all games."""
        for game in self._games:
            game.close()

    def _usages(self) -> tuple[Usage, Usage]:
        return usage_of(self._server.pid), usage_of(os.getpid())

    async def _prepared(self) -> Prepared:
        self._guests += 2
        return await self._factory.table(f"Guest {self._guests - 1}", f"Guest {self._guests}")

    async def _settle(self, timeout: float) -> None:
        """Wait until all turns have arrived, or the timeout is over."""
        until = time.perf_counter() + timeout
        while time.perf_counter() < until and any(game.outstanding for game in self._games):
            await asyncio.sleep(0.005)
            self._tally.check()

    def _game(self) -> Game:
        return Game(self._spares.pop(), self._tally, self._replace, self._sockets)

    def _replace(self, old: Game) -> None:
        """Replace a finished game by a new one, which takes over its due turns."""
        old.close()
        if not self._spares:
            self._tally.fail("no prepared table is left")
            return
        game = self._games[self._games.index(old)] = self._game()
        game.due = old.due
        task = asyncio.ensure_future(game.open(self._factory))
        self._replacing.add(task)
        task.add_done_callback(self._replacing.discard)


@contextmanager
def _gc_disabled() -> Iterator[None]:
    """Disable garbage collection of the generator, whose pauses would count as delays of the server."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _schedule(start: float, rate: float, turns: int) -> Iterator[float]:
    return (start + turn / rate for turn in range(turns))
