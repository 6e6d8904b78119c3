"""A job for a worker process: a question about one view, and what is made of the answer.

A question is one line of JSON. It holds what its seat may know, written out field by field, and a key for the
player's own chance; neither a state nor a seed nor a deal has a way into it. Only of a game that is over the
record is sent, to look back at it. What comes back is trusted no
more than what comes from a browser: a player that anyone may have written has run over there.
"""

import asyncio
import json
from abc import ABC, abstractmethod
from enum import IntEnum
from itertools import count
from typing import ClassVar, Generic, TypeVar

from sanssouci.dealer import Seed, check_seed
from sanssouci.locale import UserError
from sanssouci.notation import Record, parse_turn, write_record, write_setup_view, write_turn, write_view
from sanssouci.players import eager_turn
from sanssouci.review import PositionReview, parse_position_review
from sanssouci.rules import SetupView, State, Turn, View

from .answer import Answer, BadResponse, Json, Preempted, read_fault
from .hint_result import HintResult, parse_hint

T = TypeVar("T")

_numbers = count(1)


class Priority(IntEnum):
    """Who waits for a job; what is smaller is done first."""

    GAME = 0
    """All who sit at a table."""
    HINT = 1
    """One who is to play."""
    REVIEW = 2
    """Somebody who looks back; it gives way to all others, also when it is begun."""


class Job(ABC, Generic[T]):
    """Something that a caller waits for."""

    kind: ClassVar[str]
    priority: ClassVar[Priority] = Priority.GAME
    patience: ClassVar[float] = 1.0
    """How many times as long as others it may take."""

    def __init__(self, owner: str) -> None:
        self.number = next(_numbers)
        self.owner = owner
        """Whose it is: workers serve all in turn."""
        self.answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.losses = 0
        """How many workers it has cost."""
        self.fault: UserError | None = None
        """Why its player is not asked any more."""

    @property
    def player(self) -> str:
        """Who is asked."""
        return ""

    def line(self) -> bytes:
        """The question as it goes to a worker."""
        return json.dumps({"id": self.number, **self.question()}).encode("ascii") + b"\n"

    @abstractmethod
    def question(self) -> Json:
        """What is asked now."""

    @abstractmethod
    def read(self, document: Json) -> T:
        """What a worker has answered, or any error if it is no answer."""

    @abstractmethod
    def last_resort(self) -> T:
        """An answer without a worker, or ``UserError``; it takes milliseconds, but not on the event loop."""

    @property
    def can_fall_back(self) -> bool:
        """Whether there is a question left that does without the player."""
        return False

    def settle(self, answer: T) -> None:
        """The caller gets an answer, unless it is gone."""
        if not self.answer.done():
            self.answer.set_result(answer)

    def refuse(self, user_error: UserError) -> None:
        """The caller gets none."""
        if not self.answer.done():
            self.answer.set_exception(user_error)


class TurnJob(Job[Answer[Turn]]):
    """A player is to play a turn."""

    kind: ClassVar[str] = "turn"

    def __init__(self, player: str, view: View, key: Seed, owner: str = "") -> None:
        _check_turn(view)
        check_seed(key)
        super().__init__(owner)
        self._player, self._view, self._key = player, view, key

    @property
    def player(self) -> str:
        """Who is asked."""
        return self._player

    @property
    def can_fall_back(self) -> bool:
        """Greedy can play, in a worker."""
        return self.fault is None

    def question(self) -> Json:
        """Which turn the player plays; after a fault, which one greedy does."""
        if self.fault is not None:
            return {"ask": "fallback", "view": write_view(self._view)}
        view, key = write_view(self._view), self._key.hex()
        return {"ask": "turn", "player": self._player, "view": view, "key": key}

    def read(self, document: Json) -> Answer[Turn]:
        """A legal turn."""
        turn = parse_turn(document["turn"])
        if turn not in self._view.options():
            raise BadResponse
        return Answer(turn, self.fault or read_fault(document.get("fault")))

    def last_resort(self) -> Answer[Turn]:
        """By the rules alone."""
        return Answer(eager_turn(self._view), self.fault)


class SideJob(Job[Answer[int]]):
    """A player is to pick a side of a board."""

    kind: ClassVar[str] = "side"

    def __init__(self, player: str, view: SetupView, key: Seed, owner: str = "") -> None:
        if not view.sides():
            raise ValueError("there is nothing to pick")
        check_seed(key)
        super().__init__(owner)
        self._player, self._view, self._key = player, view, key

    @property
    def player(self) -> str:
        """Who is asked."""
        return self._player

    def question(self) -> Json:
        """Which side the player picks."""
        view, key = write_setup_view(self._view), self._key.hex()
        return {"ask": "side", "player": self._player, "view": view, "key": key}

    def read(self, document: Json) -> Answer[int]:
        """A side that there is."""
        side = document["side"]
        if type(side) is not int or side not in self._view.sides():
            raise BadResponse
        return Answer(side, read_fault(document.get("fault")))

    def last_resort(self) -> Answer[int]:
        """The first."""
        return Answer(self._view.sides()[0], self.fault)


class HintJob(Job[HintResult]):
    """A person asks for a hint."""

    kind: ClassVar[str] = "hint"
    priority: ClassVar[Priority] = Priority.HINT

    def __init__(self, view: View, key: Seed, owner: str = "") -> None:
        _check_turn(view)
        check_seed(key)
        super().__init__(owner)
        self._view, self._key = view, key

    def question(self) -> Json:
        """What to play, and why."""
        return {"ask": "hint", "view": write_view(self._view), "key": self._key.hex()}

    def read(self, document: Json) -> HintResult:
        """A hint for a legal turn."""
        return parse_hint(document["hint"], self._view)

    def last_resort(self) -> HintResult:
        """There is none: a guess would be no hint."""
        raise UserError("workers.no_hint")


class ReviewJob(Job[PositionReview]):
    """Somebody looks back at a position of a game that is over."""

    kind: ClassVar[str] = "look"
    priority: ClassVar[Priority] = Priority.REVIEW
    patience: ClassVar[float] = 10.0

    def __init__(
        self, record: Record, state: State, turn: Turn | None, rollouts: int, owner: str = ""
    ) -> None:
        """A position of a record, and the turn that was played there, if one was."""
        super().__init__(owner)
        self._record, self._state, self._turn, self._rollouts = record, state, turn, rollouts

    def question(self) -> Json:
        """What is found there; the game is sent as far as it matters, without names."""
        place = self._state.turn
        seats = tuple({"name": ""} for _ in self._record.seats)
        record = Record(self._record.deal, seats, self._record.turns[: place + 1])
        document = write_record(record).decode("utf-8")
        return {"ask": "look", "record": document, "turn": place, "rollouts": self._rollouts}

    def read(self, document: Json) -> PositionReview:
        """What was found, or ``GaveWay``."""
        if document.get("gave_way") is True:
            raise Preempted
        return parse_position_review(document["look"], self._state, self._turn)

    def last_resort(self) -> PositionReview:
        """There is none: a guess would be no judgement."""
        raise UserError("workers.no_look")


def read_answer(job: Job[T], line: bytes) -> tuple[T, Json]:
    """The answer to a job and the document it was in, or ``Garbled``, whatever the line is."""
    try:
        document = json.loads(line)
        if document["id"] != job.number:
            raise BadResponse
        return job.read(document), document
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
        raise BadResponse from None


def dump_turn(turn: Turn) -> Json:
    """A turn as a worker answers it."""
    return {"turn": write_turn(turn)}


def _check_turn(view: View) -> None:
    if view.over or view.seat != view.to_move:
        raise ValueError("it is not the turn of this seat")
