"""Forecasts for every seat: short simulated games in which the network plays and judges all seats.

A turn starts a simulated game that the network continues. In the next round, every seat is judged by its own
knowledge: how many points it will have at the end. Its chance of winning follows from the points of all seats
and the rounds that are left. All seats are judged in the same round, because errors of a round are common to
them. A game that comes to the last round is played to its end, and its result counts.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from sanssouci.dealer import Seed, check_seed
from sanssouci.kernel.compiler import compiled, entry, ignore_overflow
from sanssouci.kernel.dealing import MOST_CARDS, MOST_TILES
from sanssouci.kernel.keys import game_keys
from sanssouci.kernel.layout import (
    HEADER,
    MOST_SEATS,
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
from sanssouci.kernel.turns import encode
from sanssouci.rules import ROUNDS, State, Turn, View

from .inference import UNIT, Layers, Scratch, best_turn_of, judge_turns, scratch_for
from .search import JUDGED, MOST_LISTED, end_of

OWN, OTHER, WIN, FIGURES = range(4)
"""Figures for a seat: its total, the total of the best other seat, and its share of the win."""
DEPTH = 1
"""Rounds after that of the first turn until the seats are judged."""
SLOPES = np.array(
    [
        [0.180, 0.187, 0.176, 0.186, 0.193, 0.204, 0.211, 0.217, 0.234,
         0.244, 0.262, 0.280, 0.298, 0.322, 0.366, 0.453, 0.529],
        [0.175, 0.182, 0.171, 0.179, 0.186, 0.191, 0.203, 0.215, 0.244,
         0.257, 0.273, 0.285, 0.301, 0.333, 0.387, 0.487, 0.554],
        [0.184, 0.195, 0.203, 0.210, 0.218, 0.233, 0.246, 0.256, 0.260,
         0.267, 0.280, 0.302, 0.330, 0.362, 0.404, 0.481, 0.537],
    ]
)  # fmt: skip
"""``[seats - 2, round]``: the logit of a win for each point that a seat is ahead; late leads are safer.

``python -m benchmarks.forecast_calibration`` fits them to games of the network from positions that other
players have reached. The chances that the network judges itself fit them less well: each comes from one seat
alone."""
_SLOPE_BITS, _LOGIT_STEPS = 14, 256
_FIXED_SLOPES = np.round(SLOPES * _LOGIT_STEPS * (1 << _SLOPE_BITS) / UNIT).astype(np.int64)
_ODDS = np.round(np.exp(-np.arange(12 * _LOGIT_STEPS) / _LOGIT_STEPS) * (1 << 30)).astype(np.int64)
"""The odds of a win compared with the seat that has most points, by the difference of their logits."""


def compare_turns(
    game: View | State,
    turns: Sequence[Turn],
    layers: Layers,
    seed: Seed,
    games: int,
    pieces: int,
    check_cancelled: Callable[[], None] = lambda: None,
) -> npt.NDArray[np.float64]:
    """``[pieces, turns, seats, 3]``: what turns of the seat to move bring every seat, in the same games.

    The figures are means over the ``games`` of a piece; the shares of the win add up to 1. The differences
    between pieces show how exact they are. From a view, everything hidden from its seat is dealt anew in each
    game; from a state, only the order of pouch and piles. ``check_cancelled`` is called before each piece.
    ``ValueError`` if a turn is not legal.
    """
    check_seed(seed)
    if game.over or (isinstance(game, View) and game.seat != game.to_move):
        raise ValueError("it is not the turn of this seat")
    options = game.options()
    for turn in turns:
        if turn not in options:
            raise ValueError(f"{turn} is not legal")
    if not turns or games < 1 or pieces < 1:
        raise ValueError("nothing is compared")
    flat = flatten_view(game) if isinstance(game, View) else flatten(game)
    codes, scratch = np.array([encode(turn) for turn in turns], np.int64), scratch_for(layers)
    sums = np.zeros((pieces, len(turns), game.variant.seats, FIGURES), np.int64)
    with ignore_overflow():
        for piece in range(pieces):
            check_cancelled()
            keys = game_keys(seed, 1 + games * piece, games)
            play_forecast_games(flat, keys, codes, DEPTH, layers, scratch, sums[piece])
    means = sums / (games * UNIT)
    means[..., WIN] /= means[..., WIN].sum(axis=-1, keepdims=True)  # they were rounded down
    return means


@entry
def play_forecast_games(
    view: Ints, keys: Words, codes: Ints, depth: int, layers: Layers, scratch: Scratch, sums: Ints
) -> None:
    """Begin a game of each key with every turn, and add up ``[turns, seats, 3]``."""
    state, start = np.empty(SIZE, np.int64), np.empty(SIZE, np.int64)
    streams, judgement = np.zeros(STREAMS, np.uint64), np.zeros((MOST_SEATS, FIGURES), np.int64)
    decks, tiles = np.zeros(MOST_CARDS, np.int64), np.zeros(MOST_TILES, np.int64)
    listed, judged = np.empty(MOST_LISTED, np.int64), np.empty((MOST_LISTED, JUDGED), np.int64)
    nowhere = np.empty(0, np.int64)
    seats, played = view[SEATS], view[TURN]
    last = ROUNDS * seats - 1
    ends = played // seats + depth >= ROUNDS - 1
    if not ends:
        last = seats * (played // seats + depth + 1) - 1  # all seats in the same round
    for game in range(keys.shape[0]):
        open_streams(keys[game, 0], keys[game, 1], seats, streams)
        determinize(view, streams, start, decks, tiles)
        for which in range(codes.size):
            for place in range(SIZE):  # one deal for all turns: only the first turn differs
                state[place] = start[place]
            code = codes[which]
            for turn in range(played, last + 1):
                mover, rounds = turn % seats, turn // seats
                at = HEADER + SEAT_SIZE * mover
                if turn > played:
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
                    if not ends and turn > last - seats:
                        judgement[mover, OWN], judgement[mover, OTHER] = judged[best, 1], judged[best, 2]
                play(state, at, code)
                answer(state, at, code, next_tile(tiles, seats, turn), next_card(decks, mover, rounds))
            if ends:
                score_the_end(state)
                _fill_results(judgement, state)
            else:
                _fill_chances(judgement, seats, last // seats)
            sums[which] += judgement[:seats]


@compiled
def _fill_results(judgement: Ints, state: Ints) -> None:
    """The figures of a game that is over."""
    for seat in range(state[SEATS]):
        judgement[seat, OWN], judgement[seat, OTHER], judgement[seat, WIN] = end_of(state, seat)


@compiled
def _fill_chances(judgement: Ints, seats: int, rounds: int) -> None:
    """The chance of each seat to win, from the points that all of them expect."""
    slope, most, total = _FIXED_SLOPES[seats - 2, rounds], judgement[0, OWN], 0
    for seat in range(seats):
        most = max(most, judgement[seat, OWN])
    for seat in range(seats):
        behind = (most - judgement[seat, OWN]) * slope >> _SLOPE_BITS
        judgement[seat, WIN] = _ODDS[min(behind, _ODDS.size - 1)]
        total += judgement[seat, WIN]
    for seat in range(seats):
        judgement[seat, WIN] = judgement[seat, WIN] * UNIT // total
