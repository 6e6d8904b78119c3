"""A job for a worker process: a request about one view, and the parser of its response.

A request is one line of JSON. It holds only what its seat may know, written field by field, and a key for the
player's own random numbers; it never contains a state, a seed or a deal. A record is sent only for the review
of a finished game. Responses are validated like input from a browser: the worker has run a player that anyone
may have written.
"""

import asyncio
import json
from abc import ABC, abstractmethod
from enum import IntEnum
from itertools import count
from time import monotonic
from typing import Generic, TypeVar

from structlog.contextvars import get_contextvars

from sanssouci.dealer import Seed, check_seed
from sanssouci.locale import UserError
from sanssouci.notation import Record, parse_turn, write_record, write_setup_view, write_turn, write_view
from sanssouci.players import greedy_points_turn
from sanssouci.review import PositionReview, parse_position_review
from sanssouci.rules import SetupView, State, Turn, View

from .answer import Answer, BadResponse, Json, Preempted, read_fault
from .hint_result import HintResult, parse_hint

T = TypeVar("T")

_numbers = count(1)


class Priority(IntEnum):
    """Smaller values are served first."""

    GAME = 0
    """Everyone at a table waits for it."""
    HINT = 1
    """One player waits for it."""
    REVIEW = 2
    """Background work: it is preempted by the others even while it runs."""


class Job(ABC, Generic[T]):
    """A request to a worker, and the future of its result."""

    kind: str
    priority: Priority = Priority.GAME
    timeout_factor: float = 1.0
    """Multiplies ``PoolConfig.job_timeout``."""

    def __init__(self, owner: str) -> None:
        self.number = next(_numbers)
        self.owner = owner
        """The workers serve owners in turn."""
        self.answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.lost_workers = 0
        """How many workers have died or hung while they ran it."""
        self.fault: UserError | None = None
        """Why its player is no longer asked."""
        self.created = monotonic()
        self.seconds = 0.0
        """How long a worker has worked on it, once it is done."""
        self.request_id: str = get_contextvars().get("request_id", "")
        """The request or command that has caused the job, for the log."""

    @property
    def player(self) -> str:
        """The name of the player, if one is asked."""
        return ""

    def line(self) -> bytes:
        return json.dumps({"id": self.number, **self.question()}).encode("ascii") + b"\n"

    @abstractmethod
    def question(self) -> Json:
        """The request, without its id; it may change after a fault."""

    @abstractmethod
    def read(self, document: Json) -> T:
        """Parse a response; any exception means that it is not valid."""

    @abstractmethod
    def result_without_worker(self) -> T:
        """A result without a worker, or ``UserError``; takes milliseconds, so run it in a thread."""

    @property
    def has_fallback(self) -> bool:
        """Whether a worker can still answer it without the player."""
        return False

    def resolve(self, answer: T) -> None:
        """Give the caller a result, if it still waits."""
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, user_error: UserError) -> None:
        """Raise an error in the caller, if it still waits."""
        if not self.answer.done():
            self.answer.set_exception(user_error)


class TurnJob(Job[Answer[Turn]]):
    kind = "turn"

    def __init__(self, player: str, view: View, key: Seed, owner: str = "") -> None:
        _check_turn(view)
        check_seed(key)
        super().__init__(owner)
        self._player, self._view, self._key = player, view, key

    @property
    def player(self) -> str:
        return self._player

    @property
    def has_fallback(self) -> bool:
        return self.fault is None

    def question(self) -> Json:
        """Asks the player for a turn; after a fault, asks ``greedy``."""
        if self.fault is not None:
            return {"ask": "fallback", "view": write_view(self._view)}
        view, key = write_view(self._view), self._key.hex()
        return {"ask": "turn", "player": self._player, "view": view, "key": key}

    def read(self, document: Json) -> Answer[Turn]:
        turn = parse_turn(document["turn"])
        if turn not in self._view.options():
            raise BadResponse
        return Answer(turn, self.fault or read_fault(document.get("fault")))

    def result_without_worker(self) -> Answer[Turn]:
        return Answer(greedy_points_turn(self._view), self.fault)


class SideJob(Job[Answer[int]]):
    kind = "side"

    def __init__(self, player: str, view: SetupView, key: Seed, owner: str = "") -> None:
        if not view.sides():
            raise ValueError("there is nothing to pick")
        check_seed(key)
        super().__init__(owner)
        self._player, self._view, self._key = player, view, key

    @property
    def player(self) -> str:
        return self._player

    def question(self) -> Json:
        view, key = write_setup_view(self._view), self._key.hex()
        return {"ask": "side", "player": self._player, "view": view, "key": key}

    def read(self, document: Json) -> Answer[int]:
        side = document["side"]
        if type(side) is not int or side not in self._view.sides():
            raise BadResponse
        return Answer(side, read_fault(document.get("fault")))

    def result_without_worker(self) -> Answer[int]:
        return Answer(self._view.sides()[0], self.fault)


class HintJob(Job[HintResult]):
    kind = "hint"
    priority = Priority.HINT

    def __init__(self, view: View, key: Seed, owner: str = "") -> None:
        _check_turn(view)
        check_seed(key)
        super().__init__(owner)
        self._view, self._key = view, key

    def question(self) -> Json:
        return {"ask": "hint", "view": write_view(self._view), "key": self._key.hex()}

    def read(self, document: Json) -> HintResult:
        return parse_hint(document["hint"], self._view)

    def result_without_worker(self) -> HintResult:
        """Always fails: a guess would not be a hint."""
        raise UserError("workers.no_hint")


class ReviewJob(Job[PositionReview]):
    """Reviews one position of a finished game."""

    kind = "review"
    priority = Priority.REVIEW
    timeout_factor = 10.0

    def __init__(
        self, record: Record, state: State, turn: Turn | None, rollouts: int, owner: str = ""
    ) -> None:
        """``turn`` is the turn that was played in the position, if one was."""
        super().__init__(owner)
        self._record, self._state, self._turn, self._rollouts = record, state, turn, rollouts

    def question(self) -> Json:
        """Sends the game up to the position, without names."""
        place = self._state.turn
        seats = tuple({"name": ""} for _ in self._record.seats)
        record = Record(self._record.deal, seats, self._record.turns[: place + 1])
        document = write_record(record).decode("utf-8")
        return {"ask": "review", "record": document, "turn": place, "rollouts": self._rollouts}

    def read(self, document: Json) -> PositionReview:
        """Raises ``Preempted`` if the worker has given up the job."""
        if document.get("preempted") is True:
            raise Preempted
        return parse_position_review(document["review"], self._state, self._turn)

    def result_without_worker(self) -> PositionReview:
        """Always fails: a guess would not be a review."""
        raise UserError("workers.no_look")


def read_answer(job: Job[T], line: bytes) -> tuple[T, Json]:
    """The result of a job and the whole response; raises only ``BadResponse`` or ``Preempted``."""
    try:
        document = json.loads(line)
        if document["id"] != job.number:
            raise BadResponse
    except (ValueError, LookupError, TypeError, RecursionError):
        raise BadResponse from None
    return read_document(job, document), document


def read_document(job: Job[T], document: Json) -> T:
    """The result of a job; raises only ``BadResponse`` or ``Preempted``."""
    try:
        return job.read(document)
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
        raise BadResponse from None


def dump_turn(turn: Turn) -> Json:
    return {"turn": write_turn(turn)}


def _check_turn(view: View) -> None:
    if view.over or view.seat != view.to_move:
        raise ValueError("it is not the turn of this seat")
