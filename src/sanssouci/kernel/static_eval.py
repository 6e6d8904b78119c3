"""The static evaluation of every legal turn; ``greedy`` describes the evaluation."""

import numpy as np

from sanssouci.rules import ROUNDS, Turn, View

from .compiler import entry
from .greedy import (
    BOAR_CODES,
    BOAR_VALUES,
    GREEDY,
    NOBLE_CODES,
    NOBLE_VALUES,
    SCRATCH,
    VALUES,
    WAYS,
    WEIGHTS,
    WORST,
    evaluate_tile,
    prepare_evaluation,
    worth_of_kept_card,
)
from .layout import BOAR, SEATS, TURN, Ints, flatten_view, seat_at
from .options import list_turns
from .turns import decode


def best_turns(view: View, policy: int) -> tuple[Turn, ...]:
    """All turns with the highest value for a policy; ``ValueError`` if the view's seat is not to move."""
    if view.seat is None or view.seat != view.to_move or view.over:
        raise ValueError("it is not the turn of this seat")
    codes, values = ranked_turns(flatten_view(view), view.seat, policy)
    return tuple(decode(code) for code in codes[values == values[0]])


def ranked_turns(flat: Ints, seat: int, policy: int) -> tuple[Ints, Ints]:
    """``[n]`` each: the legal turns of a seat, the best first, and their values for a policy."""
    if not GREEDY <= policy <= len(WEIGHTS):
        raise ValueError("this policy has no evaluation")
    codes = np.empty(list_turns(flat, np.empty(0, np.int64), 0), np.int64)
    list_turns(flat, codes, 0)
    values = np.empty(len(codes), np.int64)
    fill_values(flat, seat_at(seat), WEIGHTS[policy - 1], codes, values)
    best = np.argsort(-values, kind="stable")
    return codes[best], values[best]


@entry
def fill_values(state: Ints, at: int, weights: Ints, codes: Ints, values: Ints) -> None:
    """Fill ``values``, ``[n]``, with the value of each of the legal turns.

    A placement is evaluated once, with its best moves of boar and noble. Other turns with the same
    placement differ by what their moves lose against those.
    """
    scratch, nobles = np.empty(SCRATCH, np.int64), np.empty((108, NOBLE_CODES), np.int64)
    boars = np.zeros((108, BOAR_CODES), np.int64)
    left = ROUNDS - 1 - state[TURN] // state[SEATS]
    prepare_evaluation(left, weights, scratch)
    for turn in range(codes.shape[0]):
        code = codes[turn]
        square, gardener = code >> 9 & 63, code >> 15 & 1
        place = 54 * gardener + square
        if scratch[VALUES + place] == WORST:
            evaluate_tile(state, at, square, gardener, left, weights, scratch)
            for noble in range(NOBLE_CODES):
                nobles[place, noble] = scratch[NOBLE_VALUES + noble]
            if state[at + BOAR] != 0:
                for goal in range(BOAR_CODES):
                    boars[place, goal] = scratch[BOAR_VALUES + goal]
        way = scratch[WAYS + place]
        loss = nobles[place, way >> 22] - nobles[place, code >> 22]
        loss += boars[place, way >> 16 & 63] - boars[place, code >> 16 & 63]
        values[turn] = scratch[VALUES + place] - loss + worth_of_kept_card(state, at, code & 31, weights)
