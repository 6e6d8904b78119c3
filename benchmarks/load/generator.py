"""The generator: an open loop. Turns are due at fixed times, whether the server keeps up or not.

A turn that waits, for the server or for the generator, is counted from when it was due. So a server that
stalls cannot make the load lighter, nor hide how long everyone waited.
"""

import asyncio
import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psutil

from .games import SOCKETS, Game, Tally
from .host import Host, Usage, usage_of
from .tables import Desk, Prepared

TURNS = 36
"""Of a game of two."""
_LAST = 10.0
"""Seconds that the last turns may take to arrive."""
_PATIENCE = 600.0
_STRIDE = 211
"""So far apart in their turns are games beside each other: else fourteen would end in a blink, and all their
sockets be opened anew at once, as no people would."""


@dataclass(frozen=True)
class Stretch:
    """What was measured at one rate."""

    rate: float
    turns: int
    seconds: float
    waits: list[float]
    """In ascending order."""
    missing: int
    """Events that have not arrived at all."""
    lags: list[float]
    """In ascending order too."""
    server: tuple[Usage, Usage]
    own: tuple[Usage, Usage]

    @property
    def reached(self) -> float:
        """Turns a second that have reached everyone."""
        return (self.turns - self.missing / (SOCKETS - 1)) / self.seconds

    def wait(self, share: float) -> float:
        """The wait in seconds that this share of all events does not exceed."""
        everyone = len(self.waits) + self.missing
        place = min(int(share * everyone), everyone - 1)
        return self.waits[place] if place < len(self.waits) else float("inf")

    @property
    def lag(self) -> float:
        """How late 99 % of all turns were sent at most, for which only the generator can be blamed."""
        return self.lags[len(self.lags) * 99 // 100] if self.lags else 0.0

    @property
    def shares(self) -> tuple[float, float]:
        """What server and generator took of a core each."""
        return self.server[1].share(self.server[0]), self.own[1].share(self.own[0])

    @property
    def cpu_per_turn(self) -> float:
        """Seconds of the processor that the server takes for a turn, with all that goes with it."""
        return (self.server[1].cpu - self.server[0].cpu) / self.turns


class Generator:
    """Plays many games at a server, from a process that does nothing else."""

    def __init__(self, host: Host, desk: Desk) -> None:
        self._host = host
        self._desk = desk
        self._self = psutil.Process()
        self._tally = Tally()
        self._games: list[Game] = []
        self._guests = 0
        self._spares: list[Prepared] = []
        self._replacing: set[asyncio.Task[None]] = set()

    @property
    def spares(self) -> int:
        """Tables that are ready and not played at yet."""
        return len(self._spares)

    async def prepare(self, tables: int) -> None:
        """Have so many tables ready, each with two guests of its own."""
        lacking = range(len(self._spares), tables)
        self._spares += await asyncio.gather(*[self._prepared() for _ in lacking])

    async def open(self, games: int) -> None:
        """Begin so many games more."""
        begun = [self._game() for _ in range(games)]
        self._games += begun
        await asyncio.gather(*[game.open(self._desk) for game in begun])
        self._tally.check()

    async def scatter(self) -> None:
        """Bring the games to different turns, so that they do not all end together."""
        games = len(self._games)
        for place, game in enumerate(self._games):
            game.rush(TURNS * (place * _STRIDE % games) // games)
        await self._settle(_PATIENCE)

    async def run(self, rate: float, seconds: float) -> Stretch:
        """Play at a rate for some time."""
        turns = round(rate * seconds)
        self._tally.clear()
        with _no_pauses():
            before, begun = self._usages(), time.perf_counter()
            for turn, due in enumerate(_schedule(begun, rate, turns)):
                while (wait := due - time.perf_counter()) > 0:
                    await asyncio.sleep(wait)
                self._games[turn % len(self._games)].play_at(due)
                self._tally.check()
            await self._settle(_LAST)
        after, tally = self._usages(), self._tally
        unsent = sum(len(game.due) for game in self._games)
        return Stretch(
            rate,
            turns,
            time.perf_counter() - begun,
            sorted(tally.waits),
            tally.expected - len(tally.waits) + unsent * (SOCKETS - 1),
            sorted(tally.lags),
            (before[0], after[0]),
            (before[1], after[1]),
        )

    async def change_watcher(self, number: int) -> None:
        """At one of the tables another one watches from now on."""
        await self._games[number % len(self._games)].change_watcher(self._desk)

    def close(self) -> None:
        """Leave all games."""
        for game in self._games:
            game.close()

    def _usages(self) -> tuple[Usage, Usage]:
        return self._host.usage(), usage_of(self._self)

    async def _prepared(self) -> Prepared:
        self._guests += 2
        first, second = self._guests - 1, self._guests
        return await self._desk.table((await self._desk.guest(first), await self._desk.guest(second)))

    async def _settle(self, patience: float) -> None:
        """Wait until all turns have arrived, but not for ever."""
        until = time.perf_counter() + patience
        while time.perf_counter() < until and any(game.outstanding for game in self._games):
            await asyncio.sleep(0.005)
            self._tally.check()

    def _game(self) -> Game:
        return Game(self._spares.pop(), self._tally, self._replace)

    def _replace(self, old: Game) -> None:
        """A game has ended: its sockets go, and another takes its place, with what was due in it."""
        old.close()
        if not self._spares:
            self._tally.fail("there is no table left")
            return
        game = self._games[self._games.index(old)] = self._game()
        game.due = old.due
        task = asyncio.ensure_future(game.open(self._desk))
        self._replacing.add(task)
        task.add_done_callback(self._replacing.discard)


@contextmanager
def _no_pauses() -> Iterator[None]:
    """The generator's own searches for garbage, a seventh of a second each, would be the server's delay."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _schedule(begun: float, rate: float, turns: int) -> Iterator[float]:
    return (begun + turn / rate for turn in range(turns))
