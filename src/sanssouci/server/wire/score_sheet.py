"""What a real table comes to, and what a set of boards holds."""

from typing import Annotated

from pydantic import Field

from .game_view import Marks
from .scalars import Card, Hash, SeatNumber, Square, WireModel
from .socket_messages import ErrorBody

Points = Annotated[int | None, Field(description="Of the track; null where it cannot be told apart.")]


class SeatScore(WireModel):
    """The points of a seat at a real table."""

    total: Annotated[int, Field(description="The track and all that the end adds.")]
    track: Annotated[int, Field(description="What was scored on the way, as entered.")]
    track_nobles: Points
    track_rewards: Points
    track_boar: Points
    rows: Annotated[int, Field(description="Complete rows (R25).")]
    columns: Annotated[int, Field(description="Complete columns (R26).")]
    missions: Annotated[int, Field(description="Those missions that are told (R27).")]
    boar: Annotated[int, Field(description="What the boar costs at the end (R37): 0 or less.")]
    gardeners: Annotated[int, Field(description="They break a tie (R28).")]
    built: Annotated[int, Field(description="How many squares are built.")]
    refusals: Annotated[
        list[ErrorBody], Field(description="What cannot be, each with its rule; the points are told anyway.")
    ]


class ScoresAnswer(WireModel):
    """What a real table comes to."""

    seats: Annotated[list[SeatScore], Field(description="In the order in which they were entered.")]
    tied: Annotated[list[SeatNumber], Field(description="The seats with the most points.")]
    winners: Annotated[
        list[SeatNumber],
        Field(
            description="R28: of those the ones with the most gardeners; several share the victory. Nobody,"
            " as long as something is refused."
        ),
    ]
    finished: Annotated[
        bool,
        Field(
            description="Whether these can be the gardens of a game's end, and all missions are told;"
            " if not, the points are those of a game that would end now."
        ),
    ]
    built_least: Annotated[int, Field(description="How many squares are built at the end, at least.")]
    built_most: Annotated[
        int, Field(description="The same at most; less only where a reward board hides some.")
    ]


class BoardsAnswer(WireModel):
    """A set of boards that can be played on."""

    name: Annotated[str, Field(description="Its name.")]
    sha256: Annotated[Hash, Field(description="The hash of its contents.")]
    boar_can_start: Annotated[
        bool, Field(description="Whether the wild boar can be played without rewards: e4 is free (R34).")
    ]
    pairs: Annotated[list[Card], Field(description="The eight colour cards that every seat has.")]
    gardens: Annotated[
        list[list[list[Square]]], Field(description="Per board, per side: the printed squares of rows 2-6.")
    ]
    rewards: Annotated[list[list[Marks]], Field(description="Per board, per side: the marks.")]
