"""Observations: the view of a seat as one vector of bytes, in the layout of ``spec``."""

from functools import cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sanssouci.rules import Garden, Mark, View, marked_squares, members, tiles_on

from .spec import ACTIONS, GARDEN_PLANES, Field, Stage, fields, observation_size
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
    places = _places(seats)
    found = np.zeros(observation_size(seats), np.uint8)

    def mark(name: str, numbers: tuple[int, ...] | list[int], offset: int = 0) -> None:
        found[[places[name].start + offset + number for number in numbers]] = 1

    for place in range(seats):
        seat = (own + place) % seats
        _fill_garden(found, places["gardens"].start + _GARDEN * place, view.gardens[seat])
        mark("unplayed", members(view.unplayed[seat]), 20 * place)
        mark("missions", view.missions[seat] or (), 9 * place)
        found[places["points"].start + place] = view.scores[seat].total
    mark("display", [9 * s + motif for s, motif in enumerate(tiles_on(view.display)) if motif is not None])
    found[places["pouch"].start : places["pouch"].stop] = view.pouch
    mark("hand", members(view.hand))
    found[places["round"].start] = view.round
    mark("seat", (own,))
    if not view.over:
        mark("to_move", ((view.to_move - own) % seats,))
    found[places["expansions"].start : places["expansions"].stop] = (
        view.variant.rewards,
        view.variant.wild_boar,
    )
    if stage is not None:
        mark("stage", (stage,))
        mark("chosen", chosen)
    return found


def split(observation: npt.NDArray[np.uint8], seats: int) -> dict[str, npt.NDArray[np.uint8]]:
    """The fields of an observation by name, as views; leading axes of a batch are kept."""
    return {
        part.name: observation[..., part.start : part.stop].reshape(*observation.shape[:-1], *part.shape)
        for part in fields(seats)
    }


def mask_of(actions: tuple[int, ...], size: int = ACTIONS) -> ActionMask:
    """The mask in which just these actions are legal."""
    mask = np.zeros(size, np.int8)
    mask[list(actions)] = 1
    return mask


@cache
def _places(seats: int) -> dict[str, Field]:
    return {part.name: part for part in fields(seats)}


def _fill_garden(found: Observation, start: int, garden: Garden) -> None:
    squares = (garden.structures, garden.gardeners, garden.connected, garden.nobles, garden.boar)
    found[
        [start + _PLANE * plane + square for plane, bits in enumerate(squares) for square in members(bits)]
    ] = 1
    if garden.marks:
        for square, mark in marked_squares(garden.marks).items():
            plane, value = _REWARD_PLANES[mark]
            found[start + _PLANE * plane + square] = value
