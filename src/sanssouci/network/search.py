"""Search with a value network: sequential halving over short simulated games.

The network judges every legal turn, and the best two dozen are candidates. A candidate starts a simulated
game in which the network chooses the seat's own turns, and its judgements of the best one are the result: a
short game with a good judgement at its end has far less noise than a complete game. The network's first
judgement counts as a few games (a prior).

There are two kinds of games. Quick ones compare many candidates: ``steward`` plays the other seats, and the
second own turn is judged. Long ones compare the last candidates: the network plays all seats, and the second
to fourth own turns are judged.
"""

from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import NamedTuple

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
    flatten,
    flatten_view,
)
from sanssouci.kernel.options import list_turns
from sanssouci.kernel.play import answer, next_card, next_tile, play, score_the_end
from sanssouci.kernel.rng import STREAMS, Words, open_streams
from sanssouci.kernel.rollouts import determinize
from sanssouci.kernel.search import UNLIMITED, affordable, check_search, halve
from sanssouci.kernel.trial import Candidates
from sanssouci.kernel.turns import decode
from sanssouci.rules import ROUNDS, State, Turn, View
from sanssouci.rules.scoring import rank

from .inference import UNIT, WIN_POINTS, Layers, Scratch, best_turn_of, judge_turns, scratch_for

CANDIDATES = 24
TRUST = 8
"""Short games that the network's first judgement of a turn counts for."""
JUDGED = 4
"""Integers that describe a judgement: value, own total, best other total, share of the win."""
RESULT = 3
"""The last three of them: what the search adds up."""
OTHER_WEIGHTS, OTHER_UNIT = {2: 3, 3: 2, 4: 2}, 4
"""What a point of the best other seat costs, by seats, in quarters of an own point."""
MOST_LISTED = 1 << 15


class GameKind(NamedTuple):
    """How short games are played."""

    first: int
    """The first own turn after the candidate that is judged."""
    last: int
    """The last one; the result is the mean of the judgements."""
    by_network: bool
    """Whether the network plays the other seats too, instead of ``steward``."""
    cost: int
    """Rollouts that a game counts for: about its time, compared with a quick game."""


QUICK, LONG = GameKind(2, 2, False, 1), GameKind(2, 4, True, 5)
LEAST_LONG = 6
"""Long games for each candidate without which a stage plays quick games."""


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
    game: View | State,
    layers: Layers,
    seed: Seed,
    rollouts: int | None = None,
    seconds: float | None = None,
    candidates: int = CANDIDATES,
    threads: int = 1,
) -> tuple[JudgedTurn, ...]:
    """The candidate turns of the seat to move, the best first.

    From a view, everything hidden from its seat is dealt anew in each short game; from a state, only the
    order of pouch and piles, so that the seat plays with open cards. Limited by ``rollouts`` (short games),
    by ``seconds``, or by both; ``ValueError`` without a limit, or if the seat of the view is not to move.
    With rollouts alone the result depends on the seed only, not on the threads.
    """
    begun = perf_counter()
    check_search(game, seed, rollouts, seconds, candidates, threads)
    if rollouts is not None:
        candidates = affordable(candidates, rollouts)
    flat = flatten_view(game) if isinstance(game, View) else flatten(game)
    codes, judged = judged_turns(flat, layers)
    with ignore_overflow(), ShortGames(flat, codes[:candidates], judged, layers, seed, threads) as games:
        if len(games.left) > 1:
            limit = inf if seconds is None else seconds
            halve(games, UNLIMITED if rollouts is None else rollouts, begun, limit)
        return games.judged_turns()


class ShortGames(Candidates):
    """Candidates whose simulated games end after a few more own turns, with the network's judgement."""

    def __init__(
        self, flat: Ints, codes: Ints, judged: Ints, layers: Layers, seed: Seed, threads: int = 1
    ) -> None:
        super().__init__(codes, TRUST * judged[: len(codes), 1:], seed, threads)
        self._flat, self._layers = flat, layers
        self._kind, self._stage = QUICK, self._next
        self._other = OTHER_WEIGHTS[int(flat[SEATS])]

    @property
    def cost(self) -> int:
        return self._kind.cost

    def drop_half(self) -> None:
        """Drop the worse half, and play long games from now on if as much work is enough for them."""
        work = (self._next - self._stage) * len(self.left) * self.cost
        super().drop_half()
        if work >= LEAST_LONG * len(self.left) * LONG.cost:
            self._kind = LONG
        self._stage = self._next

    def _try(self, keys: Words, sums: Ints) -> None:
        scratch = scratch_for(self._layers)
        try_short_games(self._flat, keys, self._codes, self.left, self._kind, self._layers, scratch, sums)

    def _total_values(self) -> Ints:
        own, other, share = self._sums.T
        values: Ints = own - self._other * other // OTHER_UNIT + WIN_POINTS * share
        return values

    def judged_turns(self) -> tuple[JudgedTurn, ...]:
        """All candidates: those dropped last first, then by value."""
        games = (TRUST + self._games) * UNIT
        values, means = self._total_values() / games, self._sums / games[:, None]
        order = np.lexsort((-values, -self._games))
        return tuple(
            JudgedTurn(
                decode(self._codes[place]),
                int(self._games[place]),
                float(values[place]),
                *map(float, means[place]),
            )
            for place in order
        )


@entry
def try_short_games(
    view: Ints,
    keys: Words,
    codes: Ints,
    left: Ints,
    kind: GameKind,
    layers: Layers,
    scratch: Scratch,
    sums: Ints,
) -> None:
    """Begin a short game of each key with every candidate that is ``left``, and add up their results.

    ``sums``: ``[candidates, 3]``, own total, best other total and share of the win.
    """
    state, start = np.empty(SIZE, np.int64), np.empty(SIZE, np.int64)
    streams, greedy = np.zeros(STREAMS, np.uint64), np.empty(SCRATCH, np.int64)
    decks, tiles = np.zeros(MOST_CARDS, np.int64), np.zeros(MOST_TILES, np.int64)
    listed, judged = np.empty(MOST_LISTED, np.int64), np.empty((MOST_LISTED, JUDGED), np.int64)
    nowhere, result = np.empty(0, np.int64), np.empty(RESULT, np.int64)
    seats, played = view[SEATS], view[TURN]
    seat, parts = played % seats, kind.last - kind.first + 1
    for game in range(keys.shape[0]):
        open_streams(keys[game, 0], keys[game, 1], seats, streams)
        determinize(view, streams, start, decks, tiles)
        for which in left:
            for place in range(SIZE):  # one deal for all candidates: only the turn differs
                state[place] = start[place]
            result[:] = 0
            code, own_turns = codes[which], 0
            for turn in range(played, ROUNDS * seats):
                mover, rounds = turn % seats, turn // seats
                at = HEADER + SEAT_SIZE * mover
                if mover != seat and not kind.by_network:
                    code = greedy_turn(state, at, WEIGHTS[STEWARD - 1], greedy)
                elif turn > played:
                    own_turns += mover == seat
                    count = list_turns(state, nowhere, 0)
                    if count > listed.size:
                        listed, judged = (
                            np.empty(2 * count, np.int64),
                            np.empty((2 * count, JUDGED), np.int64),
                        )
                    list_turns(state, listed, 0)
                    judge_turns(state, listed, count, layers, scratch, judged)
                    best = best_turn_of(judged, count)
                    code = listed[best]
                    if mover == seat and own_turns >= kind.first:
                        for part in range(RESULT):
                            result[part] += judged[best, 1 + part]
                        if own_turns == kind.last:
                            break
                play(state, at, code)
                answer(state, at, code, next_tile(tiles, seats, turn), next_card(decks, mover, rounds))
            if state[TURN] == ROUNDS * seats:
                _add_end(state, seat, kind.last - max(own_turns, kind.first - 1), result)
            for part in range(RESULT):
                sums[which, part] += result[part] // parts


@compiled
def _add_end(state: Ints, seat: int, missing: int, result: Ints) -> None:
    """Let the result of a game that is over stand for the judgements that are missing."""
    score_the_end(state)
    own, other, share = end_of(state, seat)
    result[0] += missing * own
    result[1] += missing * other
    result[2] += missing * share


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
