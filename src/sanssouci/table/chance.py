"""What chance answers at a table, in the words of the record: drawn by the croupier, or read from the log.

Whatever a table needs to know from chance it asks by one of a few questions. When a command is decided the
croupier answers, and what he said is noted in the event; when the event is read again, the note answers. So
both go the same way, and a log can be replayed without its seed.
"""

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from sanssouci.dealer import Dealer, FairDealer, Seed, commitment, write_seed
from sanssouci.locale import UserError
from sanssouci.notation import write_card, write_column
from sanssouci.rules import DISPLAYED, HAND, Card, Chance, Deal, Motif

from .table_state import TableState

Json = dict[str, Any]


class Source(Protocol):
    """Where answers come from."""

    def answer(self, question: str, state: TableState) -> Any:
        """What chance says to a question, as the table stands."""
        ...


class Croupier:
    """Deals one table by ``fair/1``: the only one who holds its seed."""

    def __init__(self, seed: Seed, table: str) -> None:
        self._seed = seed
        self._table = table
        self._shuffled: _Shuffled | None = None

    @property
    def commitment(self) -> str:
        """What is published before anyone adds a nonce."""
        return commitment(self._seed, self._table)

    def deals(self, commitment: str | None) -> bool:
        """Whether this is his commitment; where there is none, nothing comes from his seed."""
        return commitment is None or commitment == self.commitment

    def key(self, purpose: str) -> bytes:
        """A key for something else than dealing; from it the seed cannot be found."""
        return hmac.digest(self._seed, f"sanssouci key {purpose}".encode(), "sha256")

    def answer(self, question: str, state: TableState) -> Any:
        """The answer that seed and nonces give; that of the record, where the table goes on from one."""
        if state.origin is not None:
            return FROM_RECORD.answer(question, state)
        if question == "seed":
            return write_seed(self._seed)
        if self._shuffled is None or self._shuffled.nonces != state.nonces:
            dealer, variant = self.dealer(state.nonces), state.variant
            self._shuffled = _Shuffled(state.nonces, dealer, dealer.decks(variant), dealer.tiles(variant))
        return _ANSWERS[question](self._shuffled, state)

    def dealer(self, nonces: tuple[str, ...]) -> Dealer:
        """Who deals once the nonces are known."""
        return FairDealer(self._seed, self._table, nonces)


@dataclass(frozen=True, slots=True)
class _Shuffled:
    """The dealer for certain nonces, and the piles that every turn draws from."""

    nonces: tuple[str, ...]
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
        """R22: the tile that comes up for the turn that is being played."""
        return _refill(self._chance(state))

    def draw(self, state: TableState) -> str | None:
        """R23: the card that comes up for it."""
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
    """Answers from the record that a table goes on from."""

    def answer(self, question: str, state: TableState) -> Any:
        """The tile or the card that comes up next in it; it has no answer to anything else."""
        if state.origin is None or question not in _RECORDED:
            raise UserError("table.no_answer", question=question)
        return _RECORDED[question](state.origin.chance(len(state.turns)))


_RECORDED: dict[str, Callable[[Chance], str | None]] = {"refill": _refill, "draw": _draw}
FROM_RECORD = FromRecord()


class Recording:
    """Asks another source, and notes what it answers."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.answers: Json = {}

    def answer(self, question: str, state: TableState) -> Any:
        """The other's answer, noted."""
        self.answers[question] = self._source.answer(question, state)
        return self.answers[question]


class Replayed:
    """Answers from what an event holds."""

    def __init__(self, answers: Json) -> None:
        self._answers = answers
        self._unasked = set(answers)

    def answer(self, question: str, state: TableState) -> Any:
        """The answer that was noted, or ``UserError``."""
        if question not in self._answers:
            raise UserError("table.no_answer", question=question)
        self._unasked.discard(question)
        return self._answers[question]

    def check_asked(self) -> None:
        """``UserError`` if there are answers that nobody asked for."""
        if self._unasked:
            raise UserError("table.bad_answer")


class Verified(Replayed):
    """Answers from what an event holds, as long as another source answers the same."""

    def __init__(self, answers: Json, source: Source) -> None:
        super().__init__(answers)
        self._source = source

    def answer(self, question: str, state: TableState) -> Any:
        """The answer that was noted, or ``UserError`` if it is not what that source gives."""
        recorded = super().answer(question, state)
        if recorded != self._source.answer(question, state):
            raise UserError("table.not_from_seed" if state.origin is None else "table.not_from_record")
        return recorded
