"""The difference between two games, the seats that may know it, and how long it is hidden.

A difference is drawn so that both games can have the same public course: a seat plays cards that it holds in
both, and keeps a card that it holds in only one of them until both have drawn it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from sanssouci.dealer import shuffled
from sanssouci.rules import CARDS_OF_A_SEAT, COLUMNS, DISPLAYED, HAND, Phase, Variant

from ..seeded_random import SeededRandom

Order = tuple[int, ...]
"""A permutation of a shuffled pile."""


class Hidden(Enum):
    """Kinds of hidden information."""

    DECKS = auto()
    """Hands, draws and the order of piles."""
    MISSIONS = auto()
    POUCH = auto()
    SEED = auto()
    NONCES = auto()
    TOKENS = auto()
    PICKS = auto()
    """Picked sides, hidden until everyone has picked."""


PERSONAL = frozenset({Hidden.DECKS, Hidden.MISSIONS, Hidden.NONCES, Hidden.TOKENS, Hidden.PICKS})
"""Kinds that a seat knows of itself. Nobody knows the others."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One way in which two games differ."""

    hidden: frozenset[Hidden]
    seats: frozenset[int]
    """The seats that know it."""
    turns: int
    """The turns after which it may be revealed."""
    phase: Phase
    """The phase in which picks differ."""
    piles: dict[str, Order]
    """The order of the second game's piles, relative to the first game's."""

    @property
    def is_never_revealed(self) -> bool:
        """Whether it stays hidden even at the end of the game."""
        return self.hidden == {Hidden.TOKENS}

    def picks_differ(self, phase: Phase, seat: int) -> bool:
        """Whether a seat picks another side in the second game."""
        return Hidden.PICKS in self.hidden and phase is self.phase and seat in self.seats


def draw_difference(rng: SeededRandom, variant: Variant) -> Difference:
    """A random difference of one or several kinds."""
    hidden = frozenset(rng.sample(tuple(Hidden), 1, 1 if rng.chance(60) else 4))
    turns = rng.below(variant.turns - 1 if rng.chance(8) else 4 * variant.seats)
    seats = (
        frozenset(rng.sample(range(variant.seats), 1, variant.seats)) if hidden & PERSONAL else frozenset()
    )
    if Hidden.PICKS in hidden:
        seats = frozenset(
            sorted(seats)[: variant.seats - 1]
        )  # one seat is still to pick, so that picks stay hidden
    phase = Phase.REWARD_SIDES if variant.rewards and rng.chance(50) else Phase.GARDEN_SIDES
    return Difference(hidden, seats, turns, phase, dict(_piles(rng, variant, hidden, seats, turns)))


def _piles(
    rng: SeededRandom, variant: Variant, hidden: frozenset[Hidden], seats: frozenset[int], turns: int
) -> Iterator[tuple[str, Order]]:
    if Hidden.DECKS in hidden:
        for seat in sorted(seats):
            yield f"deck/{seat}", _deck(rng, HAND + -(-turns // variant.seats))
    if Hidden.MISSIONS in hidden:
        own = [place for seat in sorted(seats) for place in (2 * seat, 2 * seat + 1)]
        yield "missions", _permute(rng, len(COLUMNS), own + list(range(2 * variant.seats, len(COLUMNS))))
    if Hidden.POUCH in hidden:
        tiles = len(COLUMNS) * variant.tiles_per_motif
        yield "tiles", _permute(rng, tiles, list(range(DISPLAYED + turns, tiles)))


def _permute(rng: SeededRandom, size: int, places: list[int]) -> Order:
    """A permutation of the things at some places."""
    order = list(range(size))
    for place, thing in zip(places, shuffled(places, rng.stream), strict=True):
        order[place] = thing
    return tuple(order)


def _deck(rng: SeededRandom, drawn: int) -> Order:
    """Shuffle all cards that are not drawn, and swap some drawn cards with later ones."""
    order = list(_permute(rng, CARDS_OF_A_SEAT, list(range(drawn, CARDS_OF_A_SEAT))))
    here = rng.below(HAND)
    while here < min(drawn, CARDS_OF_A_SEAT - 1):
        there = here + 1 + rng.below(CARDS_OF_A_SEAT - here - 1)
        order[here], order[there] = order[there], order[here]
        here = there + 1 + rng.below(3)
    return tuple(order)
