"""Search with a value network: sequential halving over short simulated games.

The network judges every legal turn, and the best two dozen are candidates. A candidate starts a simulated
game in which ``steward`` plays the other seats and the network chooses the seat's own turns. At the second of
these turns, the network's judgement of the best one is the result: a short game with a good judgement at its
end has far less noise than a complete game. The network's first judgement counts as a few games (a prior).
"""

from dataclasses import dataclass
from math import inf
from time import perf_counter

import numpy as np

from sanssouci.dealer import Seed
from sanssouci.kernel.compiler import compiled, entry, ignore_overflow
from sanssouci.kernel.dealing import MOST_CARDS, MOST_TILES
from sanssouci.kernel.games import PART_FIELDS
from sanssouci.kernel.greedy import SCRATCH, STEWARD, WEIGHTS, greedy_turn
from sanssouci.kernel.layout import (
    GARDENERS,
    HEADER,
    POINTS,
    SEAT_SIZE,
    SEATS,
    SIZE,
    TURN,
    Ints,
    flatten_view,
)
from sanssouci.kernel.options import list_turns
from sanssouci.kernel.play import answer, next_card, next_tile, play, score_the_end
from sanssouci.kernel.rng import STREAMS, Words, open_streams
from sanssouci.kernel.rollouts import determinize
from sanssouci.kernel.search import UNLIMITED, affordable, check_search, halve
from sanssouci.kernel.trial import Candidates
from sanssouci.kernel.turns import decode
from sanssouci.rules import ROUNDS, Turn, View
from sanssouci.rules.scoring import rank

from .inference import UNIT, WIN_POINTS, Layers, Scratch, best_turn_of, judge_turns, scratch_for

CANDIDATES = 24
DEPTH = 2
"""Own turns in a short game after the candidate."""
TRUST = 8
"""Short games that the network's first judgement of a turn counts for."""
JUDGED = 4
"""Integers that describe a judgement: value, own total, best other total, share of the win."""
MOST_LISTED = 1 << 15


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """What a turn is expected to bring."""

    turn: Turn
    games: int
    """The short games that it began."""
    value: float
    """The quantity that the search maximizes, in points."""
    own: float
    """The own total at the end."""
    other: float
    """The best other seat's total at the end."""
    win: float
    """The share of the win."""


def judged_turns(flat: Ints, layers: Layers) -> tuple[Ints, Ints]:
    """``[n]`` and ``[n, 4]``: the legal turns of the seat to move, the best first, and their judgements."""
    codes = np.empty(list_turns(flat, np.empty(0, np.int64), 0), np.int64)
    list_turns(flat, codes, 0)
    judged = np.empty((len(codes), JUDGED), np.int64)
    judge_turns(flat, codes, len(codes), layers, scratch_for(layers), judged)
    best = np.argsort(-judged[:, 0], kind="stable")
    return codes[best], judged[best]


def network_search(
    view: View,
    layers: Layers,
    seed: Seed,
    rollouts: int | None = None,
    seconds: float | None = None,
    candidates: int = CANDIDATES,
    threads: int = 1,
) -> tuple[JudgedTurn, ...]:
    """The candidate turns of the seat to move, the best first.

    Limited by ``rollouts`` (short games), by ``seconds``, or by both; ``ValueError`` without a limit, or if
    the seat of the view is not to move. With rollouts alone the result depends on the seed only, not on the
    threads.
    """
    begun = perf_counter()
    check_search(view, seed, rollouts, seconds, candidates, threads)
    if rollouts is not None:
        candidates = affordable(candidates, rollouts)
    flat = flatten_view(view)
    codes, judged = judged_turns(flat, layers)
    with ignore_overflow(), ShortGames(flat, codes[:candidates], judged, layers, seed, threads) as games:
        if len(games.left) > 1:
            limit = inf if seconds is None else seconds
            halve(games, UNLIMITED if rollouts is None else rollouts, begun, limit)
        return games.judged_turns()


class ShortGames(Candidates):
    """Candidates whose simulated games end after two more own turns, with the network's judgement."""

    def __init__(
        self, flat: Ints, codes: Ints, judged: Ints, layers: Layers, seed: Seed, threads: int = 1
    ) -> None:
        super().__init__(codes, TRUST * judged[: len(codes)], seed, threads)
        self._flat, self._layers = flat, layers

    def _try(self, keys: Words, sums: Ints) -> None:
        try_short_games(
            self._flat, keys, self._codes, self.left, DEPTH, self._layers, scratch_for(self._layers), sums
        )

    def _total_values(self) -> Ints:
        values: Ints = self._sums[:, 0]
        return values

    def judged_turns(self) -> tuple[JudgedTurn, ...]:
        """All candidates: those dropped last first, then by value."""
        means = self._sums / ((TRUST + self._games) * UNIT)[:, None]
        order = np.lexsort((-means[:, 0], -self._games))
        return tuple(
            JudgedTurn(decode(self._codes[place]), int(self._games[place]), *map(float, means[place]))
            for place in order
        )


@entry
def try_short_games(
    view: Ints, keys: Words, codes: Ints, left: Ints, depth: int, layers: Layers, scratch: Scratch, sums: Ints
) -> None:
    """Begin a short game of each key with every candidate that is ``left``, and add up their results."""
    state, start = np.empty(SIZE, np.int64), np.empty(SIZE, np.int64)
    streams, greedy = np.zeros(STREAMS, np.uint64), np.empty(SCRATCH, np.int64)
    decks, tiles = np.zeros(MOST_CARDS, np.int64), np.zeros(MOST_TILES, np.int64)
    listed, judged = np.empty(MOST_LISTED, np.int64), np.empty((MOST_LISTED, JUDGED), np.int64)
    nowhere = np.empty(0, np.int64)
    seats, played = view[SEATS], view[TURN]
    seat = played % seats
    for game in range(keys.shape[0]):
        open_streams(keys[game, 0], keys[game, 1], seats, streams)
        determinize(view, streams, start, decks, tiles)
        for which in left:
            for place in range(SIZE):  # one deal for all candidates: only the turn differs
                state[place] = start[place]
            code, own_turns = codes[which], 0
            for turn in range(ROUNDS * seats):
                if turn < played:
                    continue
                mover, rounds = turn % seats, turn // seats
                at = HEADER + SEAT_SIZE * mover
                if mover != seat:
                    code = greedy_turn(state, at, WEIGHTS[STEWARD - 1], greedy)
                elif turn > played:
                    own_turns += 1
                    count = list_turns(state, nowhere, 0)
                    if count > listed.size:
                        listed, judged = (
                            np.empty(2 * count, np.int64),
                            np.empty((2 * count, JUDGED), np.int64),
                        )
                    list_turns(state, listed, 0)
                    judge_turns(state, listed, count, layers, scratch, judged)
                    best = best_turn_of(judged, count)
                    if own_turns == depth:
                        for part in range(JUDGED):
                            sums[which, part] += judged[best, part]
                        break
                    code = listed[best]
                play(state, at, code)
                answer(state, at, code, next_tile(tiles, seats, turn), next_card(decks, mover, rounds))
            if state[TURN] == ROUNDS * seats:
                score_the_end(state)
                _add_end(state, seat, sums[which])


@compiled
def _add_end(state: Ints, seat: int, sums: Ints) -> None:
    """Add the result of a game that is over to all four figures of a judgement."""
    own, other, share = end_of(state, seat)
    sums[0] += own - other // 2 + WIN_POINTS * share
    sums[1] += own
    sums[2] += other
    sums[3] += share


@compiled
def end_of(state: Ints, seat: int) -> tuple[int, int, int]:
    """The result of a game that is over (R28): own total, best other total and share of the win."""
    own, other, first, winners, own_rank = 0, 0, -1, 0, 0
    for which in range(state[SEATS]):
        at, total = HEADER + SEAT_SIZE * which, 0
        for part in range(PART_FIELDS):
            total += state[at + POINTS + part]
        found = rank(total, state[at + GARDENERS].bit_count())
        if which == seat:
            own, own_rank = total, found
        else:
            other = max(other, total)
        winners = 1 if found > first else winners + (found == first)
        first = max(first, found)
    share = UNIT // winners if own_rank == first else 0
    return UNIT * own, UNIT * other, share
