"""The game as it is sent: the set-up, the view of a seat or a spectator, and the tables of legal turns."""

from typing import Annotated, Literal

from pydantic import Field

from .scalars import (
    BoarGoal,
    Card,
    Mark,
    Motif,
    SeatNumber,
    Side,
    SpaceNumber,
    SpaceText,
    Square,
    Tile,
    WireModel,
)

Edition = Literal["ravensburger", "imperial"]
Expansion = Literal["rewards", "wild_boar"]
Marks = Annotated[
    dict[Square, Mark],
    Field(description='Twelve squares: "+1", "+2", "+3", "-2", "-3" points, or "g3", 3 for a gardener.'),
]
Missions = Annotated[list[Motif], Field(min_length=2, max_length=2)]


class Variant(WireModel):
    """Which game is played."""

    seats: Annotated[int, Field(ge=2, le=4, description="How many.")]
    edition: Annotated[Edition, Field(description="Which edition.")]
    expansions: Annotated[list[Expansion], Field(description="Those that are played.")]
    deck: Annotated[list[Card], Field(description="The 18 cards that every seat has.")]


class Score(WireModel):
    """The points of a seat."""

    total: Annotated[int, Field(description="All parts together.")]
    nobles: Annotated[int, Field(description="For nobles that have moved.")]
    rewards: Annotated[int, Field(description="From the reward board; can be negative.")]
    boar: Annotated[int, Field(description="From the wild boar; can be negative.")]
    rows: Annotated[int, Field(description="Complete rows; 0 until the end.")]
    columns: Annotated[int, Field(description="Complete columns; 0 until the end.")]
    missions: Annotated[int, Field(description="Missions; 0 until the end.")]


class Garden(WireModel):
    """The garden of a seat."""

    printed: Annotated[list[Square], Field(description="Built from the start: row 1, and six printed ones.")]
    built: Annotated[list[Square], Field(description="All squares that are built, the printed ones too.")]
    gardeners: Annotated[list[Square], Field(description="Those of `built` on which a gardener stands.")]
    nobles: Annotated[
        list[Square],
        Field(description="Where nobles stand. The noble of a column not named here is on the terrace."),
    ]
    boar: Annotated[Square | None, Field(description="Where the boar is; null if it left, or is not played.")]
    rewards: Annotated[
        Marks,
        Field(
            default_factory=dict,
            description="The marks of the reward board; the field is missing if it is not played.",
        ),
    ]


class GameView(WireModel):
    """All that one seat, or a spectator, may know of a game."""

    variant: Annotated[Variant, Field(description="Which game, with which cards.")]
    seat: Annotated[SeatNumber | None, Field(description="Your seat; null for a spectator.")]
    turn: Annotated[int, Field(ge=0, le=72, description="How many turns have been played.")]
    round: Annotated[int, Field(ge=1, le=18, description="The round, from 1.")]
    to_move: Annotated[SeatNumber | None, Field(description="The seat to move; null after the last turn.")]
    hand: Annotated[list[Card], Field(description="Your cards; empty for a spectator.")]
    missions: Annotated[
        list[Missions | None],
        Field(description="Per seat its two columns; null for others' until the last turn is played."),
    ]
    display: Annotated[
        list[Motif | None],
        Field(min_length=10, max_length=10, description="The tile on each of the ten spaces; null: none."),
    ]
    pouch: Annotated[
        dict[Motif, int], Field(description="How many tiles of each motif are left to be drawn.")
    ]
    unplayed: Annotated[
        list[list[Card]], Field(description="Per seat the cards not played yet, in hand or pile together.")
    ]
    scores: Annotated[list[Score], Field(description="Per seat its points so far.")]
    gardens: Annotated[list[Garden], Field(description="Per seat its garden.")]


class SetupView(WireModel):
    """The choices before the first turn: each seat picks a side of its garden, then of its reward board."""

    variant: Annotated[Variant, Field(description="Which game, with which cards.")]
    seat: Annotated[SeatNumber | None, Field(description="Your seat; null for a spectator.")]
    phase: Annotated[
        Literal["garden_sides", "missions", "reward_sides", "ready"],
        Field(description="What is picked: `garden_sides`, then `reward_sides`; the others pass at once."),
    ]
    gardens: Annotated[
        list[list[list[Square]]], Field(description="Per seat, per side of its board: the printed squares.")
    ]
    garden_sides: Annotated[
        list[Side | None], Field(description="Per seat the side picked; others' are null until all have.")
    ]
    missions: Annotated[
        list[Missions | None],
        Field(description="Per seat its two columns, null for the others; empty until they are dealt."),
    ]
    rewards: Annotated[
        list[list[Marks]], Field(description="Per seat, per side of its reward board: the marks; or empty.")
    ]
    reward_sides: Annotated[
        list[Side | None], Field(description="Per seat the side picked, as above; empty where not played.")
    ]
    picked: Annotated[list[bool], Field(description="Per seat whether it has picked in this phase.")]


class Options(WireModel):
    """The legal turns, as tables to put them together from: `card@space-tile`, `~boar`, `/stop`.

    Take any card, one of its spaces, one of that space's tiles. If `boar` has the tile, add `~` and one of
    its entries. Then add `/` and one of the tile's stops, or nothing: no noble moves. Every text made so is a
    legal turn, and there is no other.
    """

    cards: Annotated[
        dict[Card, list[SpaceNumber]], Field(description="A card of your hand: the spaces it may take from.")
    ]
    spaces: Annotated[
        dict[SpaceText, list[Tile]],
        Field(
            description="A space: the squares where its tile may lie, with a `g` if it lies as a gardener."
        ),
    ]
    boar: Annotated[
        dict[Tile, list[BoarGoal]],
        Field(description="A tile that would lie on the boar: where the boar may go; `x`: it leaves."),
    ]
    stops: Annotated[
        dict[Tile, dict[Square, int]],
        Field(description="A tile: the squares where a noble may stop then, each with its points."),
    ]
