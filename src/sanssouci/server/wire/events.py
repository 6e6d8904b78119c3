"""Events as they are told: what everyone sees of what was done, and of what came of it."""

from typing import Annotated, Literal, NotRequired

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
    WireDict,
)
from .table_view import Stage


class EventModel(WireDict):
    """What all events have in common."""

    seq: Seq
    """Its number; the first event of a table has 0."""
    at: Moment
    """When it happened."""
    chair: ChairNumber | None
    """Who did it, or for whom it was done; null: from no chair, or the house."""
    house: bool
    """Whether the server did it: for a computer player, a stand-in or a clock."""
    stage: Stage
    """The table's stage after it."""


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
    target: ChairNumber
    """Which chair."""
    name: str
    """Who."""


class AppointEvent(EventModel):
    """The owner has given a chair to a computer player, or opened it."""

    type: Literal["appoint"]
    target: ChairNumber
    """Which chair."""
    player: str | None
    """Which computer player; null: the chair is open now."""
    name: str
    """How it is called."""


class WearEvent(EventModel):
    """A chair has another colour; a computer player who had it has got another one."""

    type: Literal["wear"]
    target: ChairNumber
    """Which chair."""
    colour: ColourName
    """Its colour now."""


class Points(WireDict):
    """What a turn has scored; what the end of the game adds is not in it."""

    nobles: int
    """For the noble."""
    rewards: int
    """From the reward board."""
    boar: int
    """From the boar."""


class PlayEvent(EventModel):
    """A turn was played."""

    type: Literal["play"]
    turn: TurnText
    """The turn."""
    round: Annotated[int, Field(ge=1, le=18)]
    """The round that it belongs to, from 1."""
    space: SpaceNumber
    """The space of the display that it took a tile from."""
    tile: Motif
    """That tile, placed or turned over to be a gardener."""
    refill: Motif | None
    """The tile that came up; null: the pouch is empty."""
    points: Points
    """What it scored."""
    draw: NotRequired[Card | None]
    """The card that you drew, in turns of your own chair only (the field is missing in others'); null: your
    pile is empty."""


class VoteEvent(EventModel):
    """Somebody wants a stand-in on a chair."""

    type: Literal["vote"]
    target: ChairNumber
    """Which chair."""
    carried: bool
    """Whether enough want it, and a stand-in plays there now."""


class TimeOutEvent(EventModel):
    """The clock of a chair has run out, and a stand-in plays."""

    type: Literal["time_out"]
    target: ChairNumber
    """Which chair."""


class RematchEvent(EventModel):
    """The same people play again."""

    type: Literal["rematch"]
    table: TableText
    """At this table; your token and links open it too."""


AnyEvent = Annotated[
    PlainEvent | SitEvent | AppointEvent | WearEvent | PlayEvent | VoteEvent | TimeOutEvent | RematchEvent,
    Field(discriminator="type"),
]
