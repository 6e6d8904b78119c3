"""Two games, played in step: whatever one may not know, one cannot find out by comparing them."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from sanssouci.locale import LANGUAGES
from sanssouci.rules import Phase
from sanssouci.table import Stage, TableState

from ..lot import Lot
from .cast import Json, Side, Viewer
from .difference import Difference, Hidden
from .house import House
from .lines import Log

Pair = tuple[Any, Any]
Watch = Callable[["Twins"], None]


class Leak(AssertionError):
    """Somebody can tell the two games apart."""


class Twins:
    """Two houses with one game each, and all who look at it."""

    def __init__(self, houses: tuple[House, House], log: Log, lot: Lot, difference: Difference) -> None:
        self.houses = houses
        self.lot = lot
        self.difference = difference
        self.viewers: list[Viewer] = []
        self.table = ""
        self.compared = 0
        """Bytes that were the same for somebody."""
        self.differed = False
        """Whether somebody who may know the difference has seen it."""
        self.standings: tuple[TableState, TableState] | None = None
        self._log = log
        self._ids = 0

    @property
    def state(self) -> TableState:
        """How the first game stands; in all that is public the other stands the same."""
        assert self.standings is not None, "there is a table"
        return self.standings[0]

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return next(
            live_table.table.seq
            for live_table in self.houses[0].services.registry.live_tables()
            if live_table.table.id == self.table
        )

    def next_id(self) -> str:
        """An id for a command."""
        self._ids += 1
        return f"c{self._ids}"

    async def ask(
        self, viewer: Viewer, method: str, path: str, body: object = None, query: str = ""
    ) -> tuple[Json, Json]:
        """The same request in both houses; a pair is a body for each. What they say is compared."""
        bodies: Pair = body if isinstance(body, tuple) else (body, body)
        language, said = self.lot.one(LANGUAGES), []
        async with self._step(viewer) as sides:
            for house, side, document in zip(self.houses, sides, bodies, strict=True):
                data = (
                    document if isinstance(document, bytes) else b"" if document is None else _json(document)
                )
                self._salt(viewer, house)
                answer = await house.ask(method, path, viewer.headers(side, language), data, query)
                said.append(side.take(*answer))
                self._gather(house)
        return said[0], said[1]

    async def say(self, viewer: Viewer, message: object) -> None:
        """The same on both sockets; a pair is a message for each."""
        messages: Pair = message if isinstance(message, tuple) else (message, message)
        async with self._step(viewer) as sides:
            for house, side, document in zip(self.houses, sides, messages, strict=True):
                assert side.line is not None, "it was dialled"
                House.at_work = house
                side.line.say(document if isinstance(document, str) else _json(document).decode())
                await house.settle()
                self._gather(house)

    async def dial(self, viewer: Viewer, hello: Callable[[Side], object]) -> None:
        """A socket in both houses, and the first word on it; the one before is given up."""
        async with self._step(viewer) as sides:
            for house, side in zip(self.houses, sides, strict=True):
                await house.drop(side.line)
                side.hear()
                side.line = house.dial([])
                said = hello(side)
                side.line.say(said if isinstance(said, str) else _json(said).decode())
                await house.settle()
                self._gather(house)

    async def hang_up(self, viewer: Viewer) -> None:
        """Give a socket up."""
        async with self._step(viewer) as sides:
            for house, side in zip(self.houses, sides, strict=True):
                await house.drop(side.line)
                self._gather(house)
                side.line = None

    async def finish(self, documents: Pair) -> None:
        """The computer player that thinks has found something."""
        async with self._step(None):
            for house, document in zip(self.houses, documents, strict=True):
                House.at_work = house
                house.worker_pool.finish(document)
                await house.settle()
                self._gather(house)

    async def evict(self) -> None:
        """Both tables are forgotten, if nobody needs them, and read from the store when they are."""
        async with self._step(None):
            for house in self.houses:
                if house.worker_pool.thinking is None:
                    house.services.registry.evict(float("inf"))
                self._gather(house)

    async def leave(self) -> None:
        """Everybody goes."""
        async with self._step(None):
            for house in self.houses:
                await house.clear()
                self._gather(house)
            self.table = ""

    def wait(self, seconds: float) -> None:
        """Time goes by."""
        for house in self.houses:
            house.drawn.now += seconds

    def seat(self, chair: int) -> int | None:
        """The seat of a chair."""
        return self.state.seat_of(chair)

    def phase(self) -> Phase | None:
        """Which sides are being picked."""
        setup = self.state.setup
        return None if setup is None or self.state.stage is not Stage.PICKING else setup.phase

    @asynccontextmanager
    async def _step(self, viewer: Viewer | None) -> AsyncIterator[tuple[Side, Side]]:
        """One thing in both houses, then a look at everything."""
        self._logged: list[bytes] = []
        yield (Side(), Side()) if viewer is None else viewer.sides
        if self.table:
            one, other = [await house.table_state(self.table) for house in self.houses]
            self.standings = one, other
        self._compare()

    def _salt(self, viewer: Viewer, house: House) -> None:
        own = Hidden.TOKENS in self.difference.hidden and viewer.knows and viewer.name != "owner"
        house.drawn.salt = "other" if own and house is self.houses[1] else ""

    def _gather(self, house: House) -> None:
        """What a house has said to anyone in this step, before the other house is asked."""
        self._logged.append(self._log.read())
        for viewer in self.viewers:
            viewer.sides[self.houses.index(house)].hear()

    def _compare(self) -> None:
        self._same("the log", *self._logged)
        for viewer in self.viewers:
            one, other = (side.told for side in viewer.sides)
            if viewer.knows:
                self.differed |= one != other
            else:
                self._same(viewer.name, one, other)
            one.clear()
            other.clear()
        self._compare_jobs()

    def _compare_jobs(self) -> None:
        """What computer players were asked, unless the difference is their own."""
        asked = [
            [said for seat, said in house.worker_pool.asked if seat not in self.difference.seats]
            for house in self.houses
        ]
        self._same("a computer player", asked[0], asked[1])
        for house in self.houses:
            house.worker_pool.asked.clear()

    def _same(self, who: str, one: list[bytes] | bytes, other: list[bytes] | bytes) -> None:
        if one != other:
            kinds = ", ".join(sorted(kind.name for kind in self.difference.hidden))
            raise Leak(
                f"{who} can tell {kinds} of {sorted(self.difference.seats)}:{_first_difference(one, other)}"
            )
        self.compared += len(one) if isinstance(one, bytes) else sum(map(len, one))


def _json(document: object) -> bytes:
    return json.dumps(document).encode()


def _first_difference(one: list[bytes] | bytes, other: list[bytes] | bytes) -> str:
    """Where two things that were said begin to differ, with a little of what is before."""
    said = [each if isinstance(each, bytes) else b"\n".join(each) for each in (one, other)]
    same = next((at for at, pair in enumerate(zip(*said, strict=False)) if pair[0] != pair[1]), 0)
    return "".join(f"\n  {text[max(0, same - 120) : same + 80]!r}" for text in said)
