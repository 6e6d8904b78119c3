"""The legal turns of the seat to move, in the order of ``rules.Options``."""

import numpy as np

from sanssouci.rules import ROUNDS
from sanssouci.rules.cards import takes
from sanssouci.rules.display import motif_on
from sanssouci.rules.walk import boar_squares, joined, noble_stops, own_square, tile_squares

from .bits import first
from .compiler import compiled, entry
from .layout import (
    BOAR,
    BUILT,
    CONNECTED,
    DISPLAY,
    GARDENERS,
    HAND,
    HEADER,
    NOBLES,
    SEAT_SIZE,
    SEATS,
    TURN,
    Ints,
)
from .turns import BOAR_GOES, BOAR_LEAVES, NO_BOAR, NO_NOBLE, NOBLE_GOES, coded


@compiled
def own_square_of(state: Ints, space: int) -> int:
    """R18: where the tile of a space belongs."""
    return own_square(motif_on(state[DISPLAY], space), space)


@compiled
def stops_after(state: Ints, at: int, square: int, gardener: int) -> int:
    """R20: where a noble may end its move once a tile has been laid."""
    built = state[at + BUILT] | 1 << square
    connected = joined(state[at + CONNECTED], square, built)
    return noble_stops(connected, state[at + GARDENERS] | gardener << square, state[at + NOBLES])


@compiled
def boar_goals(state: Ints, at: int, square: int) -> int:
    """R35, R36: the possible moves of the boar, as a set of codes (see ``turns``)."""
    if not state[at + BOAR] >> square & 1:
        return 1 << NO_BOAR
    goals = boar_squares(state[at + BOAR], state[at + BUILT] | 1 << square)
    return goals << BOAR_GOES if goals != 0 else 1 << BOAR_LEAVES


@compiled
def seat_to_move(state: Ints) -> int:
    """The seat whose turn it is; -1 if the game is over."""
    return state[TURN] % state[SEATS] if state[TURN] < ROUNDS * state[SEATS] else -1


@compiled
def _turns_of_space(state: Ints, at: int, space: int, found: Ints, count: int) -> int:
    """Append every turn that takes the tile of a space, with the card left 0; returns the new count.

    With an empty ``found`` they are only counted.
    """
    own = own_square_of(state, space)
    gardener = state[at + BUILT] >> own & 1
    squares = tile_squares(own, state[at + BUILT])
    while squares != 0:
        square = first(squares)
        squares &= squares - 1
        goals = boar_goals(state, at, square)
        stops = stops_after(state, at, square, gardener)
        if found.size == 0:
            count += goals.bit_count() * (1 + stops.bit_count())
            continue
        while goals != 0:
            turn = coded(0, space, square, gardener, first(goals), NO_NOBLE)
            goals &= goals - 1
            found[count] = turn
            count += 1
            left = stops
            while left != 0:
                found[count] = turn | first(left) + NOBLE_GOES << 22
                count += 1
                left &= left - 1
    return count


@entry
def list_turns(state: Ints, found: Ints, count: int) -> int:
    """Append the codes of all legal turns to ``found``; returns the new count.

    With an empty ``found`` they are only counted. What can be done with a tile does not depend on the card
    that takes it: for a second card the turns of the first are copied.
    """
    seat = seat_to_move(state)
    if seat < 0:
        return count
    at = HEADER + SEAT_SIZE * seat
    begin = np.full(2 * 10, -1, np.int64)  # for each of the ten spaces, where its turns begin and end
    hand = state[at + HAND]
    while hand != 0:
        card = first(hand)
        hand &= hand - 1
        spaces = takes(card, state[DISPLAY])
        while spaces != 0:
            space = first(spaces)
            spaces &= spaces - 1
            count = _append(state, at, card, space, begin, found, count)
    return count


@compiled
def _append(state: Ints, at: int, card: int, space: int, begin: Ints, found: Ints, count: int) -> int:
    """Append the turns of one card and one space, new or copied from another card."""
    start, stop = begin[2 * space], begin[2 * space + 1]
    if start >= 0:
        if found.size != 0:
            for place in range(stop - start):
                found[count + place] = (
                    found[start + place] & ~31 | card
                )  # the card is in the lowest five bits
        return count + stop - start
    start = count
    count = _turns_of_space(state, at, space, found, count)
    if found.size != 0:
        for place in range(start, count):
            found[place] |= card
    begin[2 * space], begin[2 * space + 1] = start, count
    return count


@entry
def count_turns(states: Ints, counts: Ints) -> None:
    """``counts``: ``[B]``, how many legal turns each of the ``states`` ``[B, SIZE]`` has."""
    nowhere = np.empty(0, np.int64)
    for game in range(states.shape[0]):
        counts[game] = list_turns(states[game], nowhere, 0)


@entry
def fill_turns(states: Ints, found: Ints) -> None:
    """``found``: ``[N]``, the legal turns of all ``states`` one after the other."""
    count = 0
    for game in range(states.shape[0]):
        count = list_turns(states[game], found, count)


@compiled
def is_legal(state: Ints, turn: int) -> bool:
    """Whether the seat to move may play a turn (R14-R20, R34-R36)."""
    seat = seat_to_move(state)
    card, space, square = turn & 31, turn >> 5 & 15, turn >> 9 & 63
    if seat < 0 or turn < 0 or turn >> 28 != 0 or space > 9 or square > 53:
        return False
    at = HEADER + SEAT_SIZE * seat
    if not state[at + HAND] >> card & 1 or not takes(card, state[DISPLAY]) >> space & 1:
        return False
    own, gardener, noble = own_square_of(state, space), turn >> 15 & 1, turn >> 22 & 63
    if gardener != state[at + BUILT] >> own & 1 or not tile_squares(own, state[at + BUILT]) >> square & 1:
        return False
    if not boar_goals(state, at, square) >> (turn >> 16 & 63) & 1:
        return False
    return noble == NO_NOBLE or bool(stops_after(state, at, square, gardener) >> (noble - NOBLE_GOES) & 1)
