"""The display: ten spaces, two for each of the rows 2-6 (R7).

::

    row        2       3       4       5       6
    space    0   1   2   3   4   5   6   7   8   9

A ``Display`` is one integer, four bits a space: the motif of the tile that lies there, or ``EMPTY``.
``Spaces`` is a set of spaces, one bit each.
"""

from typing import TypeAlias

from .squares import Motif, Row

Display: TypeAlias = int
Space: TypeAlias = int
Spaces: TypeAlias = int

SPACES = range(10)
ALL_SPACES: Spaces = 0b1111111111
EMPTY = 15
_EVERY_SPACE = 0x1111111111

SPACES_OF_ROW: tuple[Spaces, ...] = (0, 0, *(0b11 << 2 * (row - 2) for row in range(2, 7)))


def tiles_of_each(seats: int) -> int:
    """R3: how many tiles of each motif are in play: 5, 7 or 9."""
    return 2 * seats + 1


def row_of_space(space: Space) -> Row:
    """R7: the row that a space feeds."""
    return 2 + space // 2


def motif_on(display: Display, space: Space) -> Motif:
    """The motif of the tile on a space, or ``EMPTY``."""
    return display >> 4 * space & 15


def with_tile(display: Display, space: Space, motif: Motif) -> Display:
    """The display with one space changed."""
    return display & ~(15 << 4 * space) | motif << 4 * space


def showing(display: Display, motif: Motif) -> Spaces:
    """The spaces whose tile shows a motif: all ten are compared at once, without a loop."""
    other = display ^ motif * _EVERY_SPACE  # four bits a space, all 0 where the motif lies
    other |= other >> 2
    other |= other >> 1
    shown = ~other & _EVERY_SPACE  # one bit in four; now they are pushed together
    shown = (shown | shown >> 3) & 0x303030303
    shown = (shown | shown >> 6) & 0xF000F000F
    return (shown | shown >> 12 | shown >> 24) & ALL_SPACES


def laid(display: Display) -> Spaces:
    """The spaces that have a tile."""
    return ALL_SPACES & ~showing(display, EMPTY)


def lay_out(motifs: tuple[Motif, ...]) -> Display:
    """A display of these tiles, one for each space in order."""
    display = 0
    for space, motif in enumerate(motifs):
        display |= motif << 4 * space
    return display


def tiles_on(display: Display) -> tuple[Motif | None, ...]:
    """The motif on each of the ten spaces; None where a space is empty."""
    motifs = (motif_on(display, space) for space in SPACES)
    return tuple(None if motif == EMPTY else motif for motif in motifs)
