"""What a house works with in tests: a clock that is set, chance that repeats, players that answer at once, a
store that fails when it is told to."""

import asyncio
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import count

from sanssouci.dealer import Seed
from sanssouci.locale import UserError
from sanssouci.notation import Record, write_turn
from sanssouci.review import PositionReview
from sanssouci.rules import SetupView, State, Turn, View
from sanssouci.server.auth.tokens import Token
from sanssouci.server.tables.table_registry import Dependencies
from sanssouci.store import Change, Store, Unavailable
from sanssouci.workers import Answer, Expectation, HintResult, PoolStatistics, WorkerPool

from ..workers.position_reviews import made_up_look


@dataclass
class World:
    """Clock and chance; two worlds with the same name go the same way."""

    name: str = "world"
    now: float = 1_000_000.0
    numbers: Iterator[int] = field(default_factory=count)
    tokens: list[str] = field(default_factory=list)
    """Every secret text that was given out."""
    seeds: list[Seed] = field(default_factory=list)

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds

    @property
    def dependencies(self) -> Dependencies:
        """For a server."""
        return Dependencies(
            now=lambda: self.now,
            table_id=lambda: self._digest("table").hex()[:16],
            seed=self._seed,
            token=self._token,
            clock=lambda: self.now,
        )

    def _digest(self, kind: str) -> bytes:
        return sha256(f"{self.name} {kind} {next(self.numbers)}".encode()).digest()

    def _seed(self) -> Seed:
        self.seeds.append(self._digest("seed"))
        return self.seeds[-1]

    def _token(self) -> Token:
        self.tokens.append(urlsafe_b64encode(self._digest("token")).decode("ascii").rstrip("="))
        return Token(self.tokens[-1])


class Instant(WorkerPool):
    """Players in this process that play the first turn there is, once they are let."""

    def __init__(self, *allowed: str) -> None:
        super().__init__(1, allowed)
        self.progress = replace(self.progress, ready=1)
        self.asked: list[tuple[str, View | SetupView]] = []
        self.hinted: list[View] = []
        self.looked: list[State] = []
        self.keys: list[Seed] = []
        self.owners: list[str] = []
        """Whose each job was."""
        self.let = asyncio.Event()
        """Cleared, nobody answers."""
        self.let.set()
        self.fault: Exception | None = None
        """Raised in place of an answer."""
        self.socket_limits = 0
        """How many jobs are said to wait."""

    async def turn(self, player: str, view: View, key: Seed, owner: str = "") -> Answer[Turn]:
        """The first."""
        self.owners.append(owner)
        await self._hear(player, view, key)
        return Answer(next(iter(view.options())))

    async def side(self, player: str, view: SetupView, key: Seed, owner: str = "") -> Answer[int]:
        """The first."""
        self.owners.append(owner)
        await self._hear(player, view, key)
        return Answer(view.sides()[0])

    async def hint(self, view: View, key: Seed, owner: str = "") -> HintResult:
        """The first turn, of which nothing is expected."""
        self.hinted.append(view)
        self.owners.append(owner)
        if self.fault is not None:
            raise self.fault
        expected = Expectation(write_turn(next(iter(view.options()))), 1, 0, 0, 0, 0, 0, 0, True)
        return HintResult(expected.turn, (), expected, ())

    async def review_position(
        self, record: Record, state: State, turn: Turn | None, owner: str = ""
    ) -> PositionReview:
        """What is made up for the position."""
        self.looked.append(state)
        self.owners.append(owner)
        await self.let.wait()
        if self.fault is not None:
            raise self.fault
        return made_up_look(state, turn)

    async def _hear(self, player: str, view: View | SetupView, key: Seed) -> None:
        self._check_allowed(player)
        self.asked.append((player, view))
        self.keys.append(key)
        await self.let.wait()
        if self.fault is not None:
            raise self.fault

    @property
    def statistics(self) -> PoolStatistics:
        """The figures now."""
        return replace(super().statistics, waiting=self.socket_limits)

    def close_down(self) -> None:
        """From now on it says that it is closed."""
        self.fault = UserError("workers.closed")


class Brittle(Store):
    """A store on which writing fails as long as it is told to."""

    failing = False
    """Nothing is written."""
    deceiving = False
    """It is written, but an error is told."""

    def write(self, *changes: Change) -> "Future[None]":
        """Write, or do not."""
        if self.failing:
            return _failed()
        if self.deceiving:
            super().write(*changes).result()
            return _failed()
        return super().write(*changes)

    @contextmanager
    def broken(self) -> Iterator[None]:
        """Inside, nothing can be written."""
        self.failing = True
        try:
            yield
        finally:
            self.failing = False


def _failed() -> "Future[None]":
    future: Future[None] = Future()
    future.set_exception(Unavailable("store.unavailable", reason="disk full"))
    return future
