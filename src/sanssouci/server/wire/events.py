"""Events as they are told: what everyone sees of what was done, and of what came of it."""

from typing import Annotated, Literal

from pydantic import Field

from sanssouci.table import ColourName

from .scalars import (
    Card,
    ChairNumber,
    Moment,
    Motif,
    Seq,
    SpaceNumber,
    TableText,
    TurnText,
    WireModel,
)
from .table_view import Stage


class EventModel(WireModel):
    """What all events have in common."""

    seq: Annotated[Seq, Field(description="Its number; the first event of a table has 0.")]
    at: Annotated[Moment, Field(description="When it happened.")]
    chair: Annotated[
        ChairNumber | None,
        Field(description="Who did it, or for whom it was done; null: from no chair, or the house."),
    ]
    house: Annotated[
        bool, Field(description="Whether the server did it: for a computer player, a stand-in or a clock.")
    ]
    stage: Annotated[Stage, Field(description="The table's stage after it.")]


class PlainEvent(EventModel):
    """An event without more to tell: what was done is in its type, what came of it in the view."""

    type: Literal[
        "create",
        "rise",
        "ready",
        "unready",
        "pick",
        "take_back",
        "concede",
        "step_away",
        "return",
        "abandon",
    ]


class SitEvent(EventModel):
    """Somebody has taken an open chair."""

    type: Literal["sit"]
    target: Annotated[ChairNumber, Field(description="Which chair.")]
    name: Annotated[str, Field(description="Who.")]


class AppointEvent(EventModel):
    """The owner has given a chair to a computer player, or opened it."""

    type: Literal["appoint"]
    target: Annotated[ChairNumber, Field(description="Which chair.")]
    player: Annotated[str | None, Field(description="Which computer player; null: the chair is open now.")]
    name: Annotated[str, Field(description="How it is called.")]


class WearEvent(EventModel):
    """A chair has another colour; a computer player who had it has got another one."""

    type: Literal["wear"]
    target: Annotated[ChairNumber, Field(description="Which chair.")]
    colour: Annotated[ColourName, Field(description="Its colour now.")]


class Points(WireModel):
    """What a turn has scored; what the end of the game adds is not in it."""

    nobles: Annotated[int, Field(description="For the noble.")]
    rewards: Annotated[int, Field(description="From the reward board.")]
    boar: Annotated[int, Field(description="From the boar.")]


class PlayEvent(EventModel):
    """A turn was played."""

    type: Literal["play"]
    turn: Annotated[TurnText, Field(description="The turn.")]
    round: Annotated[int, Field(ge=1, le=18, description="The round that it belongs to, from 1.")]
    space: Annotated[SpaceNumber, Field(description="The space of the display that it took a tile from.")]
    tile: Annotated[Motif, Field(description="That tile, placed or turned over to be a gardener.")]
    refill: Annotated[Motif | None, Field(description="The tile that came up; null: the pouch is empty.")]
    points: Annotated[Points, Field(description="What it scored.")]
    draw: Annotated[
        Card | None,
        Field(
            description="The card that you drew, in turns of your own chair only (the field is missing in"
            " others'); null: your pile is empty."
        ),
    ] = None


class VoteEvent(EventModel):
    """Somebody wants a stand-in on a chair."""

    type: Literal["vote"]
    target: Annotated[ChairNumber, Field(description="Which chair.")]
    carried: Annotated[bool, Field(description="Whether enough want it, and a stand-in plays there now.")]


class TimeOutEvent(EventModel):
    """The clock of a chair has run out, and a stand-in plays."""

    type: Literal["time_out"]
    target: Annotated[ChairNumber, Field(description="Which chair.")]


class RematchEvent(EventModel):
    """The same people play again."""

    type: Literal["rematch"]
    table: Annotated[TableText, Field(description="At this table; your token and links open it too.")]


AnyEvent = Annotated[
    PlainEvent | SitEvent | AppointEvent | WearEvent | PlayEvent | VoteEvent | TimeOutEvent | RematchEvent,
    Field(discriminator="type"),
]
