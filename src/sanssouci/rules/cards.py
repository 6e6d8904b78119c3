"""The 18 cards of a seat, and the tiles each may take.

A ``Card`` is a number: 0-8 the motif card of that column, 9-18 the colour card of one of the ten pairs
of the rows 2-6 (``COLOUR_PAIRS``), 19 the free choice. Every seat has the same 18 of these 20; ``Cards``
is a set of them, an integer with one bit per card.
"""

from itertools import combinations
from typing import TypeAlias

from .display import ALL_SPACES, SPACES_OF_ROW, Display, Spaces, laid, showing
from .squares import COLUMNS, Row, members, set_of

Card: TypeAlias = int
Cards: TypeAlias = int

COLOUR_PAIRS: tuple[tuple[Row, Row], ...] = tuple(combinations(range(2, 7), 2))
FREE: Card = 9 + len(COLOUR_PAIRS)
CARDS = range(FREE + 1)
NO_CARDS: Cards = 0
CARDS_OF_A_SEAT = 18
PAIRS_OF_A_DECK = 8

_MOTIF_CARDS: Cards = set_of(list(COLUMNS))
_NO_MOTIF = 9
"""A motif that no tile shows: colour cards and the free choice look for it."""
_SPACES_OF_CARD: tuple[Spaces, ...] = (
    *(0 for _ in COLUMNS),
    *(SPACES_OF_ROW[low] | SPACES_OF_ROW[high] for low, high in COLOUR_PAIRS),
    ALL_SPACES,
)


def colour_card(low: Row, high: Row) -> Card:
    """The colour card of two rows, the smaller first."""
    return 9 + COLOUR_PAIRS.index((low, high))


def colour_rows(card: Card) -> tuple[Row, Row] | None:
    """The two rows of a colour card; None for every other card."""
    return COLOUR_PAIRS[card - 9] if 9 <= card < FREE else None


def deck_of(pairs: tuple[tuple[Row, Row], ...]) -> Cards:
    """R4: the cards that every seat has, given the colour pairs of the edition."""
    return _MOTIF_CARDS | set_of([colour_card(*pair) for pair in pairs]) | 1 << FREE


def pairs_of(deck: Cards) -> tuple[tuple[Row, Row], ...]:
    """The colour pairs among these cards."""
    return tuple(COLOUR_PAIRS[card - 9] for card in members(deck) if 9 <= card < FREE)


def takes(card: Card, display: Display) -> Spaces:
    """R15-R17: the spaces whose tile a card may take; a motif card without its motif takes any."""
    tiles = laid(display)
    spaces = tiles & _SPACES_OF_CARD[card] | showing(display, min(card, _NO_MOTIF))
    return tiles if spaces == 0 and card < 9 else spaces
