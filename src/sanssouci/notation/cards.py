"""Cards as text: ``a`` the motif card of that column, ``36`` the colour card of those rows, ``*`` free."""

from sanssouci.rules import CARDS, FREE, Card, colour_rows

from .error import NotationError
from .squares import LETTERS


def _name(card: Card) -> str:
    rows = colour_rows(card)
    if rows is not None:
        return f"{rows[0]}{rows[1]}"
    return "*" if card == FREE else LETTERS[card]


_NAMES = tuple(map(_name, CARDS))
_CARD_OF = {name: card for card, name in enumerate(_NAMES)}


def write_card(card: Card) -> str:
    """A card as the record writes it."""
    return _NAMES[card]


def parse_card(text: str) -> Card:
    """The card that a text names."""
    if text not in _CARD_OF:
        raise NotationError("notation.card", text=text)
    return _CARD_OF[text]
