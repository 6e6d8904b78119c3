"""Turns on trial: what comes of each in imagined games that share their luck.

Every turn begins the same imagined games, and stewards play them to the end. So two turns of one trial differ
by what they are worth, not by what was dealt.
"""

from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple, Self

import numpy as np

from sanssouci.dealer import Seed, check_seed
from sanssouci.rules import State, Turn, View
from sanssouci.rules.scoring import rank

from .compiler import compiled, entry, ignore_overflow
from .dealing import MOST_CARDS, MOST_TILES
from .games import PART_FIELDS, play_on
from .greedy import SCRATCH, STEWARD, WEIGHTS
from .keys import game_keys
from .layout import (
    GARDENERS,
    HEADER,
    MOST_SEATS,
    POINTS,
    SEAT_SIZE,
    SEATS,
    SIZE,
    TURN,
    Ints,
    flatten,
    flatten_view,
)
from .play import answer, next_card, next_tile, play
from .rng import STREAMS, Words, open_streams
from .rollouts import imagine
from .turns import decode, encode

OWN, OTHERS, WON = 100, 50, 300
"""What a search goes by: a point of one's own, one of the best of the others against it, a game won."""
TRUST = 16
"""As many imagined games the first judgement of a turn counts for."""
WIN = 12
"""A win as a number that two, three or four winners can share."""
_VALUE, _MARGIN, _SEAT_TALLIES = 0, 1, 3
_SCORE, _SHARE, _PER_SEAT = 0, 2, 4
TALLIES = _SEAT_TALLIES + MOST_SEATS * _PER_SEAT
"""What is added up for a turn: its value; margin, and score and share of each seat, each with its square."""


class SampleMean(NamedTuple):
    """A mean over imagined games, and its standard error."""

    mean: float
    error: float


@dataclass(frozen=True, slots=True)
class TurnEstimate:
    """What is expected of a turn: for every seat, and the margin of its own over the best other."""

    turn: Turn
    games: int
    """How many imagined games it began."""
    value: float
    """What a search goes by, in points of one's own."""
    scores: tuple[SampleMean, ...]
    margin: SampleMean
    shares: tuple[SampleMean, ...]
    """Of the win; seats that win together have equal shares."""


class Trial:
    """Candidates and what their imagined games have brought so far; on several threads if that is wanted."""

    def __init__(
        self, flat: Ints, codes: Ints, seed: Seed, judgement: Ints | None = None, threads: int = 1
    ) -> None:
        self._flat, self._codes, self._seed = flat, codes, seed
        self._policies = np.full(MOST_SEATS, STEWARD, np.int64)
        self._tallies = np.zeros((len(codes), TALLIES), np.int64)
        self._games = np.zeros(len(codes), np.int64)
        self._favour = np.zeros(len(codes), np.int64) if judgement is None else TRUST * judgement
        self._next = 1
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self.threads = threads
        self.left = np.arange(len(codes))
        """The candidates that are still in, the best first."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def play(self, games: int) -> None:
        """Every candidate that is left begins so many more imagined games."""
        keys = game_keys(self._seed, self._next, games)
        if self._pool is None:
            self._try(keys, self._tallies)
        else:
            parts = [part for part in np.array_split(keys, self.threads) if len(part)]
            tallies = np.zeros((len(parts), *self._tallies.shape), np.int64)
            deque(self._pool.map(self._try, parts, tallies), maxlen=0)
            self._tallies += tallies.sum(axis=0)
        self._games[self.left] += games
        self._next += games
        self.left = self.left[np.lexsort((self.left, -self._merits()[self.left]))]

    def _try(self, keys: Words, tallies: Ints) -> None:
        try_turns(self._flat, keys, self._codes, self.left, self._policies, tallies)

    def _merits(self) -> Ints:
        """What the candidates go by; those that have begun equally many games can be compared."""
        merits: Ints = self._favour + self._tallies[:, _VALUE]
        return merits

    def drop_half(self) -> None:
        """Those that did worse are out."""
        self.left = self.left[: (len(self.left) + 1) // 2]

    def estimates(self) -> tuple[TurnEstimate, ...]:
        """Those that stayed longest first, then by what they brought."""
        order = np.lexsort((-self._merits(), -self._games))
        return tuple(self._estimate(place) for place in order)

    def _estimate(self, place: int) -> TurnEstimate:
        games, tally = int(self._games[place]), self._tallies[place]
        seats = [_SEAT_TALLIES + _PER_SEAT * seat for seat in range(self._flat[SEATS])]
        return TurnEstimate(
            decode(self._codes[place]),
            games,
            float(tally[_VALUE]) / (OWN * games) if games else float("nan"),
            tuple(_sample_mean(tally[at + _SCORE : at + _SCORE + 2], games) for at in seats),
            _sample_mean(tally[_MARGIN : _MARGIN + 2], games),
            tuple(_sample_mean(tally[at + _SHARE : at + _SHARE + 2], games, WIN) for at in seats),
        )


def _sample_mean(sums: Ints, games: int, unit: int = 1) -> SampleMean:
    """From a sum and a sum of squares."""
    if games == 0:
        return SampleMean(float("nan"), float("nan"))
    mean = float(sums[0]) / games
    spread = max(float(sums[1]) / games - mean * mean, 0.0)
    return SampleMean(mean / unit, sqrt(spread / max(games - 1, 1)) / unit)


def evaluate_turns(
    game: View | State, turns: Sequence[Turn], seed: Seed, games: int
) -> tuple[TurnEstimate, ...]:
    """What is expected of each of some turns of the seat to move, in their order.

    From a view what its seat does not know is imagined; from a state, where all hands and missions lie open,
    only what is still to be dealt.
    """
    check_seed(seed)
    if game.over or (isinstance(game, View) and game.seat != game.to_move):
        raise ValueError("it is not the turn of this seat")
    options = game.options()
    for turn in turns:
        if turn not in options:
            raise ValueError(f"{turn} is not legal")
    if not turns or games < 1:
        raise ValueError("nothing is tried")
    flat = flatten_view(game) if isinstance(game, View) else flatten(game)
    trial = Trial(flat, np.array([encode(turn) for turn in turns], np.int64), seed)
    with ignore_overflow():
        trial.play(games)
    found = {estimate.turn: estimate for estimate in trial.estimates()}
    return tuple(found[turn] for turn in turns)


@entry
def try_turns(view: Ints, keys: Words, codes: Ints, left: Ints, policies: Ints, tallies: Ints) -> None:
    """Begin an imagined game of each key with every turn that is ``left``; add what came of it."""
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
            _tally(state, seat, tallies[which])


@compiled
def _tally(state: Ints, seat: int, tally: Ints) -> None:
    """The end of a game as every seat sees it, and its value for one (R28)."""
    own, best, first, winners = 0, 0, -1, 0
    for other in range(state[SEATS]):
        total = _total(state, other)
        if other == seat:
            own = total
        elif total > best:
            best = total
        found = rank(total, state[HEADER + SEAT_SIZE * other + GARDENERS].bit_count())
        winners = 1 if found > first else winners + (found == first)
        first = max(first, found)
    tally[_VALUE] += OWN * own - OTHERS * best
    tally[_MARGIN] += own - best
    tally[_MARGIN + 1] += (own - best) * (own - best)
    for other in range(state[SEATS]):
        total, at = _total(state, other), _SEAT_TALLIES + _PER_SEAT * other
        gardeners = state[HEADER + SEAT_SIZE * other + GARDENERS].bit_count()
        share = WIN // winners if rank(total, gardeners) == first else 0
        if other == seat:
            tally[_VALUE] += WON * share // WIN
        tally[at + _SCORE] += total
        tally[at + _SCORE + 1] += total * total
        tally[at + _SHARE] += share
        tally[at + _SHARE + 1] += share * share


@compiled
def _total(state: Ints, seat: int) -> int:
    total = 0
    for part in range(PART_FIELDS):
        total += state[HEADER + SEAT_SIZE * seat + POINTS + part]
    return total
