"""What a guest has played."""

from typing import Annotated, Literal

from pydantic import Field

from .game_view import Edition, Expansion, Garden, Score
from .scalars import Moment, SeatNumber, TableText, WireModel


class SeatTotal(WireModel):
    """A seat of a game that was played."""

    player: Annotated[str | None, Field(description="Which computer player; null for a person.")]
    total: Annotated[int, Field(description="Its points.")]


class Ended(WireModel):
    """How a game ended for a guest."""

    edition: Annotated[Edition, Field(description="Which edition was played.")]
    expansions: Annotated[list[Expansion], Field(description="Which expansions were played.")]
    manner: Annotated[
        Literal["played", "conceded"],
        Field(
            description="To the last turn, or until only computers were left; then points are as they stood."
        ),
    ]
    seat: Annotated[SeatNumber, Field(description="Your seat in turn order.")]
    winners: Annotated[list[SeatNumber], Field(description="The seats that have won; several share it.")]
    conceded: Annotated[bool, Field(description="Whether you gave up.")]
    taken_back: Annotated[int, Field(ge=0, description="How many turns were taken back.")]
    seats: Annotated[list[SeatTotal], Field(min_length=2, max_length=4, description="In turn order.")]
    score: Annotated[Score, Field(description="Your points by part.")]


class Outcome(Ended):
    """The same with the garden, as it is kept."""

    garden: Annotated[Garden, Field(description="Your garden at the end.")]


class PlayedGame(Ended):
    """A game that you have played."""

    table: Annotated[TableText, Field(description="Where.")]
    ended_at: Annotated[Moment, Field(description="When it ended.")]


class BestGarden(WireModel):
    """The garden of your best game."""

    table: Annotated[TableText, Field(description="Which game.")]
    garden: Annotated[Garden, Field(description="The garden at its end.")]


class StatisticsAnswer(WireModel):
    """What you have played."""

    games: Annotated[list[PlayedGame], Field(description="At most a thousand, the last one first.")]
    best: Annotated[
        BestGarden | None,
        Field(description="Of the game with the most points that you played to its end, if there is one."),
    ]


class DeletedAnswer(WireModel):
    """Your statistics are deleted."""

    deleted: Annotated[bool, Field(description="Always true.")]
