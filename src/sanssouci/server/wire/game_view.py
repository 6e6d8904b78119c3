"""The game as it is sent: the set-up, the view of a seat or a spectator, and the tables of legal turns."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field

from .scalars import (
    BoarGoal,
    Card,
    Edition,
    Expansion,
    Mark,
    Motif,
    SeatNumber,
    Side,
    SpaceNumber,
    SpaceText,
    Square,
    Tile,
    WireDict,
)

Marks = Annotated[
    dict[Square, Mark],
    Field(description='Twelve squares: "+1", "+2", "+3", "-2", "-3" points, or "g3", 3 for a gardener.'),
]
Missions = Annotated[list[Motif], Field(min_length=2, max_length=2)]


class Variant(WireDict):
    """Which game is played."""

    seats: Annotated[int, Field(ge=2, le=4)]
    """How many."""
    edition: Edition
    """Which edition."""
    expansions: list[Expansion]
    """Those that are played."""
    deck: list[Card]
    """The 18 cards that every seat has."""


class Score(WireDict):
    """The points of a seat."""

    total: int
    """All parts together."""
    nobles: int
    """For nobles that have moved."""
    rewards: int
    """From the reward board; can be negative."""
    boar: int
    """From the wild boar; can be negative."""
    rows: int
    """Complete rows; 0 until the end."""
    columns: int
    """Complete columns; 0 until the end."""
    missions: int
    """Missions; 0 until the end."""


class Garden(WireDict):
    """The garden of a seat."""

    printed: list[Square]
    """Built from the start: row 1, and six printed ones."""
    built: list[Square]
    """All squares that are built, the printed ones too."""
    gardeners: list[Square]
    """Those of `built` on which a gardener stands."""
    nobles: list[Square]
    """Where nobles stand. The noble of a column not named here is on the terrace."""
    boar: Square | None
    """Where the boar is; null if it left, or is not played."""
    rewards: NotRequired[
        Annotated[
            Marks,
            Field(description="The marks of the reward board; the field is missing if it is not played."),
        ]
    ]


class GameView(WireDict):
    """All that one seat, or a spectator, may know of a game."""

    variant: Variant
    """Which game, with which cards."""
    seat: SeatNumber | None
    """Your seat; null for a spectator."""
    turn: Annotated[int, Field(ge=0, le=72)]
    """How many turns have been played."""
    round: Annotated[int, Field(ge=1, le=18)]
    """The round, from 1."""
    to_move: SeatNumber | None
    """The seat to move; null after the last turn."""
    hand: list[Card]
    """Your cards; empty for a spectator."""
    missions: list[Missions | None]
    """Per seat its two columns; null for others' until the last turn is played."""
    display: Annotated[list[Motif | None], Field(min_length=10, max_length=10)]
    """The tile on each of the ten spaces; null: none."""
    pouch: dict[Motif, int]
    """How many tiles of each motif are left to be drawn."""
    unplayed: list[list[Card]]
    """Per seat the cards not played yet, in hand or pile together."""
    scores: list[Score]
    """Per seat its points so far."""
    gardens: list[Garden]
    """Per seat its garden."""


class SetupView(WireDict):
    """The choices before the first turn: each seat picks a side of its garden, then of its reward board."""

    variant: Variant
    """Which game, with which cards."""
    seat: SeatNumber | None
    """Your seat; null for a spectator."""
    phase: Literal["garden_sides", "missions", "reward_sides", "ready"]
    """What is picked: `garden_sides`, then `reward_sides`; the others pass at once."""
    gardens: list[list[list[Square]]]
    """Per seat, per side of its board: the printed squares."""
    garden_sides: list[Side | None]
    """Per seat the side picked; others' are null until all have."""
    missions: list[Missions | None]
    """Per seat its two columns, null for the others; empty until they are dealt."""
    rewards: list[list[Marks]]
    """Per seat, per side of its reward board: the marks; or empty."""
    reward_sides: list[Side | None]
    """Per seat the side picked, as above; empty where not played."""
    picked: list[bool]
    """Per seat whether it has picked in this phase."""


class Options(WireDict):
    """The legal turns, as tables to put them together from: `card@space-tile`, `~boar`, `/stop`.

    Take any card, one of its spaces, one of that space's tiles. If `boar` has the tile, add `~` and one of
    its entries. Then add `/` and one of the tile's stops, or nothing: no noble moves. Every text made so is a
    legal turn, and there is no other.
    """

    cards: dict[Card, list[SpaceNumber]]
    """A card of your hand: the spaces it may take from."""
    spaces: dict[SpaceText, list[Tile]]
    """A space: the squares where its tile may lie, with a `g` if it lies as a gardener."""
    boar: dict[Tile, list[BoarGoal]]
    """A tile that would lie on the boar: where the boar may go; `x`: it leaves."""
    stops: dict[Tile, dict[Square, int]]
    """A tile: the squares where a noble may stop then, each with its points."""
