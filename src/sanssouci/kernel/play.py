"""Plays a turn on a flat state, with the functions of the rules.

A turn has two halves: ``play`` applies the player's decisions to the garden, ``answer`` what chance draws.
"""

from sanssouci.rules import EMPTY, ROUNDS
from sanssouci.rules.display import with_tile
from sanssouci.rules.scoring import boar_points, end_points, turn_points
from sanssouci.rules.walk import joined, moved

from .compiler import compiled, inlined
from .dealing import CARDS
from .layout import (
    BOAR,
    BOAR_POINTS,
    BUILT,
    COLUMN_POINTS,
    CONNECTED,
    DISPLAY,
    FIRST,
    GARDENERS,
    HAND,
    HEADER,
    MARKS,
    MISSION_POINTS,
    NOBLE_POINTS,
    NOBLES,
    PILE,
    POUCH,
    REWARD_POINTS,
    ROW_POINTS,
    SEAT_SIZE,
    SEATS,
    SECOND,
    TURN,
    Ints,
)
from .turns import BOAR_GOES, BOAR_LEAVES, NO_BOAR, NO_NOBLE, NOBLE_GOES

NOTHING = -1
"""Drawn from an empty pouch or pile."""


@compiled
def points_so_far(state: Ints, at: int) -> int:
    """The points of a seat before the end is scored."""
    return state[at + NOBLE_POINTS] + state[at + REWARD_POINTS] + state[at + BOAR_POINTS]


@inlined
def lay(state: Ints, at: int, square: int, gardener: int) -> None:
    """Lay a tile on a square, as a structure or as a gardener (R18, R19)."""
    built = state[at + BUILT] | 1 << square
    state[at + BUILT] = built
    state[at + CONNECTED] = joined(state[at + CONNECTED], square, built)
    state[at + GARDENERS] |= gardener << square


@inlined
def finish(state: Ints, at: int, square: int, gardener: int, boar: int, noble: int) -> None:
    """Once the tile is laid: move boar and noble as their codes say, and score the turn (R35-R38)."""
    row = 0
    if boar != NO_BOAR:
        state[at + BOAR] = 0 if boar == BOAR_LEAVES else 1 << (boar - BOAR_GOES)
    if noble != NO_NOBLE:
        stop = noble - NOBLE_GOES
        row = 1 + stop // 9
        state[at + NOBLES] = moved(state[at + NOBLES], stop)
    disturbed = boar_points(boar != NO_BOAR, boar == BOAR_LEAVES)
    # R32, R38: a loss cannot take more than the score before the turn.
    total = points_so_far(state, at)
    points = turn_points(state[at + MARKS], square, gardener == 1, disturbed, row, total)
    state[at + NOBLE_POINTS] += points[0]
    state[at + REWARD_POINTS] += points[1]
    state[at + BOAR_POINTS] += points[2]


@inlined
def answer(state: Ints, at: int, turn: int, refill: int, draw: int) -> None:
    """Refill the emptied space, draw a card, and end the turn (R22, R23)."""
    state[DISPLAY] = with_tile(state[DISPLAY], turn >> 5 & 15, EMPTY if refill == NOTHING else refill)
    if refill != NOTHING:
        state[POUCH] -= 1 << 4 * refill  # one less in the four bits of the motif
    hand = state[at + HAND] & ~(1 << (turn & 31))
    if draw != NOTHING:
        hand |= 1 << draw
        state[at + PILE] &= ~(1 << draw)
    state[at + HAND] = hand
    state[TURN] += 1


@compiled
def play(state: Ints, at: int, turn: int) -> None:
    """Play the decisions of a legal turn for the seat at offset ``at``."""
    square, gardener = turn >> 9 & 63, turn >> 15 & 1
    lay(state, at, square, gardener)
    finish(state, at, square, gardener, turn >> 16 & 63, turn >> 22 & 63)


@compiled
def next_tile(tiles: Ints, seats: int, turn: int) -> int:
    """The tile that refills the display after a turn, counted from 0 (R22)."""
    return tiles[10 + turn] if turn < ROUNDS * seats - 1 else NOTHING


@compiled
def next_card(decks: Ints, seat: int, rounds: int) -> int:
    """The card that a seat draws in a round, counted from 0 (R23)."""
    return decks[CARDS * seat + 2 + rounds] if rounds < CARDS - 2 else NOTHING


@compiled
def score_the_end(state: Ints) -> None:
    """R25-R27, then R37: the points of the end, for every seat."""
    for seat in range(state[SEATS]):
        at = HEADER + SEAT_SIZE * seat
        rows, columns, missions, boar = end_points(
            state[at + BUILT],
            state[at + NOBLES],
            state[at + BOAR],
            state[at + FIRST],
            state[at + SECOND],
            points_so_far(state, at),
        )
        state[at + ROW_POINTS], state[at + COLUMN_POINTS] = rows, columns
        state[at + MISSION_POINTS] = missions
        state[at + BOAR_POINTS] += boar
