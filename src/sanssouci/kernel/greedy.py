"""The players ``greedy`` and ``steward``: one turn ahead, with a judgement of the garden that is left behind.

Every way to lay a tile is tried, with every move of the boar and of a noble. What is judged is the own garden
only, in hundredths of a point: the points so far, and what the ``k`` turns that are left may bring:

- **nobles**: there are at most ``k`` more moves, so the ``k`` best stops count. A stop that can be walked to
  counts in full; one that is built but cut off, and a free square beside the walks, count in part. All count
  only above the pace: what an average move will bring anyway;
- **missions**: the row of the noble, and part of the way to the lowest stop it can walk to;
- **rows and columns**: what they are worth, times a factor for every square that is missing;
- **the boar**: the free squares of its area that will not be built before the end, feared more the nearer
  that is, and the ways it still has to run;
- **the card that is kept**: how many tiles it could take.

With no turn left, all that is left is what the end will score.

``greedy`` values the garden as it lies there: no pace, no free squares, no card. ``steward`` expects it to
grow; its weights were found by moving one at a time as long as the mean of all kinds of games rose.

Three more value less than steward: the guest sees the points of this turn only; the page also rows, columns
and where nobles can walk to, and forgets the missions; the lady also the missions and what is cut off.
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
"""Chance, and those who judge. The kernel can play the first three by itself."""
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
"""``[5, 17]``: what each of them values, from greedy on."""

WORST = -(1 << 40)
NOBLE_CODES, BOAR_CODES = 55, 56
"""No noble, or one of the 54 squares; no boar that moves, one that leaves, or one of the 54."""
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
"""What lies where in the room that judging needs, and how large it is.

VALUES and WAYS: for each way to lay a tile (54 squares as a structure, 54 as a gardener) the value of the
best that boar and nobles can do then, and its code. NOBLE_VALUES and BOAR_VALUES: what each move of a noble,
each goal of the boar is worth, for the tile that was judged last.
"""


@compiled
def greedy_turn(state: Ints, at: int, weights: Ints, scratch: Ints) -> int:
    """The code of the best turn for the seat whose integers begin at ``at``."""
    left = ROUNDS - 1 - state[TURN] // state[SEATS]
    prepare_judgement(left, weights, scratch)
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
                if scratch[VALUES + place] == WORST:
                    judge_tile(state, at, square, gardener, left, weights, scratch)
                value = scratch[VALUES + place] + keeps
                if value > best:
                    best = value
                    code = scratch[WAYS + place] | coded(card, space, square, gardener, NO_BOAR, NO_NOBLE)
    return code


@compiled
def worth_of_kept_card(state: Ints, at: int, card: int, weights: Ints) -> int:
    """What the card is worth that stays in hand when another is played."""
    kept = state[at + HAND] & ~(1 << card)
    if kept == 0:
        return 0
    return weights[KEPT] * takes(first(kept), state[DISPLAY]).bit_count()


@compiled
def prepare_judgement(left: int, weights: Ints, scratch: Ints) -> None:
    """Nothing is judged yet; what a row or column is worth by the number of squares that are missing."""
    for place in range(108):
        scratch[VALUES + place] = WORST
    row, column = weights[LINES], weights[LINES]
    for missing in range(10):
        hope = missing <= left
        scratch[_ROW_WORTH + missing] = row if hope else 0
        row = row * weights[ROW_FACTOR] // 100
        if missing < 7:
            scratch[_COLUMN_WORTH + missing] = 5 * column if hope else 0
            column = column * weights[COLUMN_FACTOR] // 100


@compiled
def judge_tile(
    state: Ints, at: int, square: int, gardener: int, left: int, weights: Ints, scratch: Ints
) -> None:
    """The value of a tile on a square, with the best that boar and nobles can do then."""
    total = points_so_far(state, at)
    marks = state[at + MARKS]
    value = POINT * (total + never_below_zero(reward_points(marks, square, gardener == 1), total))
    if marks != 0 and left > 0:
        value -= weights[MARK_HOPE] * max(
            reward_points(marks, square, False), reward_points(marks, square, True), 0
        )
    built = state[at + BUILT] | 1 << square
    value += _judge_lines(state[at + BUILT], square, scratch)
    way = 0
    if state[at + BOAR] != 0:
        boar_value, boar = _judge_boar(state, at, square, built, left, weights, scratch)
        value += boar_value
        way = boar << 16
    noble_value, noble = _judge_nobles(state, at, square, gardener, built, left, weights, scratch)
    place = 54 * gardener + square
    scratch[VALUES + place] = value + noble_value
    scratch[WAYS + place] = way | noble << 22


@compiled
def _judge_lines(built: int, square: int, scratch: Ints) -> int:
    """What a tile adds to the worth of its row and its column (R25, R26)."""
    row = 1 + square // 9
    missing = 9 - (built & ROW[row]).bit_count()
    worth = (10 - row) * (scratch[_ROW_WORTH + missing - 1] - scratch[_ROW_WORTH + missing])
    missing = 6 - (built & COLUMN[square % 9]).bit_count()
    return worth + scratch[_COLUMN_WORTH + missing - 1] - scratch[_COLUMN_WORTH + missing]


@compiled
def _judge_boar(
    state: Ints, at: int, square: int, built: int, left: int, weights: Ints, scratch: Ints
) -> tuple[int, int]:
    """The best goal of the boar, and what it and the boar's place are worth (R35-R37)."""
    best, code = WORST, NO_BOAR
    goals = boar_goals(state, at, square)
    while goals != 0:
        goal = first(goals)
        goals &= goals - 1
        value = POINT * boar_points(goal != NO_BOAR, goal == BOAR_LEAVES)
        if goal != BOAR_LEAVES:
            boar = state[at + BOAR] if goal == NO_BOAR else 1 << (goal - BOAR_GOES)
            value -= _boar_worry(boar, built, left, weights)
        scratch[BOAR_VALUES + goal] = value
        if value > best:
            best, code = value, goal
    return best, code


@compiled
def _boar_worry(boar: int, built: int, left: int, weights: Ints) -> int:
    """What the boar may cost: its area, less what will be built there, and how free it still is to run."""
    area = boar_loss(boar, built)
    if left == 0:
        return POINT * area
    free = 54 - built.bit_count()
    ways = (neighbours(boar) & ~built & ALL).bit_count()
    fear = max(POINT - weights[BOAR_CALM] * left, weights[BOAR_FEAR])
    return fear * area * max(free - left, 0) // free + weights[BOAR_WAYS] * ways


@compiled
def _judge_nobles(
    state: Ints, at: int, square: int, gardener: int, built: int, left: int, weights: Ints, scratch: Ints
) -> tuple[int, int]:
    """The best noble move or none, and what it and the nobles' prospects are worth (R20, R21, R27)."""
    nobles, gardeners = state[at + NOBLES], state[at + GARDENERS] | gardener << square
    connected = joined(state[at + CONNECTED], square, built)
    stops = noble_stops(connected, gardeners, nobles)
    below = ~passed(nobles) & ~gardeners & ALL
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
    """How many stops each row will offer, in hundredths."""
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
    """What one square adds to the stops of its row; the four sets have none in common."""
    return (
        weights[REACH] * (stops >> square & 1)
        + weights[CUT_OFF] * (near >> square & 1)
        + weights[FAR_OFF] * (far >> square & 1)
        + weights[BESIDE] * (beside >> square & 1)
    )


@compiled
def _prospects(left: int, pace: int, scratch: Ints) -> int:
    """What the best stops for the turns that are left bring above the pace."""
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
    """What a mission will bring whose noble stands in a row."""
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
    """The turn that greedy, or steward, plays for the seat of a view, which is to move."""
    if view.seat is None or view.seat != view.to_move or view.over:
        raise ValueError("it is not the turn of this seat")
    scratch = np.empty(SCRATCH, np.int64)
    return decode(greedy_turn(flatten_view(view), seat_at(view.seat), WEIGHTS[policy - 1], scratch))
