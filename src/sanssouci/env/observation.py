"""Observations: the view of a seat as one vector of bytes, in the layout of ``spec``."""

from functools import cache, lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sanssouci.rules import CARDS, COLUMNS, Garden, Mark, Marks, View, marked_squares, set_of, tiles_on

from .spec import GARDEN_PLANES, Stage, fields, observation_size
from .stages import Chosen

Observation: TypeAlias = npt.NDArray[np.uint8]
ActionMask: TypeAlias = npt.NDArray[np.int8]

_PLANE = 54
_GARDEN = _PLANE * len(GARDEN_PLANES)
_REWARD_PLANES = {
    Mark.PLUS_1: (5, 1),
    Mark.PLUS_2: (5, 2),
    Mark.PLUS_3: (5, 3),
    Mark.GARDENER_3: (6, 3),
    Mark.MINUS_2: (7, 2),
    Mark.MINUS_3: (7, 3),
}
"""The plane and the value of each mark of a reward board."""


def observe(view: View, stage: Stage | None = None, chosen: Chosen = ()) -> Observation:
    """What a seat knows, and the choices of its unfinished turn.

    ``stage`` is None if the seat has nothing to decide, or decides on a whole turn.
    """
    seats, own = view.variant.seats, view.seat
    if own is None:
        raise ValueError("a spectator has no observation")
    size, start = observation_size(seats), _starts(seats)
    # All elements that are 0 or 1 are collected as the bits of one integer.
    bits = (
        view.hand << start["hand"]
        | 1 << start["seat"] + own
        | view.variant.rewards << start["expansions"]
        | view.variant.wild_boar << start["expansions"] + 1
    )
    for place in range(seats):
        seat = (own + place) % seats
        bits |= _garden_bits(view.gardens[seat]) << start["gardens"] + _GARDEN * place
        bits |= view.unplayed[seat] << start["unplayed"] + len(CARDS) * place
        bits |= set_of(view.missions[seat] or ()) << start["missions"] + len(COLUMNS) * place
    for space, motif in enumerate(tiles_on(view.display)):
        if motif is not None:
            bits |= 1 << start["display"] + len(COLUMNS) * space + motif
    if not view.over:
        bits |= 1 << start["to_move"] + (view.to_move - own) % seats
    packed = np.frombuffer(bits.to_bytes(-(-size // 8), "little"), np.uint8)
    found = np.unpackbits(packed, count=size, bitorder="little")
    found[start["pouch"] : start["pouch"] + len(COLUMNS)] = view.pouch
    found[start["round"]] = view.round
    for place in range(seats):
        seat = (own + place) % seats
        found[start["points"] + place] = view.scores[seat].total
        if view.gardens[seat].marks:
            squares, values = _reward_planes(view.gardens[seat].marks)
            found[squares + (start["gardens"] + _GARDEN * place)] = values
    if stage is not None:
        found[start["stage"] + stage] = 1
        for action in chosen:
            found[start["chosen"] + action] = 1
    return found


def split(observation: npt.NDArray[np.uint8], seats: int) -> dict[str, npt.NDArray[np.uint8]]:
    """The fields of an observation by name, as views; leading axes of a batch are kept."""
    return {
        part.name: observation[..., part.start : part.stop].reshape(*observation.shape[:-1], *part.shape)
        for part in fields(seats)
    }


@cache
def _starts(seats: int) -> dict[str, int]:
    return {part.name: part.start for part in fields(seats)}


def _garden_bits(garden: Garden) -> int:
    """The planes of 0 and 1 of a garden, one after the other."""
    planes = (garden.structures, garden.gardeners, garden.connected, garden.nobles, garden.boar)
    return sum(squares << _PLANE * place for place, squares in enumerate(planes))


@lru_cache(maxsize=1 << 8)
def _reward_planes(marks: Marks) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
    """The places of the marks of a reward board in the planes of its garden, and their values."""
    found = [(square, *_REWARD_PLANES[mark]) for square, mark in marked_squares(marks).items()]
    places = [_PLANE * plane + square for square, plane, _ in found]
    return np.array(places), np.array([value for _, _, value in found], np.uint8)
