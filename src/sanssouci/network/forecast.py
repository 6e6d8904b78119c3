"""Forecasts for every seat: short simulated games in which the network plays and judges all seats.

A turn starts a simulated game that the network continues. Every seat is judged by its own knowledge, at its
next turn: its points at the end, and its share of the win. The chances of the network are calibrated for
games that it plays with itself (``docs/learning.md``), so the means are calibrated too. A game that comes to
the last round is played to its end, and its result counts.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from sanssouci.dealer import Seed, check_seed
from sanssouci.kernel.compiler import compiled, entry, ignore_overflow
from sanssouci.kernel.dealing import MOST_CARDS, MOST_TILES
from sanssouci.kernel.keys import game_keys
from sanssouci.kernel.layout import HEADER, SEAT_SIZE, SEATS, SIZE, TURN, Ints, flatten, flatten_view
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
"""The turn after the first one at which a seat is judged."""


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
    wins = means[..., WIN]
    means[..., WIN] = wins / np.maximum(wins.sum(axis=-1, keepdims=True), 1 / UNIT)
    return means


@entry
def play_forecast_games(
    view: Ints, keys: Words, codes: Ints, depth: int, layers: Layers, scratch: Scratch, sums: Ints
) -> None:
    """Begin a game of each key with every turn, and add up ``[turns, seats, 3]``."""
    state, start = np.empty(SIZE, np.int64), np.empty(SIZE, np.int64)
    streams = np.zeros(STREAMS, np.uint64)
    decks, tiles = np.zeros(MOST_CARDS, np.int64), np.zeros(MOST_TILES, np.int64)
    listed, judged = np.empty(MOST_LISTED, np.int64), np.empty((MOST_LISTED, JUDGED), np.int64)
    nowhere = np.empty(0, np.int64)
    seats, played = view[SEATS], view[TURN]
    last = ROUNDS * seats - 1
    ends = played // seats + depth >= ROUNDS - 1
    if not ends:
        last = played + seats * depth
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
                        for part in range(FIGURES):
                            sums[which, mover, part] += judged[best, 1 + part]
                play(state, at, code)
                answer(state, at, code, next_tile(tiles, seats, turn), next_card(decks, mover, rounds))
            if ends:
                score_the_end(state)
                _add_ends(state, sums[which])


@compiled
def _add_ends(state: Ints, sums: Ints) -> None:
    """Add the result of a game that is over."""
    for seat in range(state[SEATS]):
        own, other, share = end_of(state, seat)
        sums[seat, OWN] += own
        sums[seat, OTHER] += other
        sums[seat, WIN] += share
