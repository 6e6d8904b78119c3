"""Searching for a turn: the most promising are tried in imagined games, and the better half goes on.

Every legal turn is judged as steward judges it; the best few dozen are candidates. In each stage all
candidates that are left begin the same imagined games, so that they share their luck, and stewards play them
to the end; then the weaker half is dropped (sequential halving). What counts is the own score, and a quarter
as much that the best of the others has less.
"""

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from sanssouci.dealer import Seed, check_seed
from sanssouci.rules import ROUNDS, Turn, View

from .chance import STREAMS, Words, open_streams
from .compiler import compiled, entry, wrapping
from .dealing import MOST_CARDS, MOST_TILES
from .games import PART_FIELDS, play_on
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
from .keys import game_keys
from .layout import HEADER, POINTS, SEAT_SIZE, SEATS, SIZE, TURN, Ints, flatten_view, seat_at
from .options import list_turns
from .play import answer, next_card, next_tile, play
from .rollouts import imagine
from .turns import decode

CANDIDATES = 24
"""How many turns are tried."""
OWN, OTHERS = 100, 25
"""What a point of one's own counts, and one of the best of the others against it."""
_BATCH = 8
"""Imagined games between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What a search found: the candidates in order, the best first."""

    turns: tuple[Turn, ...]
    means: tuple[float, ...]
    """Mean value in points over the imagined games of each; nan for one that was not tried."""
    games: tuple[int, ...]
    """How many imagined games each began."""


def search(view: View, seed: Seed, rollouts: int | None = None, seconds: float | None = None) -> Findings:
    """The best turns for the seat of a view, which is to move, within so many rollouts or seconds.

    The same seed and number of rollouts give the same findings.
    """
    check_seed(seed)
    if view.seat is None or view.seat != view.to_move or view.over:
        raise ValueError("it is not the turn of this seat")
    if (rollouts is None) == (seconds is None):
        raise ValueError("a search takes a number of rollouts or of seconds")
    flat = flatten_view(view)
    codes = candidates(flat, view.seat)
    trial = _Trial(flat, codes, seed)
    if view.round < ROUNDS and len(codes) > 1:
        with wrapping():
            _halve(trial, rollouts, seconds)
    return trial.findings()


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


class _Trial:
    """Candidates and what their imagined games have brought so far."""

    def __init__(self, flat: Ints, codes: Ints, seed: Seed) -> None:
        self._flat, self._codes, self._seed = flat, codes, seed
        self._policies = np.full(4, STEWARD, np.int64)
        self._sums = np.zeros(len(codes), np.int64)
        self._games = np.zeros(len(codes), np.int64)
        self._next = 1
        self.left = np.arange(len(codes))
        """The candidates that are still in, the best first."""

    def play(self, games: int) -> None:
        """Every candidate that is left begins so many more imagined games."""
        keys = game_keys(self._seed, self._next, games)
        try_turns(self._flat, keys, self._codes, self.left, self._policies, self._sums)
        self._games[self.left] += games
        self._next += games
        self.left = self.left[np.argsort(-self._sums[self.left], kind="stable")]

    def drop_half(self) -> None:
        """Those that did worse are out."""
        self.left = self.left[: (len(self.left) + 1) // 2]

    def findings(self) -> Findings:
        """Those that stayed longest first, then by what they brought."""
        means = self._sums / np.maximum(self._games, 1) / OWN
        order = np.lexsort((np.arange(len(means)), -means, -self._games))
        return Findings(
            tuple(decode(code) for code in self._codes[order]),
            tuple(float(means[place]) if self._games[place] else float("nan") for place in order),
            tuple(int(self._games[place]) for place in order),
        )


def _halve(trial: _Trial, rollouts: int | None, seconds: float | None) -> None:
    """Sequential halving: every stage gets an equal share of the rollouts or of the time."""
    stages = max(1, (len(trial.left) - 1).bit_length())
    begun = perf_counter()
    for stage in range(1, stages + 1):
        if rollouts is not None:
            trial.play(max(1, rollouts // (stages * len(trial.left))))
        elif seconds is not None:
            _play_until(trial, begun + seconds * stage / stages)
        trial.drop_half()


def _play_until(trial: _Trial, deadline: float) -> None:
    """At least one imagined game for each, so that there is always an answer."""
    while True:
        trial.play(_BATCH if len(trial.left) < 6 else 1)
        if perf_counter() >= deadline:
            return


@entry
def try_turns(view: Ints, keys: Words, codes: Ints, left: Ints, policies: Ints, sums: Ints) -> None:
    """Begin an imagined game of each key with every turn that is ``left``; add its value to ``sums``."""
    state, start = np.empty(SIZE, np.int64), np.empty(SIZE, np.int64)
    streams, scratch = np.zeros(STREAMS, np.uint64), np.empty(SCRATCH, np.int64)
    decks, tiles = np.zeros(MOST_CARDS, np.int64), np.zeros(MOST_TILES, np.int64)
    nowhere = np.empty(0, np.int64)
    seats, played = view[SEATS], view[TURN]
    rounds, seat = played // seats, played % seats
    at = HEADER + SEAT_SIZE * seat
    for game in range(keys.shape[0]):
        open_streams(keys[game, 0], keys[game, 1], seats, streams)
        imagine(view, streams, start, decks, tiles)
        for which in left:
            for place in range(SIZE):
                state[place] = start[place]
            play(state, at, codes[which])
            answer(state, at, codes[which], next_tile(tiles, seats, played), next_card(decks, seat, rounds))
            play_on(state, decks, tiles, policies, streams, nowhere, WEIGHTS, scratch)
            sums[which] += _worth(state, seat)


@compiled
def _worth(state: Ints, seat: int) -> int:
    """The end of a game as a seat sees it."""
    own, best = 0, 0
    for other in range(state[SEATS]):
        total = 0
        for part in range(PART_FIELDS):
            total += state[HEADER + SEAT_SIZE * other + POINTS + part]
        if other == seat:
            own = total
        elif total > best:
            best = total
    return OWN * own - OTHERS * best
