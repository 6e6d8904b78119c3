"""Whole games in one call: dealt, played by the kernel's own players, scored."""

import numpy as np

from sanssouci.rules import ROUNDS
from sanssouci.rules.scoring import rank

from .compiler import compiled, entry
from .dealing import BOARD_FIELDS, MOST_CARDS, MOST_TILES, NO_BOARD, deal
from .greedy import RANDOM, SCRATCH, greedy_turn
from .layout import GARDENERS, HEADER, MOST_SEATS, POINTS, SEAT_SIZE, SEATS, SIZE, TURN, Ints
from .play import answer, next_card, next_tile, play, score_the_end
from .random import play_at_random
from .rng import STREAMS, Words, open_streams

PART_FIELDS = 6
GARDENER_FIELD = 6
WINNERS_FIELD = 7
BOARD_FIELD = 8
RESULT_FIELDS = BOARD_FIELD + BOARD_FIELDS
"""Fields of a seat in a result: six score parts, gardeners, number of winners if it won (else 0), boards."""


@compiled
def play_on(
    state: Ints,
    decks: Ints,
    tiles: Ints,
    policies: Ints,
    streams: Words,
    turns: Ints,
    weights: Ints,
    scratch: Ints,
) -> None:
    """Play a game from a state to its end, with draws from the deal; an empty ``turns`` records no codes."""
    seats, played = state[SEATS], state[TURN]
    for rounds in range(ROUNDS):
        # Loops start at 0 and skip the turns already played: from a start that it does not know the
        # compiler would have to expect negative indices, which wrap around.
        for seat in range(seats):
            turn = seats * rounds + seat
            if turn < played:
                continue
            at = HEADER + SEAT_SIZE * seat
            if policies[seat] == RANDOM:
                code = play_at_random(state, at, 1 + seat, streams)
            else:
                code = greedy_turn(state, at, weights[policies[seat] - 1], scratch)
                play(state, at, code)
            answer(state, at, code, next_tile(tiles, seats, turn), next_card(decks, seat, rounds))
            if turns.size != 0:
                turns[turn] = code
    score_the_end(state)


@compiled
def fill_result(state: Ints, boards: Ints, result: Ints) -> None:
    """Fill ``result``, ``[4, RESULT_FIELDS]``, from a finished game (R28)."""
    best, winners = -1, 0
    for seat in range(state[SEATS]):
        at, total = HEADER + SEAT_SIZE * seat, 0
        for part in range(PART_FIELDS):
            result[seat, part] = state[at + POINTS + part]
            total += state[at + POINTS + part]
        gardeners = state[at + GARDENERS].bit_count()
        result[seat, GARDENER_FIELD] = gardeners
        found = rank(total, gardeners)
        result[seat, WINNERS_FIELD] = found  # its rank, until the best one is known
        winners = 1 if found > best else winners + (found == best)
        best = max(best, found)
        for field in range(BOARD_FIELDS):
            result[seat, BOARD_FIELD + field] = boards[seat, field]
    for seat in range(state[SEATS]):
        result[seat, WINNERS_FIELD] = winners if result[seat, WINNERS_FIELD] == best else 0


@entry
def play_games(
    keys: Words,
    header: Ints,
    gardens: Ints,
    rewards: Ints,
    policies: Ints,
    results: Ints,
    turns: Ints,
    weights: Ints,
) -> None:
    """Play the games of these keys.

    ``keys``: ``[games, 2]``; ``results``: ``[games, 4, RESULT_FIELDS]``; ``turns``: ``[games, 72]`` for the
    codes, or ``[games, 0]``.
    """
    # Allocated once and reused for every game: compiled functions below this one may not allocate.
    state, streams = np.zeros(SIZE, np.int64), np.zeros(STREAMS, np.uint64)
    decks, tiles = np.zeros(MOST_CARDS, np.int64), np.zeros(MOST_TILES, np.int64)
    boards, scratch = np.full((MOST_SEATS, BOARD_FIELDS), NO_BOARD, np.int64), np.empty(SCRATCH, np.int64)
    for game in range(keys.shape[0]):
        open_streams(keys[game, 0], keys[game, 1], header[SEATS], streams)
        deal(header, gardens, rewards, streams, state, decks, tiles, boards)
        play_on(state, decks, tiles, policies, streams, turns[game], weights, scratch)
        fill_result(state, boards, results[game])
