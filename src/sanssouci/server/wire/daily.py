"""What is played today."""

from typing import Annotated

from pydantic import Field

from .game_view import Edition, Expansion
from .scalars import Day, Moment, WireModel


class DailyAnswer(WireModel):
    """The daily garden."""

    day: Annotated[Day, Field(description="The day in UTC, from which everything else follows.")]
    edition: Annotated[Edition, Field(description="Which edition is played today.")]
    expansions: Annotated[list[Expansion], Field(description="Which expansions are played today.")]
    opponent: Annotated[str, Field(description="The computer player on the other chair.")]
    until: Annotated[Moment, Field(description="When the next day begins.")]
