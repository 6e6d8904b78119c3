"""The tables of ``rules.Options`` as bit sets, for many games at once."""

from typing import NamedTuple

import numpy as np

from sanssouci.rules.cards import takes
from sanssouci.rules.walk import tile_squares

from .bits import first
from .compiler import compiled, entry
from .layout import BOAR, BUILT, DISPLAY, HAND, HEADER, SEAT_SIZE, SIZE, Ints
from .options import boar_goals, own_square_of, seat_to_move, stops_after


class Masks(NamedTuple):
    """The choices of the seat to move, stage by stage; all 0 where the game is over."""

    spaces: Ints
    """``[B, 20]``: the spaces that each card of the hand may take; 0 for a card that is not in hand."""
    squares: Ints
    """``[B, 10]``: the squares where the tile of each space may go; 0 for one that no card may take."""
    gardeners: Ints
    """``[B]``: the spaces whose tile becomes a gardener."""
    boar: Ints
    """``[B]``: where the boar goes if a tile is laid on it: bit 1 away, bit 2 + s to square s; else 0."""
    stops: Ints
    """``[B, 2, 54]``: the noble stops once a tile lies on a square, as a structure (0) or a gardener (1)."""


def option_masks(states: Ints) -> Masks:
    """The masks of ``states`` ``[B, SIZE]``."""
    if states.ndim != 2 or states.shape[1] != SIZE:
        raise ValueError(f"states have the shape (games, {SIZE}), not {states.shape}")
    games = len(states)
    shapes = ((games, 20), (games, 10), (games,), (games,), (games, 2, 54))
    masks = Masks(*(np.zeros(shape, np.int64) for shape in shapes))
    _fill(states, *masks)
    return masks


@entry
def _fill(states: Ints, spaces: Ints, squares: Ints, gardeners: Ints, boar: Ints, stops: Ints) -> None:
    for game in range(states.shape[0]):
        state = states[game]
        seat = seat_to_move(state)
        if seat < 0:
            continue
        at = HEADER + SEAT_SIZE * seat
        reachable = _fill_spaces(state, at, spaces[game])
        while reachable != 0:
            space = first(reachable)
            reachable &= reachable - 1
            own = own_square_of(state, space)
            gardener = state[at + BUILT] >> own & 1
            gardeners[game] |= gardener << space
            squares[game, space] = tile_squares(own, state[at + BUILT])
            _fill_stops(state, at, squares[game, space], gardener, stops[game])
        if state[at + BOAR] != 0:
            boar[game] = boar_goals(state, at, first(state[at + BOAR]))


@compiled
def _fill_spaces(state: Ints, at: int, spaces: Ints) -> int:
    """The spaces of every card in hand; all of them together."""
    hand, reachable = state[at + HAND], 0
    while hand != 0:
        card = first(hand)
        hand &= hand - 1
        spaces[card] = takes(card, state[DISPLAY])
        reachable |= spaces[card]
    return reachable


@compiled
def _fill_stops(state: Ints, at: int, squares: int, gardener: int, stops: Ints) -> None:
    while squares != 0:
        square = first(squares)
        squares &= squares - 1
        stops[gardener, square] = stops_after(state, at, square, gardener)
