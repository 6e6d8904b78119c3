"""A deal: every outcome of chance in one game, in the order in which it comes up.

A dealer knows the deal; a state does not hold it. From a deal the game can be started and every draw
answered; the deal and the turns of a finished game are its whole record.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from .cards import CARDS, CARDS_OF_A_SEAT, Card, Cards
from .display import lay_out
from .garden import BOAR_START, Garden
from .refusal import Refusal, RefusalCode, Refused
from .rewards import Marks, is_reward_side
from .scoring import Score
from .squares import BELOW_ROW_1, COLUMNS, Motif, Squares, set_of
from .state import Chance, State
from .variant import Missions, Variant, boar_refusal, deck_refusal, seats_refusal

HAND = 2
DISPLAYED = 10
PRINTED_SQUARES = 6


@dataclass(frozen=True, slots=True)
class Deal:
    """Boards, missions, decks and tiles as dealt; the first of a deck or of the tiles comes up first."""

    variant: Variant
    printed: tuple[Squares, ...]
    """Per seat the six printed squares of rows 2-6, also those that a reward board hides."""
    missions: tuple[Missions, ...]
    decks: tuple[tuple[Card, ...], ...]
    tiles: tuple[Motif, ...]
    marks: tuple[Marks, ...] = ()
    """Per seat its reward board; empty where rewards are not played."""

    def start(self) -> State:
        """The state before the first turn, or ``Refused`` if the deal breaks a rule."""
        refusal = deal_refusal(self)
        if refusal is not None:
            raise Refused(refusal)
        hands = tuple(set_of(deck[:HAND]) for deck in self.decks)
        return opening(self.variant, self.printed, self.missions, hands, self.tiles[:DISPLAYED], self.marks)

    def chance(self, turn: int) -> Chance:
        """The tile and card drawn after a turn, counted from 0 (R22, R23)."""
        rounds, seat = divmod(turn, self.variant.seats)
        tile, card, deck = DISPLAYED + turn, HAND + rounds, self.decks[seat]
        return Chance(
            self.tiles[tile] if tile < len(self.tiles) else None,
            deck[card] if card < len(deck) else None,
        )


def opening(
    variant: Variant,
    printed: tuple[Squares, ...],
    missions: tuple[Missions, ...],
    hands: tuple[Cards, ...],
    display: tuple[Motif, ...],
    marks: tuple[Marks, ...] = (),
) -> State:
    """The state before the first turn, from what lies open and in hand; the rest is still face down.

    ``Refused`` if the hands are no two cards of the deck (R11), or the tiles not ten of those in play (R13).
    """
    for seat, hand in enumerate(hands):
        if hand.bit_count() != HAND or hand & ~variant.deck:
            raise Refused(Refusal.of(RefusalCode.WRONG_DECK, seat=seat))
    shown = Counter(display)
    left = tuple(variant.tiles_per_motif - shown[motif] for motif in COLUMNS)
    if shown.total() != DISPLAYED or min(left) < 0:
        raise Refused(Refusal.of(RefusalCode.WRONG_TILE_COUNT, found=shown.total(), wanted=DISPLAYED))
    return State(
        variant,
        tuple(
            map(Garden.laid_out, printed, marks or (0,) * variant.seats, (variant.wild_boar,) * variant.seats)
        ),
        (Score(),) * variant.seats,
        hands,
        tuple(variant.deck & ~hand for hand in hands),
        missions,
        lay_out(display),
        left,
    )


def deal_refusal(deal: Deal) -> Refusal | None:
    """Why a deal is not one of the game, or None: R1 to R5, then R29, then R34."""
    return (
        seats_refusal(deal.variant)
        or _gardens_refusal(deal)
        or _tiles_refusal(deal)
        or _decks_refusal(deal)
        or _missions_refusal(deal)
        or _rewards_refusal(deal)
        or boar_refusal(deal.variant)
        or _boar_squares_refusal(deal)
    )


def _gardens_refusal(deal: Deal) -> Refusal | None:
    if len(deal.printed) != deal.variant.seats:
        return Refusal.of(RefusalCode.WRONG_GARDENS)
    return first_refusal(squares_refusal(seat, printed) for seat, printed in enumerate(deal.printed))


def squares_refusal(seat: int, printed: Squares) -> Refusal | None:
    """R2: six squares of the rows 2-6 are printed."""
    whole = printed.bit_count() == PRINTED_SQUARES and printed & ~BELOW_ROW_1 == 0
    return None if whole else Refusal.of(RefusalCode.WRONG_PRINTED_SQUARES, seat=seat)


def _tiles_refusal(deal: Deal) -> Refusal | None:
    wanted, found = deal.variant.tiles_per_motif, Counter(deal.tiles)
    if len(deal.tiles) != 9 * wanted:
        return Refusal.of(RefusalCode.WRONG_TILE_COUNT, found=len(deal.tiles), wanted=9 * wanted)
    for motif in COLUMNS:
        if found[motif] != wanted:
            return Refusal.of(RefusalCode.WRONG_TILES, motif=motif, found=found[motif], wanted=wanted)
    return None


def _decks_refusal(deal: Deal) -> Refusal | None:
    if len(deal.decks) != deal.variant.seats:
        return Refusal.of(RefusalCode.WRONG_DECKS)
    for seat, deck in enumerate(deal.decks):
        known = all(card in CARDS for card in deck)
        if not known or len(deck) != CARDS_OF_A_SEAT or set_of(deck) != deal.variant.deck:
            return Refusal.of(RefusalCode.WRONG_DECK, seat=seat)
    return deck_refusal(deal.variant)


def _missions_refusal(deal: Deal) -> Refusal | None:
    if len(deal.missions) != deal.variant.seats or any(len(dealt) != 2 for dealt in deal.missions):
        return Refusal.of(RefusalCode.WRONG_MISSIONS)
    dealt = [mission for missions in deal.missions for mission in missions]
    if len(set(dealt)) != len(dealt) or not all(mission in COLUMNS for mission in dealt):
        return Refusal.of(RefusalCode.WRONG_MISSIONS)
    return None


def _rewards_refusal(deal: Deal) -> Refusal | None:
    if len(deal.marks) != (deal.variant.seats if deal.variant.rewards else 0):
        return Refusal.of(RefusalCode.WRONG_REWARD_BOARDS)
    for seat, marks in enumerate(deal.marks):
        if not is_reward_side(marks):
            return Refusal.of(RefusalCode.WRONG_REWARD_SIDE, seat=seat)
    return None


def _boar_squares_refusal(deal: Deal) -> Refusal | None:
    return first_refusal(
        boar_square_refusal(deal.variant, seat, printed) for seat, printed in enumerate(deal.printed)
    )


def boar_square_refusal(variant: Variant, seat: int, printed: Squares) -> Refusal | None:
    """R34: e4 must be free; a reward board frees it."""
    taken = variant.wild_boar and not variant.rewards and printed >> BOAR_START & 1
    return Refusal.of(RefusalCode.BOAR_SQUARE_PRINTED, seat=seat) if taken else None


def first_refusal(refusals: Iterable[Refusal | None]) -> Refusal | None:
    """The first of several, None if nothing is refused."""
    return next((refusal for refusal in refusals if refusal is not None), None)
