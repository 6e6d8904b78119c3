"""In what two games differ, from whom that is hidden, and for how long.

A difference is drawn so that both games can take the same public course: a seat plays the cards that it
holds in both, and keeps the one that it holds in one of them only until both have drawn it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from sanssouci.dealer import shuffled
from sanssouci.rules import CARDS_OF_A_SEAT, COLUMNS, DISPLAYED, HAND, Phase, Variant

from ..lot import Lot

Order = tuple[int, ...]
"""Which thing of a shuffled pile lies at each place."""


class Hidden(Enum):
    """What can differ."""

    DECKS = auto()
    """Hands, draws and the order of piles."""
    MISSIONS = auto()
    POUCH = auto()
    SEED = auto()
    NONCES = auto()
    TOKENS = auto()
    PICKS = auto()
    """Sides that are picked and sealed."""


PERSONAL = frozenset({Hidden.DECKS, Hidden.MISSIONS, Hidden.NONCES, Hidden.TOKENS, Hidden.PICKS})
"""What a seat knows of its own; the rest nobody knows."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One way in which two games differ."""

    hidden: frozenset[Hidden]
    seats: frozenset[int]
    """Who knows of it, in turn order: it is theirs."""
    turns: int
    """After so many turns it may come to light."""
    phase: Phase
    """In which picks differ."""
    piles: dict[str, Order]
    """How the piles of the second game lie, compared with those of the first."""

    @property
    def lasts(self) -> bool:
        """Whether it is never shown to anyone, not even when the game is over."""
        return self.hidden == {Hidden.TOKENS}

    def picks_differ(self, phase: Phase, seat: int) -> bool:
        """Whether a seat picks another side in the second game."""
        return Hidden.PICKS in self.hidden and phase is self.phase and seat in self.seats


def draw_difference(lot: Lot, variant: Variant) -> Difference:
    """A difference for a game: one kind of it, or several together."""
    hidden = frozenset(lot.some(tuple(Hidden), 1, 1 if lot.often(60) else 4))
    turns = lot.below(variant.turns - 1 if lot.often(8) else 4 * variant.seats)
    seats = frozenset(lot.some(range(variant.seats), 1, variant.seats)) if hidden & PERSONAL else frozenset()
    if Hidden.PICKS in hidden:
        seats = frozenset(sorted(seats)[: variant.seats - 1])  # one is awaited, so that they stay sealed
    phase = Phase.REWARD_SIDES if variant.rewards and lot.often(50) else Phase.GARDEN_SIDES
    return Difference(hidden, seats, turns, phase, dict(_piles(lot, variant, hidden, seats, turns)))


def _piles(
    lot: Lot, variant: Variant, hidden: frozenset[Hidden], seats: frozenset[int], turns: int
) -> Iterator[tuple[str, Order]]:
    if Hidden.DECKS in hidden:
        for seat in sorted(seats):
            yield f"deck/{seat}", _deck(lot, HAND + -(-turns // variant.seats))
    if Hidden.MISSIONS in hidden:
        own = [place for seat in sorted(seats) for place in (2 * seat, 2 * seat + 1)]
        yield "missions", _among(lot, len(COLUMNS), own + list(range(2 * variant.seats, len(COLUMNS))))
    if Hidden.POUCH in hidden:
        tiles = len(COLUMNS) * variant.tiles_per_motif
        yield "tiles", _among(lot, tiles, list(range(DISPLAYED + turns, tiles)))


def _among(lot: Lot, size: int, places: list[int]) -> Order:
    """The things at some places lie in another order."""
    order = list(range(size))
    for place, thing in zip(places, shuffled(places, lot.stream), strict=True):
        order[place] = thing
    return tuple(order)


def _deck(lot: Lot, drawn: int) -> Order:
    """What is not drawn lies anyhow; of the rest, cards are exchanged for later ones, one pair at a time."""
    order = list(_among(lot, CARDS_OF_A_SEAT, list(range(drawn, CARDS_OF_A_SEAT))))
    here = lot.below(HAND)
    while here < min(drawn, CARDS_OF_A_SEAT - 1):
        there = here + 1 + lot.below(CARDS_OF_A_SEAT - here - 1)
        order[here], order[there] = order[there], order[here]
        here = there + 1 + lot.below(3)
    return tuple(order)
