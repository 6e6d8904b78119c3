"""The state of a game as one flat array of integers, and back.

::

    0        SEATS        how many seats
    1        TURN         how many turns have been played
    2        DISPLAY      four bits a space, as in ``rules.display``
    3        POUCH        how many tiles of each motif are left, four bits a motif
    4        DECK         the cards that every seat has
    5        EDITION      its place in ``rules.EDITIONS``
    6        EXPANSIONS   1 rewards, 2 wild boar
    8 + 20 s seat s:      PRINTED BUILT CONNECTED GARDENERS NOBLES BOAR MARKS   (sets of squares; marks)
                          HAND PILE                                             (sets of cards)
                          FIRST SECOND                                          (its two missions)
                          POINTS ... POINTS + 5                                 (the six parts of its score)

CONNECTED, the built squares that can be walked to from row 1, follows from BUILT; it is stored because every
turn needs it. In the array of a view the other seats have an empty HAND, all their unplayed cards in PILE,
and UNKNOWN missions.

One flat array, rather than a record type, is what Numba compiles best: a seat is an offset (``at``, see
``seat_at``), and a state is copied or reset with one loop.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sanssouci.rules import (
    COLUMNS,
    EDITIONS,
    ROW_1,
    Garden,
    Score,
    State,
    Variant,
    View,
    stroll,
)
from sanssouci.rules import SEATS as RULES_SEATS

Ints: TypeAlias = npt.NDArray[np.int64]

SEATS, TURN, DISPLAY, POUCH, DECK, EDITION, EXPANSIONS = range(7)
HEADER = 8
SEAT_SIZE = 20
MOST_SEATS = 4
SIZE = HEADER + MOST_SEATS * SEAT_SIZE
"""The length of a state."""

PRINTED, BUILT, CONNECTED, GARDENERS, NOBLES, BOAR, MARKS, HAND, PILE, FIRST, SECOND, POINTS = range(12)
NOBLE_POINTS, REWARD_POINTS, BOAR_POINTS, ROW_POINTS, COLUMN_POINTS, MISSION_POINTS = range(
    POINTS, POINTS + 6
)

REWARDS_PLAYED = 1
BOAR_PLAYED = 2
UNKNOWN = -1
"""A mission that a view does not show."""


def flatten(state: State) -> Ints:
    """``[SIZE]``: the array of a state."""
    flat = _shared(state)
    for seat in range(state.variant.seats):
        at = seat_at(seat)
        flat[at + HAND], flat[at + PILE] = state.hands[seat], state.piles[seat]
        flat[at + FIRST], flat[at + SECOND] = state.missions[seat]
    return flat


def flatten_view(view: View) -> Ints:
    """``[SIZE]``: the array of a view."""
    flat = _shared(view)
    for seat in range(view.variant.seats):
        at = seat_at(seat)
        flat[at + HAND] = view.hand if seat == view.seat else 0
        flat[at + PILE] = view.unplayed[seat] & ~flat[at + HAND]
        flat[at + FIRST], flat[at + SECOND] = view.missions[seat] or (UNKNOWN, UNKNOWN)
    return flat


def restore(flat: Ints) -> State:
    """The state of an array."""
    if flat.shape != (SIZE,) or flat[SEATS] not in RULES_SEATS:
        raise ValueError(f"this is not the array of a state: {SIZE} integers, the first 2 to 4")
    values = [int(value) for value in flat]
    seats = [values[seat_at(seat) : seat_at(seat + 1)] for seat in range(values[SEATS])]
    variant = Variant(
        values[SEATS],
        EDITIONS[values[EDITION]],
        bool(values[EXPANSIONS] & REWARDS_PLAYED),
        bool(values[EXPANSIONS] & BOAR_PLAYED),
        values[DECK],
    )
    return State(
        variant,
        tuple(_garden(seat) for seat in seats),
        tuple(Score(*seat[POINTS : POINTS + 6]) for seat in seats),
        tuple(seat[HAND] for seat in seats),
        tuple(seat[PILE] for seat in seats),
        tuple((seat[FIRST], seat[SECOND]) for seat in seats),
        values[DISPLAY],
        tuple(values[POUCH] >> 4 * motif & 15 for motif in COLUMNS),
        values[TURN],
    )


def seat_at(seat: int) -> int:
    """The offset of a seat."""
    return HEADER + SEAT_SIZE * seat


def _shared(game: State | View) -> Ints:
    """The part that is the same in a state and in its views."""
    flat = np.zeros(SIZE, np.int64)
    variant = game.variant
    flat[SEATS], flat[TURN], flat[DISPLAY], flat[DECK] = variant.seats, game.turn, game.display, variant.deck
    flat[POUCH] = sum(count << 4 * motif for motif, count in enumerate(game.pouch))
    flat[EDITION] = EDITIONS.index(variant.edition)
    flat[EXPANSIONS] = REWARDS_PLAYED * variant.rewards | BOAR_PLAYED * variant.wild_boar
    for seat, (garden, score) in enumerate(zip(game.gardens, game.scores, strict=True)):
        at = seat_at(seat)
        flat[at : at + HAND] = _ground(garden)
        flat[at + POINTS : at + POINTS + 6] = list(score.parts().values())
    return flat


def _ground(garden: Garden) -> list[int]:
    connected = stroll(ROW_1, garden.built)
    return [
        garden.printed,
        garden.built,
        connected,
        garden.gardeners,
        garden.nobles,
        garden.boar,
        garden.marks,
    ]


def _garden(seat: list[int]) -> Garden:
    return Garden(seat[PRINTED], seat[BUILT], seat[GARDENERS], seat[NOBLES], seat[BOAR], seat[MARKS])
