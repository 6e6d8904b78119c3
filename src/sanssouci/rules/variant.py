"""Which game is played: edition, number of seats, expansions, and the cards of a seat."""

from dataclasses import dataclass
from typing import Final

from .cards import PAIRS_OF_A_DECK, Cards, deck_of, pairs_of
from .display import tiles_of_each
from .refusal import Refusal, RefusalCode, Refused
from .squares import Column

RAVENSBURGER: Final = "ravensburger"
IMPERIAL: Final = "imperial"
EDITIONS: tuple[str, ...] = (RAVENSBURGER, IMPERIAL)
REWARDS: Final = "rewards"
WILD_BOAR: Final = "wild_boar"
EXPANSIONS: tuple[str, ...] = (REWARDS, WILD_BOAR)
SEATS = range(2, 5)
Missions = tuple[Column, ...]
"""The two missions of a seat (R12)."""
ROUNDS = 18

OUR_DECK: Cards = deck_of(((2, 4), (2, 5), (2, 6), (3, 4), (3, 5), (3, 6), (4, 6), (5, 6)))
"""R4: the eight colour pairs that the project's own editions use; the texts do not name them all."""


@dataclass(frozen=True, slots=True)
class Variant:
    """What is settled before anything is dealt."""

    seats: int = 2
    edition: str = RAVENSBURGER
    rewards: bool = False
    wild_boar: bool = False
    deck: Cards = OUR_DECK

    def __post_init__(self) -> None:
        if self.edition not in EDITIONS:
            raise ValueError(f"there is no edition {self.edition!r}")

    @property
    def expansions(self) -> tuple[str, ...]:
        """The names of the expansions in play, sorted."""
        return (REWARDS,) * self.rewards + (WILD_BOAR,) * self.wild_boar

    @property
    def turns(self) -> int:
        """How many turns the game has (R1)."""
        return ROUNDS * self.seats

    def round_of(self, turn: int) -> int:
        """The round in which a turn is played, counted from 0; the last one once the game is over."""
        return min(1 + turn // self.seats, ROUNDS)

    @property
    def tiles_per_motif(self) -> int:
        """R3: 5, 7 or 9 of each motif."""
        return tiles_of_each(self.seats)


def variant_refusal(variant: Variant) -> Refusal | None:
    """Why a variant cannot be played, or None."""
    return seats_refusal(variant) or deck_refusal(variant) or boar_refusal(variant)


def seats_refusal(variant: Variant) -> Refusal | None:
    """R1: two to four seats."""
    return None if variant.seats in SEATS else Refusal.of(RefusalCode.WRONG_SEATS, seats=variant.seats)


def check_seat(variant: Variant, seat: int | None) -> None:
    """R1: ``Refused`` for a seat that the game does not have; None is a spectator."""
    if seat is not None and seat not in range(variant.seats):
        raise Refused(Refusal.of(RefusalCode.NO_SUCH_SEAT, seat=seat))


def deck_refusal(variant: Variant) -> Refusal | None:
    """R4: nine motif cards, eight different colour pairs, the free choice."""
    pairs = pairs_of(variant.deck)
    whole = variant.deck == deck_of(pairs) and len(pairs) == PAIRS_OF_A_DECK
    return None if whole else Refusal.of(RefusalCode.WRONG_DECKS)


def boar_refusal(variant: Variant) -> Refusal | None:
    """R34: the wild boar is in the Imperial edition only."""
    if variant.wild_boar and variant.edition != IMPERIAL:
        return Refusal.of(RefusalCode.BOAR_NOT_IN_EDITION)
    return None
