"""Sources of chance: the croupier deals from a seed, the event log replays what was dealt.

A table asks chance a few named questions, and gets answers in the notation of records. When a command is
decided, the croupier answers, and the event stores the answers. When the event is replayed, the stored
answers take the croupier's place. So both run the same code, and a log can be replayed without its seed.
"""

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from sanssouci.dealer import FAIR_1, FAIR_3, Dealer, FairDealer, Scheme, Seed, commitment, write_seed
from sanssouci.locale import UserError
from sanssouci.notation import write_card, write_column
from sanssouci.rules import DISPLAYED, HAND, Card, Chance, Deal, Motif

from .table_state import TableState

Json = dict[str, Any]


class Source(Protocol):
    def answer(self, question: str, state: TableState) -> Any:
        """The answer to a question at a table in this state."""
        ...


class Croupier:
    """Deals one table, and is the only holder of its seed.

    Except under ``fair/1``, a shuffle may be given up, and the next attempt needs another seed. All of them
    are derived from the stored one, which is never shown.
    """

    def __init__(self, seed: Seed, table: str) -> None:
        self._seed = seed
        self._table = table
        self._shuffled: _Shuffled | None = None

    def commitment(self, scheme: Scheme, attempt: int = 0) -> str:
        """The commitment to the seed of an attempt, published before anyone adds a nonce."""
        return commitment(self._seed_of(scheme, attempt), self._table, scheme)

    def deals(self, state: TableState) -> bool:
        """Whether a table is the croupier's; one without a commitment deals nothing from a seed."""
        return state.commitment in (None, self.commitment(state.scheme, state.attempt))

    def key(self, purpose: str) -> bytes:
        """A key for another purpose than dealing. It does not reveal the seed."""
        return hmac.digest(self._seed, f"sanssouci key {purpose}".encode(), "sha256")

    def answer(self, question: str, state: TableState) -> Any:
        """The answer from seed and nonces, or from the record that the table continues."""
        if state.origin is not None:
            return FROM_RECORD.answer(question, state)
        if question == "seed":
            return write_seed(self._seed_of(state.scheme, state.attempt))
        if question == "commitment":
            return self.commitment(state.scheme, state.attempt)
        deal = state.nonces, state.scheme, state.attempt
        if self._shuffled is None or self._shuffled.deal != deal:
            dealer, variant = self.dealer(*deal), state.variant
            self._shuffled = _Shuffled(deal, dealer, dealer.decks(variant), dealer.tiles(variant))
        return _ANSWERS[question](self._shuffled, state)

    def dealer(self, nonces: tuple[str, ...], scheme: Scheme = FAIR_3, attempt: int = 0) -> Dealer:
        return FairDealer(self._seed_of(scheme, attempt), self._table, nonces, scheme)

    def _seed_of(self, scheme: Scheme, attempt: int) -> Seed:
        return self._seed if scheme == FAIR_1 else self.key(f"deal {attempt}")


@dataclass(frozen=True, slots=True)
class _Shuffled:
    """The dealer for some nonces, and the piles that every turn draws from."""

    deal: tuple[tuple[str, ...], Scheme, int]
    """The nonces, the scheme, and the number of the attempt."""
    dealer: Dealer
    decks: tuple[tuple[Card, ...], ...]
    tiles: tuple[Motif, ...]

    def order(self, state: TableState) -> list[int]:
        """R8: the chair of each seat."""
        seats, first = len(state.chairs), state.settings.first
        start = self.dealer.first_seat(seats) if first is None else first
        return [(start + place) % seats for place in range(seats)]

    def gardens(self, state: TableState) -> list[int]:
        """R9: the garden board of each seat."""
        return list(self.dealer.gardens(len(state.boards.gardens), state.variant.seats))

    def missions(self, state: TableState) -> list[list[str]]:
        """R12: the missions of each seat."""
        dealt = self.dealer.missions(state.variant.seats)
        return [[write_column(mission) for mission in missions] for missions in dealt]

    def rewards(self, state: TableState) -> list[int]:
        """R29: the reward board of each seat."""
        return list(self.dealer.rewards(len(state.boards.rewards), state.variant.seats))

    def hands(self, state: TableState) -> list[list[str]]:
        """R11: the first hand of each seat."""
        return [[write_card(card) for card in deck[:HAND]] for deck in self.decks]

    def display(self, state: TableState) -> str:
        """R13: the first ten tiles."""
        return "".join(map(write_column, self.tiles[:DISPLAYED]))

    def refill(self, state: TableState) -> str | None:
        """R22: the tile that refills the display after this turn."""
        return _refill(self._chance(state))

    def draw(self, state: TableState) -> str | None:
        """R23: the card drawn after this turn."""
        return _draw(self._chance(state))

    def _chance(self, state: TableState) -> Chance:
        return Deal(state.variant, (), (), self.decks, self.tiles).chance(len(state.turns))


def _refill(chance: Chance) -> str | None:
    return None if chance.refill is None else write_column(chance.refill)


def _draw(chance: Chance) -> str | None:
    return None if chance.draw is None else write_card(chance.draw)


_ANSWERS: dict[str, Callable[[_Shuffled, TableState], Any]] = {
    "order": _Shuffled.order,
    "gardens": _Shuffled.gardens,
    "missions": _Shuffled.missions,
    "rewards": _Shuffled.rewards,
    "hands": _Shuffled.hands,
    "display": _Shuffled.display,
    "refill": _Shuffled.refill,
    "draw": _Shuffled.draw,
}


class FromRecord:
    """Answers from the record that a table continues."""

    def answer(self, question: str, state: TableState) -> Any:
        """The record's next tile or card; it answers no other question."""
        if state.origin is None or question not in _RECORDED:
            raise UserError("table.no_answer", question=question)
        return _RECORDED[question](state.origin.chance(len(state.turns)))


_RECORDED: dict[str, Callable[[Chance], str | None]] = {"refill": _refill, "draw": _draw}
FROM_RECORD = FromRecord()


class Recording:
    """Passes questions on to another source, and stores its answers."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.answers: Json = {}

    def answer(self, question: str, state: TableState) -> Any:
        self.answers[question] = self._source.answer(question, state)
        return self.answers[question]


class Replayed:
    """Answers from an event of the log."""

    def __init__(self, answers: Json) -> None:
        self._answers = answers
        self._unasked = set(answers)

    def answer(self, question: str, state: TableState) -> Any:
        """The stored answer; ``UserError`` if there is none."""
        if question not in self._answers:
            raise UserError("table.no_answer", question=question)
        self._unasked.discard(question)
        return self._answers[question]

    def check_asked(self) -> None:
        """Raise ``UserError`` if the event has answers to questions that were not asked."""
        if self._unasked:
            raise UserError("table.bad_answer")


class Verified(Replayed):
    """Answers from an event of the log, compared with another source."""

    def __init__(self, answers: Json, source: Source) -> None:
        super().__init__(answers)
        self._source = source

    def answer(self, question: str, state: TableState) -> Any:
        """The stored answer; ``UserError`` if the other source gives a different one."""
        recorded = super().answer(question, state)
        if recorded != self._source.answer(question, state):
            raise UserError("table.not_from_seed" if state.origin is None else "table.not_from_record")
        return recorded
