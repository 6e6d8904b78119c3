"""Facts about the others: what a tile would have brought to them.

Only what everyone may know: their gardens and the cards they have not played yet, never their hands.
"""

from collections.abc import Iterator

from sanssouci.rules import (
    COLUMN,
    NO_CARDS,
    ROW,
    Options,
    Spaces,
    column_of,
    members,
    row_of,
    takes,
)

from ..candidate import Candidate
from ..gains import best_of_space
from ..reason import Reason
from .lines import COLUMN_POINTS, row_worth

_SHARE = 0.35
"""The weight of another seat's point against an own point."""


def rival_facts(step: Candidate) -> Iterator[Reason]:
    """The uses of the taken tile for each other seat."""
    for seat in range(step.view.variant.seats):
        within = _within_reach(step, seat)
        if seat != step.view.to_move and within >> step.turn.space & 1:
            yield from _denied_lines(step, seat)
            yield from _denied_points(step, seat, within)


def _within_reach(step: Candidate, seat: int) -> Spaces:
    """The spaces that some card could take which a seat has not played yet; none after its last turn."""
    spaces = 0
    for card in members(step.view.unplayed[seat]):
        spaces |= takes(card, step.view.display)
    return spaces


def _denied_lines(step: Candidate, seat: int) -> Iterator[Reason]:
    """R25, R26: a line of which only the tile's own square is missing."""
    garden = step.view.gardens[seat]
    square = step.options.own_square(step.turn.space)
    row, column, missing = row_of(square), column_of(square), garden.free
    if missing & ROW[row] == 1 << square:
        points = row_worth(row)
        yield Reason.of("denies_row", _SHARE * points, seat=seat, row=row, points=points)
    if missing & COLUMN[column] == 1 << square:
        yield Reason.of(
            "denies_column", _SHARE * COLUMN_POINTS, seat=seat, column=column, points=COLUMN_POINTS
        )


def _denied_points(step: Candidate, seat: int, within: Spaces) -> Iterator[Reason]:
    """R21: points at once that no other tile on display would bring."""
    options = Options(NO_CARDS, step.view.display, step.view.gardens[seat])
    score = step.view.scores[seat]
    best = {space: best_of_space(options, space, score) for space in members(within)}
    points = best.pop(step.turn.space)
    less = max(best.values(), default=0)
    if points > less:
        yield Reason.of("denies", _SHARE * (points - less), seat=seat, points=points, less=less)
