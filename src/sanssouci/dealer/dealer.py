"""The dealer: the one place where chance enters a game."""

from abc import ABC, abstractmethod
from typing import TypeVar

from sanssouci.rules import COLUMNS, Card, Missions, Motif, Variant, members

T = TypeVar("T")


class Dealer(ABC):
    """Deals from shuffled piles; subclasses decide how a pile is shuffled."""

    @abstractmethod
    def shuffled(self, pile: str, items: tuple[T, ...]) -> tuple[T, ...]:
        """The items of a pile in the order in which they come up."""

    def first_seat(self, seats: int) -> int:
        """R8: the starting seat, where it is drawn."""
        return self.shuffled("start", tuple(range(seats)))[0]

    def gardens(self, boards: int, seats: int) -> tuple[int, ...]:
        """R9: which of the garden boards each seat gets."""
        return self.shuffled("gardens", tuple(range(boards)))[:seats]

    def missions(self, seats: int) -> tuple[Missions, ...]:
        """R12: two missions for each seat."""
        pile = self.shuffled("missions", tuple(COLUMNS))
        return tuple(pile[2 * seat : 2 * seat + 2] for seat in range(seats))

    def rewards(self, boards: int, seats: int) -> tuple[int, ...]:
        """R29: which of the reward boards each seat gets."""
        return self.shuffled("rewards", tuple(range(boards)))[:seats]

    def decks(self, variant: Variant) -> tuple[tuple[Card, ...], ...]:
        """R11: every seat's 18 cards in the order they are drawn."""
        cards = members(variant.deck)
        return tuple(self.shuffled(f"deck/{seat}", cards) for seat in range(variant.seats))

    def tiles(self, variant: Variant) -> tuple[Motif, ...]:
        """R13: all tiles in play in the order they are drawn."""
        return self.shuffled("tiles", tuple(m for m in COLUMNS for _ in range(variant.tiles_per_motif)))
