"""The actions and observations of all environments, version 1; docs/environments.md has the tables.

A turn is decided in stages, always in this order::

    card -> space -> square -> (boar) -> noble

The stage ``boar`` exists only in turns whose tile is laid on the boar (R35). Every other stage always
occurs, even if only one action is legal. The actions of all stages are one discrete space with a mask.

An observation is one vector of unsigned bytes: named fields, one after the other, each in row-major order.
Everything in it comes from the ``View`` of the observing seat and from the choices of its own turn so far.
Seats are counted from the observer: 0 the observer, 1 the seat that plays next after it, and so on.

This module imports only the rules.
"""

from bisect import bisect
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from math import prod
from typing import Final

from sanssouci.rules import CARDS, COLUMNS, ROWS, SPACES, SQUARES

VERSION: Final = 1


class Stage(IntEnum):
    """The decisions of a turn, in order."""

    CARD = 0
    SPACE = 1
    SQUARE = 2
    BOAR = 3
    NOBLE = 4


CARD: Final = 0
"""``CARD + c``: play card ``c`` of ``rules.CARDS``."""
SPACE: Final = CARD + len(CARDS)
"""``SPACE + s``: take the tile of space ``s``."""
SQUARE: Final = SPACE + len(SPACES)
"""``SQUARE + q``: lay it on square ``q``; whether as a gardener follows from the rules (R19)."""
BOAR: Final = SQUARE + len(SQUARES)
"""``BOAR + q``: the boar goes to square ``q``."""
BOAR_LEAVES: Final = BOAR + len(SQUARES)
"""The boar leaves the garden (R36)."""
NOBLE: Final = BOAR_LEAVES + 1
"""``NOBLE + q``: the noble of that column ends its move on square ``q``."""
NO_NOBLE: Final = NOBLE + len(SQUARES)
"""No noble moves."""
ACTIONS: Final = NO_NOBLE + 1
"""The number of stage actions."""

FIRST_ACTION: Final = (CARD, SPACE, SQUARE, BOAR, NOBLE)
"""The first action of each stage; those of a stage end where those of the next begin."""

MOST_TURNS: Final = 16_384
"""The size of the action space of whole turns: indices into the legal turns in the order of ``Options``.

No position has more. Let B squares of the rows 2-6 be built, at most 23 before a last turn, and 45 - B free.
A tile of row r and column m has at most as many squares as are free in both, or, if both are full, all free
squares. Two spaces belong to each row and at most two rows are full, which makes at most 168 squares for the
ten spaces. A noble may stop on at most 10 + B structures. Two cards then have at most 2 * 168 * 32 = 10,752
turns, and the boar, on one square with at most four goals, adds at most 2 * 10 * 3 * 34 = 2,040.
"""

GARDEN_PLANES: Final = (
    "structures",
    "gardeners",
    "connected",
    "nobles",
    "boar",
    "structure_reward",
    "gardener_reward",
    "penalty",
)
"""The planes of one garden, each of six rows and nine columns."""

REWARDS: Final = ("win", "score", "margin")
ILLEGAL_REWARD: Final = -1.0
"""The reward of an illegal action, which ends the game; the other seats get 0."""


@dataclass(frozen=True, slots=True)
class Field:
    """One named part of an observation."""

    name: str
    shape: tuple[int, ...]
    high: int
    """The largest value; the smallest is 0."""
    meaning: str
    start: int = 0

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def stop(self) -> int:
        return self.start + self.size


@cache
def fields(seats: int) -> tuple[Field, ...]:
    """The fields of an observation in a game of this many seats, in their order."""
    cards, rows, columns, spaces = len(CARDS), len(ROWS), len(COLUMNS), len(SPACES)
    planes = len(GARDEN_PLANES)
    found = (
        Field("gardens", (seats, planes, rows, columns), 3, "the planes of each seat's garden"),
        Field("display", (spaces, columns), 1, "the motif of the tile on each space"),
        Field("pouch", (columns,), 9, "how many tiles of each motif are left in the pouch"),
        Field("hand", (cards,), 1, "the observer's hand"),
        Field("unplayed", (seats, cards), 1, "the cards of each seat that it has not played"),
        Field("missions", (seats, columns), 1, "the observer's missions; everyone's once the game is over"),
        Field("points", (seats,), 255, "the points of each seat"),
        Field("round", (1,), 18, "the round, from 1"),
        Field("seat", (seats,), 1, "the observer's place in turn order"),
        Field("to_move", (seats,), 1, "whose turn it is; empty once the game is over"),
        Field("expansions", (2,), 1, "whether rewards and the wild boar are played"),
        Field("stage", (len(Stage),), 1, "what the observer must decide now; empty if it need not"),
        Field("chosen", (NOBLE,), 1, "the stage actions that the observer has chosen in this turn"),
    )
    placed, start = [], 0
    for field in found:
        placed.append(Field(field.name, field.shape, field.high, field.meaning, start))
        start += field.size
    return tuple(placed)


def field(seats: int, name: str) -> Field:
    """A field by its name."""
    return next(found for found in fields(seats) if found.name == name)


@cache
def observation_size(seats: int) -> int:
    """The length of an observation."""
    return fields(seats)[-1].stop


def stage_of(action: int) -> Stage:
    """The stage that an action belongs to."""
    if not 0 <= action < ACTIONS:
        raise ValueError(f"there is no action {action}; there are 0 to {ACTIONS - 1}")
    return Stage(bisect(FIRST_ACTION, action) - 1)


def mirrored_action(action: int) -> int:
    """The same action in the game mirrored left to right: column, motif or motif card c becomes 8 - c."""
    first = FIRST_ACTION[stage_of(action)]
    if first == SPACE or action in (BOAR_LEAVES, NO_NOBLE):
        return action
    if first == CARD:
        return 8 - action if action < len(COLUMNS) else action
    return first + _mirrored_square(action - first)


def mirrored_observation(seats: int) -> tuple[int, ...]:
    """For each element of a mirrored observation, its place in the original."""
    order: list[int] = []
    for part in fields(seats):
        places = range(part.size)
        if part.name in ("gardens", "display", "pouch", "missions"):  # columns are the last axis
            order += [part.start + place + 8 - 2 * (place % 9) for place in places]
        elif part.name in ("hand", "unplayed"):
            order += [
                part.start + place - place % 20 + mirrored_action(CARD + place % 20) for place in places
            ]
        elif part.name == "chosen":
            order += [part.start + mirrored_action(place) for place in places]
        else:
            order += [part.start + place for place in places]
    return tuple(order)


def _mirrored_square(square: int) -> int:
    return square + 8 - 2 * (square % 9)
