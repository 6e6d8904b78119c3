"""The ground of the game: 54 squares, and sets of them as integers.

::

             a    b    c    d    e    f    g    h    i
          +----+----+----+----+----+----+----+----+----+
       0  |           the terrace of the palace        |   all nobles start here
          +----+----+----+----+----+----+----+----+----+
    r  1  |  0 |  1 |  2 |  3 |  4 |  5 |  6 |  7 |  8 |   always printed
    o  2  |  9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 |
    w  3  | 18 | 19 | 20 | 21 | 22 | 23 | 24 | 25 | 26 |
       4  | 27 | 28 | 29 | 30 | 31 | 32 | 33 | 34 | 35 |   31 = e4, where the boar starts
       5  | 36 | 37 | 38 | 39 | 40 | 41 | 42 | 43 | 44 |
       6  | 45 | 46 | 47 | 48 | 49 | 50 | 51 | 52 | 53 |
          +----+----+----+----+----+----+----+----+----+

A ``Square`` is one of those numbers; a row's number is its value in points. ``Squares`` is a set of
squares: an integer whose bit ``s`` says whether square ``s`` is in it. A ``Column`` (0-8) is also a
``Motif``: every column belongs to one motif.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

Column: TypeAlias = int
Motif: TypeAlias = int
Row: TypeAlias = int
Square: TypeAlias = int
Squares: TypeAlias = int

COLUMNS = range(9)
ROWS = range(1, 7)
SQUARES = range(54)
ALL: Squares = (1 << 54) - 1
NO_SQUARES: Squares = 0

ROW: tuple[Squares, ...] = (NO_SQUARES, *(0b111111111 << 9 * (row - 1) for row in ROWS))
"""The squares of each row, by its number; row 0, the terrace, has none."""

COLUMN: tuple[Squares, ...] = tuple(sum(1 << 9 * (row - 1) + column for row in ROWS) for column in COLUMNS)
"""The squares of each column."""

CROSS: tuple[Squares, ...] = tuple(ROW[1 + square // 9] | COLUMN[square % 9] for square in range(54))
"""The row and the column through each square (R19)."""

ROW_1: Squares = ROW[1]
BELOW_ROW_1: Squares = ALL & ~ROW_1
NOT_A: Squares = ALL & ~COLUMN[0]
NOT_I: Squares = ALL & ~COLUMN[8]


def square_at(column: Column, row: Row) -> Square:
    """The square where a column and a row meet."""
    return 9 * (row - 1) + column


def row_of(square: Square) -> Row:
    """The row of a square, which is also its value in points."""
    return 1 + square // 9


def column_of(square: Square) -> Column:
    """The column of a square."""
    return square % 9


@lru_cache(maxsize=1 << 14)
def members(bits: int) -> tuple[int, ...]:
    """The members of a set that is written as an integer, in ascending order."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(found)


def set_of(numbers: Iterable[int]) -> int:
    """The integer that has just these numbers as its members."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits
