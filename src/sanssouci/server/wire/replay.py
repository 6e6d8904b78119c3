"""A record step by step, as it is answered."""

from typing import Annotated

from pydantic import Field

from .events import PlayEvent
from .game_view import GameView
from .scalars import Card, SeatNumber, WireModel


class StepSeat(WireModel):
    """Who played on a seat."""

    name: Annotated[str, Field(description="What the record calls them; the number of the seat if nothing.")]
    player: Annotated[str | None, Field(description="Which computer player; null for people.")]


class Step(WireModel):
    """One position, with everything open."""

    game: Annotated[
        GameView, Field(description="As a spectator sees it, but with the missions of all seats.")
    ]
    hands: Annotated[list[list[Card]], Field(description="Per seat its cards.")]


class StepsAnswer(WireModel):
    """Every position of a record, and every turn between them."""

    seats: Annotated[list[StepSeat], Field(description="In turn order.")]
    winners: Annotated[
        list[SeatNumber] | None, Field(description="Who won by the rules; null if turns are missing.")
    ]
    steps: Annotated[list[Step], Field(description="The positions: before the first turn, and after each.")]
    tellings: Annotated[
        list[PlayEvent],
        Field(
            description="The turns as a table tells them: `seq` is the number of the position that a turn"
            " leads to, `chair` the seat, `at` 0, and every `draw` is told."
        ),
    ]
