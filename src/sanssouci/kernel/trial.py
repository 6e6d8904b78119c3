"""Compares turns by simulated games with common random numbers.

Every turn begins the same simulated games, which stewards play to the end. So the difference between two
turns is not blurred by the luck of the draw.
"""

from abc import ABC, abstractmethod
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
from .rollouts import determinize
from .turns import decode, encode

OWN, OTHERS, WON = 100, 50, 300
"""Weights of the search: an own point, a point of the best other seat (subtracted), a win."""
TRUST = 16
"""Simulated games that the static evaluation of a turn counts for (a prior)."""
WIN = 12
"""A whole win: divisible by two, three and four, for shared wins."""
_VALUE, _MARGIN, _SEAT_TALLIES = 0, 1, 3
_SCORE, _SHARE, _PER_SEAT = 0, 2, 4
TALLIES = _SEAT_TALLIES + MOST_SEATS * _PER_SEAT
"""Sums per turn: its value; then margin, and score and share of each seat, each with its sum of squares."""


class SampleMean(NamedTuple):
    """A mean over simulated games, and its standard error."""

    mean: float
    error: float


@dataclass(frozen=True, slots=True)
class TurnEstimate:
    """The expected result of a turn, for every seat, and the own seat's margin over the best other."""

    turn: Turn
    games: int
    """The number of simulated games it began."""
    value: float
    """The quantity that a search maximizes, in own points."""
    scores: tuple[SampleMean, ...]
    margin: SampleMean
    shares: tuple[SampleMean, ...]
    """Shares of the win; seats that win together have equal shares."""


class Candidates(ABC):
    """Turns that begin the same simulated games, and the sums over these games, on one thread or several."""

    def __init__(self, codes: Ints, sums: Ints, seed: Seed, threads: int) -> None:
        self._codes, self._sums, self._seed = codes, sums, seed
        self._games = np.zeros(len(codes), np.int64)
        self._next = 1
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self.threads = threads
        self.left: Ints = np.arange(len(codes))
        """The remaining candidates, the best first."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def play(self, games: int) -> None:
        """Begin ``games`` more simulated games with every remaining candidate."""
        keys = game_keys(self._seed, self._next, games)
        if self._pool is None:
            self._try(keys, self._sums)
        else:
            # Integer sums: their order, and so the number of threads, makes no difference.
            parts = [part for part in np.array_split(keys, self.threads) if len(part)]
            sums = np.zeros((len(parts), *self._sums.shape), np.int64)
            deque(self._pool.map(self._try, parts, sums), maxlen=0)
            self._sums += sums.sum(axis=0)
        self._games[self.left] += games
        self._next += games
        self.left = self.left[np.lexsort((self.left, -self._total_values()[self.left]))]

    @property
    def cost(self) -> int:
        """The rollouts that a simulated game now counts for."""
        return 1

    def drop_half(self) -> None:
        """Drop the worse half of the candidates."""
        self.left = self.left[: (len(self.left) + 1) // 2]

    @abstractmethod
    def _try(self, keys: Words, sums: Ints) -> None:
        """Play the games of these keys with every remaining candidate, and add their results to ``sums``."""

    @abstractmethod
    def _total_values(self) -> Ints:
        """Sums of values, prior included; comparable between candidates with equally many games."""


class Trial(Candidates):
    """Candidates whose simulated games stewards play to the end."""

    def __init__(
        self, flat: Ints, codes: Ints, seed: Seed, prior: Ints | None = None, threads: int = 1
    ) -> None:
        super().__init__(codes, np.zeros((len(codes), TALLIES), np.int64), seed, threads)
        self._flat = flat
        self._policies = np.full(MOST_SEATS, STEWARD, np.int64)
        self._prior = np.zeros(len(codes), np.int64) if prior is None else TRUST * prior

    def _try(self, keys: Words, sums: Ints) -> None:
        try_turns(self._flat, keys, self._codes, self.left, self._policies, sums)

    def _total_values(self) -> Ints:
        values: Ints = self._prior + self._sums[:, _VALUE]
        return values

    def estimates(self) -> tuple[TurnEstimate, ...]:
        """Estimates of all candidates: those dropped last first, then by value."""
        order = np.lexsort((-self._total_values(), -self._games))
        return tuple(self._estimate(place) for place in order)

    def _estimate(self, place: int) -> TurnEstimate:
        games, tally = int(self._games[place]), self._sums[place]
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
    """Estimates for the given turns of the seat to move, in their order.

    From a view, everything hidden from its seat is dealt anew in each game; from a state, with all hands and
    missions known, only the order of pouch and piles. ``ValueError`` if a turn is not legal.
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
    """Begin a simulated game of each key with every turn that is ``left``, and add up the results."""
    state, start = np.empty(SIZE, np.int64), np.empty(SIZE, np.int64)
    streams, scratch = np.zeros(STREAMS, np.uint64), np.empty(SCRATCH, np.int64)
    decks, tiles = np.zeros(MOST_CARDS, np.int64), np.zeros(MOST_TILES, np.int64)
    nowhere = np.empty(0, np.int64)
    seats, played = view[SEATS], view[TURN]
    rounds, seat = played // seats, played % seats
    at = HEADER + SEAT_SIZE * seat
    for game in range(keys.shape[0]):
        open_streams(keys[game, 0], keys[game, 1], seats, streams)
        determinize(view, streams, start, decks, tiles)
        for which in left:
            for place in range(SIZE):  # one deal for all candidates: only the turn differs
                state[place] = start[place]
            play(state, at, codes[which])
            answer(state, at, codes[which], next_tile(tiles, seats, played), next_card(decks, seat, rounds))
            play_on(state, decks, tiles, policies, streams, nowhere, WEIGHTS, scratch)
            _tally(state, seat, tallies[which])


@compiled
def _tally(state: Ints, seat: int, tally: Ints) -> None:
    """Add the end of a game to the sums of a turn that ``seat`` played (R28)."""
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
