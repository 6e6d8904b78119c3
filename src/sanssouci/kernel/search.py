"""Searching for a turn: the most promising are tried in imagined games, and the better half goes on.

Every legal turn is judged as steward judges it; the best few dozen are candidates. In each stage all
candidates that are left begin the same imagined games, so that they share their luck, and stewards play them
to the end; then the weaker half is dropped (sequential halving). What counts is the own score, and a quarter
as much that the best of the others has less.
"""

from time import perf_counter

import numpy as np

from sanssouci.dealer import Seed, check_seed
from sanssouci.rules import ROUNDS, View

from .compiler import entry, wrapping
from .greedy import (
    NOBLE_CODES,
    NOBLE_VALUES,
    SCRATCH,
    STEWARD,
    VALUES,
    WAYS,
    WEIGHTS,
    WORST,
    judge_tile,
    prepare_judgement,
    worth_of_kept_card,
)
from .layout import SEATS, TURN, Ints, flatten_view, seat_at
from .options import list_turns
from .trial import Prospect, Trial

CANDIDATES = 24
"""How many turns are tried."""
_BATCH = 8
"""Imagined games between two looks at the clock."""


def search(
    view: View, seed: Seed, rollouts: int | None = None, seconds: float | None = None
) -> tuple[Prospect, ...]:
    """The best turns for the seat of a view, which is to move, within so many rollouts or seconds.

    The same seed and number of rollouts find the same.
    """
    check_seed(seed)
    if view.seat is None or view.seat != view.to_move or view.over:
        raise ValueError("it is not the turn of this seat")
    if (rollouts is None) == (seconds is None):
        raise ValueError("a search takes a number of rollouts or of seconds")
    flat = flatten_view(view)
    codes = candidates(flat, view.seat)
    trial = Trial(flat, codes, seed)
    if view.round < ROUNDS and len(codes) > 1:
        with wrapping():
            _halve(trial, rollouts, seconds)
    return trial.prospects()


def candidates(flat: Ints, seat: int) -> Ints:
    """``[n]``: the turns that steward thinks best, the best first."""
    codes = np.empty(list_turns(flat, np.empty(0, np.int64), 0), np.int64)
    list_turns(flat, codes, 0)
    values = np.empty(len(codes), np.int64)
    judge_turns(flat, seat_at(seat), WEIGHTS[STEWARD - 1], codes, values)
    best = np.argsort(-values, kind="stable")[:CANDIDATES]
    return codes[best[values[best] > WORST]]


@entry
def judge_turns(state: Ints, at: int, weights: Ints, codes: Ints, values: Ints) -> None:
    """``values``: ``[n]``, what each of the legal turns is worth; WORST where the boar could do better."""
    scratch, nobles = np.empty(SCRATCH, np.int64), np.empty((108, NOBLE_CODES), np.int64)
    left = ROUNDS - 1 - state[TURN] // state[SEATS]
    prepare_judgement(left, weights, scratch)
    for turn in range(codes.shape[0]):
        code = codes[turn]
        square, gardener = code >> 9 & 63, code >> 15 & 1
        place = 54 * gardener + square
        if scratch[VALUES + place] == WORST:
            judge_tile(state, at, square, gardener, left, weights, scratch)
            for noble in range(NOBLE_CODES):
                nobles[place, noble] = scratch[NOBLE_VALUES + noble]
        way = scratch[WAYS + place]
        if way >> 16 & 63 != code >> 16 & 63:
            values[turn] = WORST
            continue
        loss = nobles[place, way >> 22] - nobles[place, code >> 22]
        values[turn] = scratch[VALUES + place] - loss + worth_of_kept_card(state, at, code & 31, weights)


def _halve(trial: Trial, rollouts: int | None, seconds: float | None) -> None:
    """Sequential halving: every stage gets an equal share of the rollouts or of the time."""
    stages = max(1, (len(trial.left) - 1).bit_length())
    begun = perf_counter()
    for stage in range(1, stages + 1):
        if rollouts is not None:
            trial.play(max(1, rollouts // (stages * len(trial.left))))
        elif seconds is not None:
            _play_until(trial, begun + seconds * stage / stages)
        trial.drop_half()


def _play_until(trial: Trial, deadline: float) -> None:
    """At least one imagined game for each, so that there is always an answer."""
    while True:
        trial.play(_BATCH if len(trial.left) < 6 else 1)
        if perf_counter() >= deadline:
            return
