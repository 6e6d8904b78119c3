"""The state of a game, and its one transition: a turn and the draws after it give the next state.

The order of a shuffled pile is not part of a state: piles are sets, the pouch is counts.
"""

from dataclasses import dataclass
from typing import TypeVar

from .cards import CARDS, NO_CARDS, Card, Cards
from .display import EMPTY, Display, with_tile
from .garden import Garden
from .options import Options
from .progress import TurnCounter
from .refusal import Refusal, RefusalCode, Refused
from .scoring import Score, boar_points, end_points, turn_points
from .squares import COLUMNS, Motif, row_of
from .turn import LEAVES, Turn
from .variant import Missions, Variant, check_seat
from .view import View

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Chance:
    """The outcome of chance after a turn: the tile that refills the space, and the card that is drawn."""

    refill: Motif | None = None
    draw: Card | None = None


@dataclass(frozen=True, slots=True)
class State(TurnCounter):
    """Everything about a game except the order of what is still face down."""

    variant: Variant
    gardens: tuple[Garden, ...]
    scores: tuple[Score, ...]
    hands: tuple[Cards, ...]
    piles: tuple[Cards, ...]
    missions: tuple[Missions, ...]
    display: Display
    pouch: tuple[int, ...]
    turn: int = 0

    def view(self, seat: int | None) -> View:
        """What a seat may know, or a spectator (None)."""
        seats = range(self.variant.seats)
        check_seat(self.variant, seat)
        return View(
            self.variant,
            seat,
            self.turn,
            self.gardens,
            self.scores,
            self.display,
            self.pouch,
            unplayed=tuple([hand | pile for hand, pile in zip(self.hands, self.piles, strict=True)]),
            hand=NO_CARDS if seat is None else self.hands[seat],
            missions=tuple([self.missions[s] if s == seat or self.over else None for s in seats]),
        )

    def options(self) -> Options:
        """The turns of the seat to move: the same as its view's."""
        seat = self.to_move
        return Options(
            self.hands[seat], self.display, self.gardens[seat], RefusalCode.GAME_OVER if self.over else None
        )

    def play(self, turn: Turn, chance: Chance) -> "State":
        """The next state after a turn of the seat to move and the draws that follow it, or ``Refused``."""
        refusal = self.options().refusal(turn) or self._chance_refusal(turn, chance)
        if refusal is not None:
            raise Refused(refusal)
        seat = self.to_move
        score = turn_score(self.gardens[seat], self.scores[seat], turn)
        garden = self.gardens[seat].after(turn)
        drawn = NO_CARDS if chance.draw is None else 1 << chance.draw
        after = State(
            self.variant,
            _replaced(self.gardens, seat, garden),
            _replaced(self.scores, seat, score),
            _replaced(self.hands, seat, self.hands[seat] & ~(1 << turn.card) | drawn),
            _replaced(self.piles, seat, self.piles[seat] & ~drawn),
            self.missions,
            with_tile(self.display, turn.space, EMPTY if chance.refill is None else chance.refill),
            _one_less(self.pouch, chance.refill),
            self.turn + 1,
        )
        return after._scored() if after.over else after

    def _chance_refusal(self, turn: Turn, chance: Chance) -> Refusal | None:
        """R22, R23: draws come from what is left, and only an empty pouch or pile draws nothing."""
        refill, draw, pile = chance.refill, chance.draw, self.piles[self.to_move]
        refilled = not any(self.pouch) if refill is None else refill in COLUMNS and self.pouch[refill] > 0
        drawn = pile == NO_CARDS if draw is None else draw in CARDS and pile >> draw & 1
        if not refilled:
            return Refusal.of(RefusalCode.REFILL_NOT_IN_POUCH, space=turn.space)
        return None if drawn else Refusal.of(RefusalCode.CARD_NOT_IN_PILE, seat=self.to_move)

    def _scored(self) -> "State":
        """The same state with the points of the end (R25-R27, then R37)."""
        scores = tuple(map(final_score, self.gardens, self.scores, self.missions))
        return State(
            self.variant,
            self.gardens,
            scores,
            self.hands,
            self.piles,
            self.missions,
            self.display,
            self.pouch,
            self.turn,
        )


def turn_score(garden: Garden, score: Score, turn: Turn) -> Score:
    """The score after a legal turn (R38)."""
    boar = boar_points(turn.boar is not None, turn.boar == LEAVES)
    row = 0 if turn.noble is None else row_of(turn.noble)
    points = turn_points(garden.marks, turn.square, turn.gardener, boar, row, score.total)
    return Score(score.nobles + points[0], score.rewards + points[1], score.boar + points[2])


def final_score(garden: Garden, score: Score, missions: Missions) -> Score:
    """The score with what the end adds (R25-R27, R37)."""
    rows, columns, points, lost = end_points(
        garden.built, garden.nobles, garden.boar, missions[0], missions[1], score.total
    )
    return Score(score.nobles, score.rewards, score.boar + lost, rows, columns, points)


def _replaced(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _one_less(counts: tuple[int, ...], motif: Motif | None) -> tuple[int, ...]:
    if motif is None:
        return counts
    return _replaced(counts, motif, counts[motif] - 1)
