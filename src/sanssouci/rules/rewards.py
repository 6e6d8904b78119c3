"""Reward boards: 16 covered squares, 12 of them marked (R29-R33).

``Marks`` is one board side as an integer, three bits for each of the 16 squares in ascending order.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import TypeAlias

from .squares import ROW_1, Square, Squares, members, set_of, square_at

Marks: TypeAlias = int

REWARD_SQUARES: tuple[Square, ...] = tuple(
    square_at(column, row) for row in range(3, 7) for column in range(4 - (row - 3), 5 + (row - 3))
)
"""e3; d4-f4; c5-g5; b6-h6."""

REWARD_AREA: Squares = set_of(REWARD_SQUARES)
MARKED_SQUARES = 12

_OUTSIDE = len(REWARD_SQUARES)
_PLACE: tuple[int, ...] = tuple(
    REWARD_SQUARES.index(square) if square in REWARD_SQUARES else _OUTSIDE for square in range(54)
)


class Mark(IntEnum):
    """What is printed on a square of a reward board."""

    NONE = 0
    PLUS_1 = 1
    PLUS_2 = 2
    PLUS_3 = 3
    GARDENER_3 = 4
    MINUS_2 = 5
    MINUS_3 = 6


_FOR_STRUCTURE = (0, 1, 2, 3, 0, -2, -3, 0)
_FOR_GARDENER = (0, 0, 0, 0, 3, -2, -3, 0)


def mark_at(marks: Marks, square: Square) -> int:
    """The mark on a square; 0 where there is none."""
    return marks >> 3 * _PLACE[square] & 7


def reward_points(marks: Marks, square: Square, gardener: bool) -> int:
    """R30-R32: what a tile laid on a square earns, or loses if negative."""
    mark = mark_at(marks, square)
    return _FOR_GARDENER[mark] if gardener else _FOR_STRUCTURE[mark]


def visible(printed: Squares, marks: Marks) -> Squares:
    """R2, R33: row 1 and the printed squares of a garden, less those that a reward board hides."""
    return ROW_1 | (printed & ~REWARD_AREA if marks != 0 else printed)


def is_reward_side(marks: Marks) -> bool:
    """R29: twelve of the sixteen squares carry a mark."""
    found = [mark_at(marks, square) for square in REWARD_SQUARES]
    well_formed = 0 <= marks < 1 << 3 * _OUTSIDE and max(found) <= max(Mark)
    return well_formed and sum(map(bool, found)) == MARKED_SQUARES


def pack_marks(marked: Mapping[Square, Mark]) -> Marks:
    """A board side from its marked squares; all of them must lie under the board."""
    marks = 0
    for square, mark in marked.items():
        if _PLACE[square] == _OUTSIDE:
            raise ValueError(f"square {square} is not under the reward board")
        marks |= mark << 3 * _PLACE[square]
    return marks


def marked_squares(marks: Marks) -> dict[Square, Mark]:
    """The marked squares of a board side, in ascending order."""
    found = {square: Mark(mark_at(marks, square)) for square in members(REWARD_AREA)}
    return {square: mark for square, mark in found.items() if mark}
