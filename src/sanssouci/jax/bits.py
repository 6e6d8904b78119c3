"""Sets as unsigned 32-bit words, element by element on arrays of any shape.

JAX has 64-bit integers only with a global setting, so a set of 54 squares is two words of three rows each.
Every row takes ten bits, nine squares and one that is always empty::

    bit       0 ... 8   9   10 ... 18   19   20 ... 28   29
    top       row 1     -   row 2       -    row 3       -
    bottom    row 4     -   row 5       -    row 6       -

Thanks to the empty bit, a step to the left or right never wraps into another row once the result is cut to a
set of squares.
"""

from typing import NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from sanssouci import rules

Word: TypeAlias = jax.Array
"""``uint32``, of any shape."""

_ROW_BITS = 10


class Squares(NamedTuple):
    """A set of squares."""

    top: Word
    bottom: Word

    def __and__(self, other: "Squares") -> "Squares":
        return Squares(self.top & other.top, self.bottom & other.bottom)

    def __or__(self, other: "Squares") -> "Squares":
        return Squares(self.top | other.top, self.bottom | other.bottom)

    def __invert__(self) -> "Squares":
        return Squares(~self.top, ~self.bottom)

    def __xor__(self, other: "Squares") -> "Squares":
        return Squares(self.top ^ other.top, self.bottom ^ other.bottom)

    def any(self) -> jax.Array:
        """Whether there is a square in the set."""
        return (self.top | self.bottom) != 0

    def size(self) -> Word:
        """The number of squares."""
        return jax.lax.population_count(self.top) + jax.lax.population_count(self.bottom)


def pack(squares: int) -> Squares:
    """A set of squares of the rules."""
    rows = [squares >> 9 * row & 0x1FF for row in range(6)]
    halves = (
        sum(row << _ROW_BITS * place for place, row in enumerate(half)) for half in (rows[:3], rows[3:])
    )
    return Squares(*(np.uint32(half) for half in halves))


def unpack(squares: Squares) -> np.ndarray:
    """The same sets as integers of the rules, ``int64``."""
    halves = [np.asarray(half).astype(np.int64) for half in squares]
    rows = [half >> _ROW_BITS * place & 0x1FF for half in halves for place in range(3)]
    return sum((row << 9 * place for place, row in enumerate(rows)), np.zeros_like(halves[0]))


ALL = pack(rules.ALL)
NO_SQUARES = pack(0)
ROW_1 = pack(rules.ROW_1)
_FIRST_COLUMN = pack(rules.COLUMN[0]).top
_FIRST_ROW = pack(rules.ROW[1]).top


def where(condition: jax.Array, chosen: Squares, other: Squares) -> Squares:
    """One set or the other."""
    return Squares(
        jnp.where(condition, chosen.top, other.top), jnp.where(condition, chosen.bottom, other.bottom)
    )


def square_bit(column: Word, row: Word) -> Squares:
    """The set of one square; ``row`` counts from 0."""
    top = row < 3
    bit = jnp.uint32(1) << column + _ROW_BITS * jnp.where(top, row, row - 3)
    return Squares(jnp.where(top, bit, 0), jnp.where(top, 0, bit))


def cross_of(column: Word, row: Word) -> Squares:
    """A row, counted from 0, and a column together (R19)."""
    top = row < 3
    column_bits = _FIRST_COLUMN << column
    row_bits = _FIRST_ROW << _ROW_BITS * jnp.where(top, row, row - 3)
    return Squares(column_bits | jnp.where(top, row_bits, 0), column_bits | jnp.where(top, 0, row_bits))


def columns_of(columns: Word) -> Squares:
    """All squares of these columns."""
    return Squares(columns * _FIRST_COLUMN, columns * _FIRST_COLUMN)


def column_through(square: Squares) -> Squares:
    """The column of the only square of a set; nothing for an empty set."""
    bit = square.top | square.bottom
    return columns_of((bit | bit >> _ROW_BITS | bit >> 2 * _ROW_BITS) & _FIRST_ROW)


def row_through(square: Squares) -> Word:
    """The row, 1 to 6, of the only square of a set; 0 for an empty set."""
    bit = square.top | square.bottom
    place = (bit != 0).astype(jnp.uint32) + (bit >> _ROW_BITS != 0) + (bit >> 2 * _ROW_BITS != 0)
    return place + jnp.where(square.bottom != 0, 3, 0).astype(jnp.uint32)


def spread(squares: Squares) -> Squares:
    """The squares, those that touch one along an edge, and bits outside the garden."""
    top, bottom = squares
    return Squares(
        top | top << 1 | top >> 1 | top << _ROW_BITS | top >> _ROW_BITS | bottom << 2 * _ROW_BITS,
        bottom | bottom << 1 | bottom >> 1 | bottom << _ROW_BITS | bottom >> _ROW_BITS | top >> 2 * _ROW_BITS,
    )


def rows_above(squares: Squares) -> Squares:
    """The squares and all above them in their columns."""
    top, bottom = squares
    bottom |= bottom >> _ROW_BITS
    bottom |= bottom >> _ROW_BITS
    top |= (bottom << 2 * _ROW_BITS) & ALL.top
    top |= top >> _ROW_BITS
    return Squares(top | top >> _ROW_BITS, bottom)


def below(random: Word, bound: Word) -> Word:
    """A number from 0 to ``bound`` - 1, from 32 random bits.

    The upper 24 bits are used, so that the product fits in a word. Some numbers are then more likely than
    others, by one part in 2**24 / bound at most. ``bound`` is at most 255.
    """
    return (random >> 8) * bound >> 24


def nth(word: Word, place: Word) -> Word:
    """The member of a set that has ``place`` smaller ones; anything if there is none."""
    found = jnp.zeros_like(word)
    for width in (16, 8, 4, 2, 1):
        smaller = jax.lax.population_count(word & jnp.uint32((1 << width) - 1))
        passed = place >= smaller
        place = jnp.where(passed, place - smaller, place)
        word = jnp.where(passed, word >> width, word)
        found = found + jnp.where(passed, jnp.uint32(width), jnp.uint32(0))
    return found


def nth_square(squares: Squares, place: Word) -> Squares:
    """The square that has ``place`` smaller ones in a set, as a set; empty if there are not so many."""
    smaller = jax.lax.population_count(squares.top)
    top = place < smaller
    word = jnp.where(top, squares.top, squares.bottom)
    bit = jnp.uint32(1) << nth(word, jnp.where(top, place, place - smaller))
    bit &= word
    return Squares(jnp.where(top, bit, 0), jnp.where(top, 0, bit))
