"""Everything that one seat, or a spectator, may know of a game: players are given nothing else.

A view is built from an allow-list. Two states that differ only in what is hidden - the others' hands and
missions - give equal views; the order of piles and pouch is in no state at all.
"""

from dataclasses import dataclass

from .cards import NO_CARDS, Cards
from .display import Display
from .garden import Garden
from .options import Options
from .progress import TurnCounter
from .refusal import RefusalCode
from .scoring import Score
from .variant import Missions, Variant


@dataclass(frozen=True, slots=True)
class View(TurnCounter):
    """A game through the eyes of ``seat``; None is a spectator."""

    variant: Variant
    seat: int | None
    turn: int
    """How many turns have been played."""
    gardens: tuple[Garden, ...]
    scores: tuple[Score, ...]
    display: Display
    pouch: tuple[int, ...]
    """How many tiles of each motif are left: everyone has seen all the others."""
    unplayed: tuple[Cards, ...]
    """The cards each seat has not played yet, in hand or pile: all decks are the same."""
    hand: Cards
    """The own hand (R11)."""
    missions: tuple[Missions | None, ...]
    """The own missions; everyone's when the game is over (R12)."""

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds: two, as long as it has two (R11, R23)."""
        return tuple(min(2, cards.bit_count()) for cards in self.unplayed)

    @property
    def pile(self) -> Cards:
        """The cards that the own pile holds, in an order that nobody knows (R24)."""
        return NO_CARDS if self.seat is None else self.unplayed[self.seat] & ~self.hand

    def options(self) -> Options:
        """The turns this seat may choose from; none if it is not its turn."""
        closed = None
        if self.over:
            closed = RefusalCode.GAME_OVER
        elif self.seat != self.to_move:
            closed = RefusalCode.NOT_YOUR_TURN
        garden = self.gardens[self.to_move if self.seat is None else self.seat]
        return Options(self.hand, self.display, garden, closed)
