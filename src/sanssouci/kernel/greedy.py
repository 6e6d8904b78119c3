"""The one-turn players ``greedy`` and ``steward``, and the evaluation of a garden that they share.

Every legal turn is tried. The evaluation looks at the player's own garden only, in hundredths of a point: the
points so far, plus what the ``k`` turns that are left may bring:

- **nobles**: at most ``k`` more moves, so the ``k`` best stops count. A stop that can be walked to counts in
  full; a built one that is cut off, and a free square next to the paths, count in part. Only the points
  above the pace count, the pace being what an average move brings anyway;
- **missions**: the row of the noble, and part of the way to the lowest stop it can walk to;
- **rows and columns**: their points, times a factor for every missing square;
- **the boar**: the free squares of its area that will stay free, weighted more towards the end, and the
  directions in which it can still run;
- **the kept card**: the number of tiles that it could take.

With no turn left the evaluation is exactly what the end will score.

``greedy`` values the garden as it is: no pace, no free squares, no kept card. ``steward`` expects it to grow;
its weights come from coordinate search, one weight at a time, on the mean score over all variants.

Three weaker levels use the same evaluation with fewer terms. Level 1 sees the points of this turn only; level
2 adds rows, columns and reachable stops but no missions; level 3 adds missions and stops that are cut off.
"""

import numpy as np

from sanssouci.rules import ALL, COLUMN, ROUNDS, ROW, ROW_1, Turn, View
from sanssouci.rules.cards import takes
from sanssouci.rules.rewards import reward_points
from sanssouci.rules.scoring import boar_loss, boar_points, never_below_zero
from sanssouci.rules.walk import (
    joined,
    neighbours,
    noble_row,
    noble_stops,
    passed,
    stroll,
    tile_squares,
)

from .bits import first
from .compiler import compiled
from .layout import (
    BOAR,
    BUILT,
    CONNECTED,
    DISPLAY,
    FIRST,
    GARDENERS,
    HAND,
    MARKS,
    NOBLES,
    SEATS,
    SECOND,
    TURN,
    Ints,
    flatten_view,
    seat_at,
)
from .options import boar_goals, own_square_of
from .play import points_so_far
from .turns import BOAR_GOES, BOAR_LEAVES, NO_BOAR, NO_NOBLE, NOBLE_GOES, coded, decode

RANDOM, GREEDY, STEWARD, LEVEL_1, LEVEL_2, LEVEL_3 = range(6)
"""The policies; whole games can be played by the first three."""
POINT = 100
PACE_EARLY, PACE_LATE, CUT_OFF, FAR_OFF, BESIDE, MISSION, MISSION_HOPE = range(7)
ROW_FACTOR, COLUMN_FACTOR, KEPT, MARK_HOPE, BOAR_CALM, BOAR_FEAR, BOAR_WAYS = range(7, 14)
REACH, LINES, MISSION_ROW = range(14, 17)
WEIGHTS = np.array(
    [
        [0, 0, 50, 25, 0, 100, 0, 50, 50, 0, 0, 14, 16, 92, 100, 100, 100],
        [140, 250, 84, 42, 15, 86, 19, 33, 33, 16, 20, 14, 16, 92, 100, 100, 100],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100, 0, 0, 0, 0, 0],
        [140, 250, 0, 0, 0, 0, 0, 50, 50, 0, 0, 14, 16, 92, 100, 100, 0],
        [140, 250, 50, 25, 0, 100, 0, 50, 50, 0, 0, 14, 16, 92, 100, 100, 100],
    ],
    np.int64,
)
"""``[5, 17]``: one row for each policy, from GREEDY on."""

WORST = -(1 << 40)
NOBLE_CODES, BOAR_CODES = 55, 56
"""Options per turn: 55 for the noble (none or a square), 56 for the boar (stays, leaves or a square)."""
_STOPS, _ROW_WORTH, _COLUMN_WORTH, VALUES, WAYS, NOBLE_VALUES, BOAR_VALUES, SCRATCH = (
    0,
    8,
    24,
    32,
    144,
    256,
    320,
    384,
)
"""Offsets in the scratch array, and its size.

VALUES and WAYS: for each placement of a tile (54 squares as a structure, 54 as a gardener) the value of the
best moves of boar and noble after it, and their code. NOBLE_VALUES and BOAR_VALUES: the value of each move of
a noble and of the boar, for the tile that was evaluated last.
"""


@compiled
def greedy_turn(state: Ints, at: int, weights: Ints, scratch: Ints) -> int:
    """The code of the best turn for the seat whose integers begin at ``at``."""
    left = ROUNDS - 1 - state[TURN] // state[SEATS]
    prepare_evaluation(left, weights, scratch)
    best, code = WORST, 0
    hand = state[at + HAND]
    cards = hand
    while cards != 0:
        card = first(cards)
        cards &= cards - 1
        keeps = worth_of_kept_card(state, at, card, weights)
        spaces = takes(card, state[DISPLAY])
        while spaces != 0:
            space = first(spaces)
            spaces &= spaces - 1
            own = own_square_of(state, space)
            gardener = state[at + BUILT] >> own & 1
            squares = tile_squares(own, state[at + BUILT])
            while squares != 0:
                square = first(squares)
                squares &= squares - 1
                place = 54 * gardener + square
                if scratch[VALUES + place] == WORST:  # the value does not depend on card and space
                    evaluate_tile(state, at, square, gardener, left, weights, scratch)
                value = scratch[VALUES + place] + keeps
                if value > best:
                    best = value
                    code = scratch[WAYS + place] | coded(card, space, square, gardener, NO_BOAR, NO_NOBLE)
    return code


@compiled
def worth_of_kept_card(state: Ints, at: int, card: int, weights: Ints) -> int:
    """The value of the card that stays in hand when another one is played."""
    kept = state[at + HAND] & ~(1 << card)
    if kept == 0:
        return 0
    return weights[KEPT] * takes(first(kept), state[DISPLAY]).bit_count()


@compiled
def prepare_evaluation(left: int, weights: Ints, scratch: Ints) -> None:
    """Clear the values of all placements; tabulate rows and columns by their number of missing squares."""
    for place in range(108):
        scratch[VALUES + place] = WORST
    row, column = weights[LINES], weights[LINES]
    for missing in range(10):
        hope = missing <= left  # it can still be completed
        scratch[_ROW_WORTH + missing] = row if hope else 0
        row = row * weights[ROW_FACTOR] // 100
        if missing < 7:
            scratch[_COLUMN_WORTH + missing] = 5 * column if hope else 0
            column = column * weights[COLUMN_FACTOR] // 100


@compiled
def evaluate_tile(
    state: Ints, at: int, square: int, gardener: int, left: int, weights: Ints, scratch: Ints
) -> None:
    """Evaluate a tile on a square, with the best moves of boar and noble after it."""
    total = points_so_far(state, at)
    marks = state[at + MARKS]
    value = POINT * (total + never_below_zero(reward_points(marks, square, gardener == 1), total))
    if marks != 0 and left > 0:
        value -= weights[MARK_HOPE] * max(
            reward_points(marks, square, False), reward_points(marks, square, True), 0
        )
    built = state[at + BUILT] | 1 << square
    value += _evaluate_lines(state[at + BUILT], square, scratch)
    way = 0
    if state[at + BOAR] != 0:
        boar_value, boar = _evaluate_boar(state, at, square, built, left, weights, scratch)
        value += boar_value
        way = boar << 16
    noble_value, noble = _evaluate_nobles(state, at, square, gardener, built, left, weights, scratch)
    place = 54 * gardener + square
    scratch[VALUES + place] = value + noble_value
    scratch[WAYS + place] = way | noble << 22


@compiled
def _evaluate_lines(built: int, square: int, scratch: Ints) -> int:
    """What a tile adds to the worth of its row and its column (R25, R26)."""
    row = 1 + square // 9
    missing = 9 - (built & ROW[row]).bit_count()
    worth = (10 - row) * (scratch[_ROW_WORTH + missing - 1] - scratch[_ROW_WORTH + missing])
    missing = 6 - (built & COLUMN[square % 9]).bit_count()
    return worth + scratch[_COLUMN_WORTH + missing - 1] - scratch[_COLUMN_WORTH + missing]


@compiled
def _evaluate_boar(
    state: Ints, at: int, square: int, built: int, left: int, weights: Ints, scratch: Ints
) -> tuple[int, int]:
    """The value of the boar's best move, and its code (R35-R37)."""
    best, code = WORST, NO_BOAR
    goals = boar_goals(state, at, square)
    while goals != 0:
        goal = first(goals)
        goals &= goals - 1
        value = POINT * boar_points(goal != NO_BOAR, goal == BOAR_LEAVES)
        if goal != BOAR_LEAVES:
            boar = state[at + BOAR] if goal == NO_BOAR else 1 << (goal - BOAR_GOES)
            value -= _boar_cost(boar, built, left, weights)
        scratch[BOAR_VALUES + goal] = value
        if value > best:
            best, code = value, goal
    return best, code


@compiled
def _boar_cost(boar: int, built: int, left: int, weights: Ints) -> int:
    """What the boar may cost at the end: the free squares of its area that will probably not be built."""
    area = boar_loss(boar, built)
    if left == 0:
        return POINT * area
    free = 54 - built.bit_count()
    ways = (neighbours(boar) & ~built & ALL).bit_count()
    fear = max(POINT - weights[BOAR_CALM] * left, weights[BOAR_FEAR])
    return fear * area * max(free - left, 0) // free + weights[BOAR_WAYS] * ways


@compiled
def _evaluate_nobles(
    state: Ints, at: int, square: int, gardener: int, built: int, left: int, weights: Ints, scratch: Ints
) -> tuple[int, int]:
    """The value of the best noble move, or of none, and its code (R20, R21, R27).

    Only one column changes with a move. So the stops of all rows are counted once, and for each column
    its share is taken out row by row and put back afterwards.
    """
    nobles, gardeners = state[at + NOBLES], state[at + GARDENERS] | gardener << square
    connected = joined(state[at + CONNECTED], square, built)
    stops = noble_stops(connected, gardeners, nobles)
    below = ~passed(nobles) & ~gardeners & ALL
    # Cut-off squares count more if one tile on the fringe would connect them (near) than if not (far).
    fringe, cut = neighbours(connected) & ~built, built & ~connected
    near = stroll(neighbours(fringe) & cut, cut)
    near, far, beside = near & below, cut & ~near & below, fringe & below
    _count_stops(stops, near, far, beside, weights, scratch)
    one, two = state[at + FIRST], state[at + SECOND]
    missions = _mission_worth(one, noble_row(nobles, one), stops, left, weights)
    missions += _mission_worth(two, noble_row(nobles, two), stops, left, weights)
    pace = weights[PACE_LATE] + (weights[PACE_EARLY] - weights[PACE_LATE]) * left // (ROUNDS - 1)
    best, code = missions + _prospects(left, pace, scratch), NO_NOBLE
    scratch[NOBLE_VALUES] = best
    columns = passed(stops) & ROW_1  # those that have a stop
    while columns != 0:
        column = first(columns)
        columns &= columns - 1
        other = missions
        mission = column == one or column == two  # noqa: PLR1714 - a tuple would be built every time
        if mission:
            other -= _mission_worth(column, noble_row(nobles, column), stops, left, weights)
        for row in range(1, 7):
            here = 9 * (row - 1) + column
            scratch[_STOPS + row] -= _share(here, stops, near, far, beside, weights)
            if stops >> here & 1:
                value = other + POINT * row + _prospects(left, pace, scratch)
                if mission:
                    value += _mission_worth(column, row, stops, left, weights)
                scratch[NOBLE_VALUES + here + NOBLE_GOES] = value
                if value > best:
                    best, code = value, here + NOBLE_GOES
        for row in range(1, 7):
            scratch[_STOPS + row] += _share(9 * (row - 1) + column, stops, near, far, beside, weights)
    return best, code


@compiled
def _count_stops(stops: int, near: int, far: int, beside: int, weights: Ints, scratch: Ints) -> None:
    """The expected number of stops in each row, in hundredths."""
    for row in range(1, 7):
        ground = ROW[row]
        scratch[_STOPS + row] = (
            weights[REACH] * (stops & ground).bit_count()
            + weights[CUT_OFF] * (near & ground).bit_count()
            + weights[FAR_OFF] * (far & ground).bit_count()
            + weights[BESIDE] * (beside & ground).bit_count()
        )


@compiled
def _share(square: int, stops: int, near: int, far: int, beside: int, weights: Ints) -> int:
    """The share of one square in the stops of its row; the four sets are disjoint."""
    return (
        weights[REACH] * (stops >> square & 1)
        + weights[CUT_OFF] * (near >> square & 1)
        + weights[FAR_OFF] * (far >> square & 1)
        + weights[BESIDE] * (beside >> square & 1)
    )


@compiled
def _prospects(left: int, pace: int, scratch: Ints) -> int:
    """The points above the pace of the best stops for the turns that are left."""
    rest, sum_of_stops = 100 * left, 0
    for row in range(6, 0, -1):
        gain = POINT * row - pace
        if gain <= 0 or rest <= 0:
            break
        used = min(scratch[_STOPS + row], rest)
        sum_of_stops += used * gain
        rest -= used
    return sum_of_stops // 100


@compiled
def _mission_worth(mission: int, row: int, stops: int, left: int, weights: Ints) -> int:
    """The expected points of a mission whose noble stands in ``row``."""
    if left == 0:
        return weights[MISSION_ROW] * row
    lowest = row
    for lower in range(row + 1, 7):
        if stops >> 9 * (lower - 1) + mission & 1:
            lowest = lower
    return (
        weights[MISSION_ROW] * row + weights[MISSION] * (lowest - row) + weights[MISSION_HOPE] * (6 - lowest)
    )


def best_turn(view: View, policy: int = GREEDY) -> Turn:
    """The turn that a one-turn policy plays for the seat of a view; ``ValueError`` if it is not to move."""
    if view.seat is None or view.seat != view.to_move or view.over:
        raise ValueError("it is not the turn of this seat")
    scratch = np.empty(SCRATCH, np.int64)
    return decode(greedy_turn(flatten_view(view), seat_at(view.seat), WEIGHTS[policy - 1], scratch))
