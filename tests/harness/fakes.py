"""Fakes for a server under test: clock, random values, computer players, and a store that fails on demand."""

import asyncio
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import count

from structlog.contextvars import get_contextvars

from sanssouci.dealer import BulkGame, Seed
from sanssouci.locale import UserError
from sanssouci.notation import Record, write_turn
from sanssouci.players import RandomPlayer
from sanssouci.review import PositionReview, Reason
from sanssouci.rules import SetupView, State, Turn, View
from sanssouci.server.auth.tokens import Token
from sanssouci.server.ops.clocks import ServerClock
from sanssouci.server.tables.table_registry import Dependencies
from sanssouci.store import Change, Store, Unavailable
from sanssouci.table import Croupier
from sanssouci.workers import Answer, HintResult, PoolStatistics, TurnForecast, WorkerPool

from ..workers.position_reviews import fake_position_review


@dataclass
class FakeClock:
    """Time that only a test advances: server time, the wall clock and a monotonic clock."""

    now: float = 1_000_000.0
    """Server time, while the wall clock is not set."""
    set_by: float = 0.0
    """By how many seconds the wall clock was set forward."""
    suspended: float = 0.0
    """Seconds that the monotonic clock has missed."""

    def advance(self, seconds: float) -> None:
        self.now += seconds

    def suspend(self, seconds: float) -> None:
        self.now += seconds
        self.suspended += seconds

    @property
    def wall(self) -> float:
        return self.now + self.set_by


@dataclass
class FakeSecrets:
    """Ids, seeds and tokens by counting: the same for every source of the same name."""

    name: str = ""
    salt: str = ""
    """Mixed into tokens."""
    fixed_seed: Seed | None = None
    numbers: Iterator[int] = field(default_factory=lambda: count(1))
    tokens: list[str] = field(default_factory=list)
    """All tokens issued so far."""
    seeds: list[Seed] = field(default_factory=list)

    def digest(self, kind: str) -> bytes:
        return sha256(f"{self.name} {kind} {next(self.numbers)}".lstrip().encode()).digest()

    def table_id(self) -> str:
        return self.digest("table").hex()[:16]

    def seed(self) -> Seed:
        self.seeds.append(self.fixed_seed or self.digest("seed"))
        return self.seeds[-1]

    def token(self) -> Token:
        digest = self.digest("token" + self.salt)
        self.tokens.append(urlsafe_b64encode(digest).decode("ascii").rstrip("="))
        return Token(self.tokens[-1])


def fake_dependencies(
    clock: FakeClock, secrets: FakeSecrets, croupier: Callable[[Seed, str], Croupier] = Croupier
) -> Dependencies:
    return Dependencies(
        now=ServerClock(lambda: clock.wall, lambda: clock.now).now,
        wall=lambda: clock.wall,
        table_id=secrets.table_id,
        seed=secrets.seed,
        token=secrets.token,
        croupier=croupier,
        clock=lambda: clock.now - clock.suspended,
    )


class FakePlayers(WorkerPool):
    """Computer players in this process that play the first legal turn or at random, and record jobs."""

    def __init__(self, *allowed: str, at_random: bool = False) -> None:
        super().__init__(1, allowed)
        self.progress = replace(self.progress, ready=1)
        self.asked: list[tuple[str, View | SetupView]] = []
        self.hint_views: list[View] = []
        self.reviewed: list[State] = []
        self.keys: list[Seed] = []
        self.owners: list[str] = []
        """The owner of each job."""
        self.request_ids: list[str] = []
        """The request id of each turn and side."""
        self.error: Exception | None = None
        """Raised instead of an answer."""
        self.waiting = 0
        """How many jobs the statistics report as waiting."""
        self._at_random = at_random
        self._released = asyncio.Event()
        self._released.set()

    def hold(self) -> None:
        """Give no answers until ``release``."""
        self._released.clear()

    def release(self) -> None:
        self._released.set()

    async def turn(self, player: str, view: View, key: Seed, owner: str = "") -> Answer[Turn]:
        await self._asked(player, view, key, owner)
        return Answer(self._random(key).decide(view) if self._at_random else next(iter(view.options())))

    async def side(self, player: str, view: SetupView, key: Seed, owner: str = "") -> Answer[int]:
        await self._asked(player, view, key, owner)
        return Answer(self._random(key).pick(view) if self._at_random else view.sides()[0])

    async def hint(self, view: View, key: Seed, owner: str = "") -> HintResult:
        self.hint_views.append(view)
        self.owners.append(owner)
        self._check_error()
        turn = write_turn(next(iter(view.options())))
        expected = TurnForecast(turn=turn, score=71.0, margin=4.0, share=0.625, level=True)
        rival = (view.to_move + 1) % view.variant.seats
        reasons = (
            Reason("row_complete", (("row", 2), ("points", 8))),
            Reason("denies_row", (("seat", rival), ("row", 2), ("points", 8))),
        )
        return HintResult(turn, reasons, expected, (expected,))

    async def review_position(
        self, record: Record, state: State, turn: Turn | None, owner: str = ""
    ) -> PositionReview:
        self.reviewed.append(state)
        self.owners.append(owner)
        await self._answered()
        return fake_position_review(state, turn)

    async def _asked(self, player: str, view: View | SetupView, key: Seed, owner: str) -> None:
        self.owners.append(owner)
        self.request_ids.append(get_contextvars().get("request_id", ""))
        self._check_allowed(player)
        self.asked.append((player, view))
        self.keys.append(key)
        await self._answered()

    async def _answered(self) -> None:
        await self._released.wait()
        self._check_error()

    def _check_error(self) -> None:
        if self.error is not None:
            raise self.error

    @staticmethod
    def _random(key: Seed) -> RandomPlayer:
        return RandomPlayer(BulkGame(key, 1).stream(0))

    @property
    def statistics(self) -> PoolStatistics:
        return replace(super().statistics, waiting=self.waiting)

    def close_down(self) -> None:
        """Answer from now on as a pool that is closed."""
        self.error = UserError("workers.closed")


class FailingStore(Store):
    """A store whose writes fail on demand."""

    fails = False
    """Nothing is written, and an error is reported."""
    false_errors = False
    """Everything is written, but an error is reported."""

    def write(self, *changes: Change) -> "Future[None]":
        if self.fails:
            return _failed()
        if self.false_errors:
            super().write(*changes).result()
            return _failed()
        return super().write(*changes)

    @contextmanager
    def broken(self) -> Iterator[None]:
        """Fail all writes inside the block."""
        self.fails = True
        try:
            yield
        finally:
            self.fails = False


def _failed() -> "Future[None]":
    future: Future[None] = Future()
    future.set_exception(Unavailable("store.unavailable", reason="disk full"))
    return future
