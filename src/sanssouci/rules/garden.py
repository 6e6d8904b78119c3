"""One seat's garden as it grows."""

from dataclasses import dataclass
from functools import lru_cache

from .rewards import Marks, visible
from .squares import ALL, COLUMNS, NO_SQUARES, ROW_1, Row, Square, Squares, square_at
from .turn import Turn
from .walk import boar_squares, joined, moved, noble_row, noble_stops, stroll

BOAR_START: Square = square_at(4, 4)
"""e4, the middle of the garden (R34)."""


@dataclass(frozen=True, slots=True)
class Garden:
    """What lies and stands in a garden, as sets of squares (see ``squares`` and ``walk``)."""

    printed: Squares
    built: Squares
    gardeners: Squares = NO_SQUARES
    nobles: Squares = NO_SQUARES
    boar: Squares = NO_SQUARES
    marks: Marks = 0

    @classmethod
    def laid_out(cls, printed: Squares, marks: Marks = 0, boar: bool = False) -> "Garden":
        """A garden before its first tile: row 1 and the six printed squares (R2, R33, R34)."""
        shown = visible(printed, marks)
        return cls(shown, shown, boar=1 << BOAR_START if boar else NO_SQUARES, marks=marks)

    @property
    def free(self) -> Squares:
        """The squares where a tile may still be laid."""
        return ALL & ~self.built

    @property
    def structures(self) -> Squares:
        """Built squares that are not gardeners: where a noble may stand."""
        return self.built & ~self.gardeners

    @property
    def connected(self) -> Squares:
        """The built squares that can be walked to from the palace."""
        return _connected(self.built)

    @property
    def noble_rows(self) -> tuple[Row, ...]:
        """The row of each of the nine nobles; 0 is the terrace."""
        return tuple(noble_row(self.nobles, column) for column in COLUMNS)

    def boar_squares_after(self, square: Square) -> Squares:
        """Where the boar may go when a tile is laid on a square; empty if it stands elsewhere."""
        bit = 1 << square
        return boar_squares(self.boar & bit, self.built | bit)

    def noble_stops_after(self, square: Square, gardener: bool) -> Squares:
        """Where a noble may end its move once a tile has been laid on a square (R20)."""
        bit = 1 << square
        gardeners = self.gardeners | bit if gardener else self.gardeners
        return noble_stops(joined(self.connected, square, self.built | bit), gardeners, self.nobles)

    def after(self, turn: Turn) -> "Garden":
        """The garden after a legal turn."""
        bit = 1 << turn.square
        boar, nobles = self.boar, self.nobles
        if turn.boar is not None:
            boar = 1 << turn.boar if turn.boar >= 0 else NO_SQUARES
        if turn.noble is not None:
            nobles = moved(nobles, turn.noble)
        gardeners = self.gardeners | bit if turn.gardener else self.gardeners
        return Garden(self.printed, self.built | bit, gardeners, nobles, boar, self.marks)


@lru_cache(maxsize=1 << 12)
def _connected(built: Squares) -> Squares:
    return stroll(ROW_1, built)
