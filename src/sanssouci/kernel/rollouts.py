"""Rollouts: what a seat cannot see is dealt anew, and the kernel's players play to the end."""

import numpy as np

from sanssouci.dealer import Seed, check_seed
from sanssouci.rules import Turn, View

from .bits import first
from .compiler import compiled, entry, ignore_overflow
from .dealing import BOARD_FIELDS, CARDS, MOST_CARDS, MOST_TILES, NO_BOARD
from .games import RESULT_FIELDS, fill_result, play_on
from .greedy import SCRATCH, WEIGHTS
from .keys import game_keys
from .layout import (
    FIRST,
    HAND,
    HEADER,
    MOST_SEATS,
    PILE,
    POUCH,
    SEAT_SIZE,
    SEATS,
    SECOND,
    SIZE,
    TURN,
    UNKNOWN,
    Ints,
    flatten_view,
)
from .play import answer, next_card, next_tile, play
from .rng import STREAMS, Words, open_streams, shuffle
from .series import Players, policies
from .turns import encode

_MISSIONS = 9


@compiled
def determinize(view: Ints, streams: Words, state: Ints, decks: Ints, tiles: Ints) -> None:
    """Determinize a view: deal what it hides anew (missions, hands, the order of piles and pouch).

    Everything visible stays, so each state is one that the seat could really be in.
    """
    # The caller's arrays are reused for all games, so that no game allocates memory. ``tiles`` first serves
    # as scratch for the missions; the tiles themselves are dealt last and overwrite it.
    for place in range(SIZE):
        state[place] = view[place]
    _deal_missions(state, streams, tiles)
    for seat in range(state[SEATS]):
        _deal_cards(state, seat, streams, decks)
    _deal_tiles(state, streams, tiles)


@compiled
def _deal_missions(state: Ints, streams: Words, pile: Ints) -> None:
    """R12: deal the missions that are not known to be taken."""
    known = 0
    for seat in range(state[SEATS]):
        at = HEADER + SEAT_SIZE * seat
        if state[at + FIRST] != UNKNOWN:
            known |= 1 << state[at + FIRST] | 1 << state[at + SECOND]
    count = 0
    for motif in range(_MISSIONS):
        if not known >> motif & 1:
            pile[count] = motif
            count += 1
    shuffle(pile, 0, count, streams)
    for seat in range(state[SEATS]):
        at = HEADER + SEAT_SIZE * seat
        if state[at + FIRST] == UNKNOWN:
            state[at + FIRST], state[at + SECOND] = pile[count - 2], pile[count - 1]
            count -= 2


@compiled
def _deal_cards(state: Ints, seat: int, streams: Words, decks: Ints) -> None:
    """R11: shuffle the hidden cards, and draw a hand from them where none is known.

    The unplayed cards are the end of the seat's part of ``decks``, so that ``next_card`` finds them there.
    """
    at, end = HEADER + SEAT_SIZE * seat, CARDS * (seat + 1)
    hand, pile = state[at + HAND], state[at + PILE]
    # In a view, a hidden hand belongs to the pile. Its two cards are then the first of the shuffled ones, and
    # the draws follow: ``next_card`` reads place 2 + round, whether or not the hand was known.
    hidden = pile.bit_count()
    place = end - hidden
    while pile != 0:
        decks[place] = first(pile)
        pile &= pile - 1
        place += 1
    shuffle(decks, end - hidden, hidden, streams)
    if hand == 0:
        for place in range(end - hidden, min(end - hidden + 2, end)):
            state[at + HAND] |= 1 << decks[place]
        state[at + PILE] &= ~state[at + HAND]


@compiled
def _deal_tiles(state: Ints, streams: Words, tiles: Ints) -> None:
    """R13: shuffle the tiles in the pouch."""
    # The first ten places were the first display, and each turn has taken one more for its refill. Only the
    # places from here on are read again.
    start = 10 + state[TURN]
    count = 0
    for motif in range(9):
        for _ in range(state[POUCH] >> 4 * motif & 15):
            tiles[start + count] = motif
            count += 1
    shuffle(tiles, start, count, streams)


@entry
def _roll_out(view: Ints, keys: Words, turn: int, policies: Ints, results: Ints) -> None:
    """Fill ``results``, ``[games, 4, RESULT_FIELDS]``, one rollout for each key; ``turn`` < 0 is none."""
    state, streams = np.empty(SIZE, np.int64), np.zeros(STREAMS, np.uint64)
    decks, tiles = np.zeros(MOST_CARDS, np.int64), np.zeros(MOST_TILES, np.int64)
    boards, scratch = np.full((MOST_SEATS, BOARD_FIELDS), NO_BOARD, np.int64), np.empty(SCRATCH, np.int64)
    nowhere = np.empty(0, np.int64)
    seats, played = view[SEATS], view[TURN]
    rounds, seat = played // seats, played % seats
    at = HEADER + SEAT_SIZE * seat
    # The hidden cards are dealt before ``turn`` is played, from streams that depend on the key alone. So two
    # turns meet the same hands, missions and piles, and their difference has far less noise than their
    # values (common random numbers).
    for game in range(keys.shape[0]):
        open_streams(keys[game, 0], keys[game, 1], seats, streams)
        determinize(view, streams, state, decks, tiles)
        if turn >= 0:
            play(state, at, turn)
            answer(state, at, turn, next_tile(tiles, seats, played), next_card(decks, seat, rounds))
        play_on(state, decks, tiles, policies, streams, nowhere, WEIGHTS, scratch)
        fill_result(state, boards, results[game])


def rollouts(view: View, seed: Seed, games: int, players: Players, turn: Turn | None = None) -> Ints:
    """``[games, 4, RESULT_FIELDS]``: results of simulated games from a view.

    Each game deals anew what the view hides, and the kernel's own ``players`` play it to the end. A ``turn``
    is played first; it must be a legal turn of the view's seat. The same seed deals the same games whatever
    the turn, so that turns can be compared. ``ValueError`` if the game is over or the turn is not legal.
    """
    check_seed(seed)
    if view.over:
        raise ValueError("the game is over")
    if turn is not None and turn not in view.options():
        raise ValueError(f"{turn} is not legal")
    results = np.zeros((games, MOST_SEATS, RESULT_FIELDS), np.int64)
    with ignore_overflow():
        code = -1 if turn is None else encode(turn)
        seats = policies(players, view.variant.seats)
        _roll_out(flatten_view(view), game_keys(seed, 1, games), code, seats, results)
    return results
