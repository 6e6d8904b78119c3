"""Facts about lines: rows and columns that a tile completes, or nearly (R25, R26)."""

from collections.abc import Iterator

from sanssouci.rules import COLUMN, ROW, Squares, column_of, members, row_of

from ..candidate import Candidate
from ..reason import Reason

COLUMN_POINTS = 5
_NEARLY = {1: 0.4, 2: 0.15}
"""The fraction of its points that a line is worth, by the number of missing squares."""

_FAR = 3
"""Maximum missing squares of a line for it to be a reason."""


def row_worth(row: int) -> int:
    """R25: the points of a complete row at the end; 0 for row 1."""
    return 10 - row if row > 1 else 0


def line_facts(step: Candidate) -> Iterator[Reason]:
    """The row and the column of the tile."""
    row, column = row_of(step.turn.square), column_of(step.turn.square)
    yield from _line(step, "row", row, ROW[row], row_worth(row))
    yield from _line(step, "column", column, COLUMN[column], COLUMN_POINTS)


def _line(step: Candidate, kind: str, number: int, squares: Squares, points: int) -> Iterator[Reason]:
    gaps = members(squares & step.after.free)
    if not gaps:
        yield Reason.of(f"{kind}_complete", points, **{kind: number}, points=points)
    elif len(gaps) in _NEARLY and len(gaps) <= step.left:
        weight = _NEARLY[len(gaps)] * points
        yield Reason.of(f"{kind}_short", weight, **{kind: number}, gaps=gaps, points=points)
    elif points and len(gaps) <= min(step.left, _FAR):
        built = squares.bit_count() - len(gaps)
        yield Reason.of(f"{kind}_grows", 0.03 * points, **{kind: number}, built=built, points=points)
