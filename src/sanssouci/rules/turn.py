"""A turn: everything a seat decides, as one value and one command."""

from dataclasses import dataclass
from typing import Final

from .cards import Card
from .display import Space
from .squares import Square

LEAVES: Final = -1
"""What ``Turn.boar`` says when the boar leaves the garden (R36)."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Play a card, take the tile of a space, lay it; then the boar, then a noble (R14)."""

    card: Card
    space: Space
    square: Square
    gardener: bool = False
    boar: int | None = None
    """Where the boar went, ``LEAVES``, or None if the tile was not laid on it."""
    noble: Square | None = None
    """Where a noble ended its move, if one moved; it is the noble of that column."""
