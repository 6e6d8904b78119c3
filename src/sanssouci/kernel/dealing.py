"""Deals a new game from its random streams, pile by pile, exactly as ``dealer.prepare`` does.

A deal is three arrays: the state before the first turn, ``decks`` (18 cards a seat in draw order) and
``tiles`` (in the order they come up). The order of a pile is never part of a state.
"""

import numpy as np

from sanssouci.rules import BOAR_START, ROW_1, Deal
from sanssouci.rules.cards import CARDS_OF_A_SEAT
from sanssouci.rules.display import tiles_of_each
from sanssouci.rules.rewards import visible
from sanssouci.rules.walk import stroll

from .bits import member
from .compiler import compiled
from .game_setup import ONE_SIDE
from .layout import (
    BOAR,
    BOAR_PLAYED,
    BUILT,
    CONNECTED,
    DECK,
    DISPLAY,
    EXPANSIONS,
    FIRST,
    HAND,
    HEADER,
    MARKS,
    MOST_SEATS,
    PILE,
    POUCH,
    PRINTED,
    REWARDS_PLAYED,
    SEAT_SIZE,
    SEATS,
    SECOND,
    SIZE,
    Ints,
    flatten,
)
from .rng import Words, below, shuffle

CARDS = CARDS_OF_A_SEAT
MOST_CARDS = CARDS * MOST_SEATS
MOST_TILES = 81
BOARD_FIELDS = 4
"""Per seat: garden board, its side, reward board, its side."""
NO_BOARD = -1


@compiled
def deal(
    header: Ints,
    gardens: Ints,
    rewards: Ints,
    streams: Words,
    state: Ints,
    decks: Ints,
    tiles: Ints,
    boards: Ints,
) -> None:
    """Deal a game into ``state``, ``decks`` and ``tiles``; every seat picks its sides at random.

    ``boards``: ``[4, 4]``, what each seat was dealt and picked.
    """
    for place in range(SIZE):
        state[place] = header[place] if place < HEADER else 0
    seats = header[SEATS]
    # The order of the draws is that of ``dealer.prepare``, so that both deal the same game from a key.
    # ``tiles`` is filled last and serves as scratch space for the smaller piles before that.
    _deal_boards(gardens, seats, streams, tiles, boards, 0)
    _deal_missions(state, seats, streams, tiles)
    if header[EXPANSIONS] & REWARDS_PLAYED:
        _deal_boards(rewards, seats, streams, tiles, boards, 2)
    for seat in range(seats):
        marks = 0
        if header[EXPANSIONS] & REWARDS_PLAYED:
            marks = rewards[boards[seat, 2], boards[seat, 3]]
        _lay_out_garden(state, seat, gardens[boards[seat, 0], boards[seat, 1]], marks)
    _deal_decks(state, seats, streams, decks)
    _deal_tiles(state, seats, streams, tiles)


@compiled
def _deal_boards(sides: Ints, seats: int, streams: Words, pile: Ints, boards: Ints, field: int) -> None:
    """R9, R29: a board for each seat, then each picks a side if there are two."""
    count = sides.shape[0]
    for board in range(count):
        pile[board] = board
    shuffle(pile, 0, count, streams)
    for seat in range(seats):
        boards[seat, field] = pile[seat]
        boards[seat, field + 1] = 0
        if sides[pile[seat], 1] != ONE_SIDE:
            boards[seat, field + 1] = below(streams, 1 + seat, 2)


@compiled
def _deal_missions(state: Ints, seats: int, streams: Words, pile: Ints) -> None:
    """R12: two missions for each seat."""
    for motif in range(9):
        pile[motif] = motif
    shuffle(pile, 0, 9, streams)
    for seat in range(seats):
        at = HEADER + SEAT_SIZE * seat
        state[at + FIRST], state[at + SECOND] = pile[2 * seat], pile[2 * seat + 1]


@compiled
def _lay_out_garden(state: Ints, seat: int, printed: int, marks: int) -> None:
    """R2, R33, R34: row 1 and what the reward board leaves to see; the boar in the middle."""
    at = HEADER + SEAT_SIZE * seat
    shown = visible(printed, marks)
    state[at + PRINTED] = state[at + BUILT] = shown
    state[at + CONNECTED] = stroll(ROW_1, shown)
    state[at + MARKS] = marks
    if state[EXPANSIONS] & BOAR_PLAYED:
        state[at + BOAR] = 1 << BOAR_START


@compiled
def _deal_decks(state: Ints, seats: int, streams: Words, decks: Ints) -> None:
    """R11: every seat's cards, two of them in hand."""
    deck = state[DECK]
    for seat in range(seats):
        start, at = CARDS * seat, HEADER + SEAT_SIZE * seat
        for place in range(CARDS):
            decks[start + place] = member(deck, place)
        shuffle(decks, start, CARDS, streams)
        hand = 1 << decks[start] | 1 << decks[start + 1]
        state[at + HAND], state[at + PILE] = hand, deck & ~hand


@compiled
def _deal_tiles(state: Ints, seats: int, streams: Words, tiles: Ints) -> None:
    """R13: ten tiles laid out, the rest in the pouch."""
    of_each = tiles_of_each(seats)
    for motif in range(9):
        for tile in range(of_each):
            tiles[of_each * motif + tile] = motif
    shuffle(tiles, 0, 9 * of_each, streams)
    shown, pouch = 0, 0
    for space in range(10):
        shown |= tiles[space] << 4 * space
    for place in range(10, 9 * of_each):
        pouch += 1 << 4 * tiles[place]
    state[DISPLAY], state[POUCH] = shown, pouch


def load_deal(deal: Deal) -> tuple[Ints, Ints, Ints]:
    """``[SIZE]``, ``[72]``, ``[81]``: the state before the first turn, the decks and the tiles of a deal."""
    decks, tiles = np.zeros(MOST_CARDS, np.int64), np.zeros(MOST_TILES, np.int64)
    for seat, deck in enumerate(deal.decks):
        decks[CARDS * seat : CARDS * seat + CARDS] = deck
    tiles[: len(deal.tiles)] = deal.tiles
    return flatten(deal.start()), decks, tiles
