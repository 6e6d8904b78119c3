"""What is played today."""

from typing import Annotated

from pydantic import Field

from .game import Edition, Expansion
from .words import Day, Described, Moment


class DailyAnswer(Described):
    """The daily garden."""

    day: Annotated[Day, Field(description="The day in UTC, from which everything else follows.")]
    edition: Annotated[Edition, Field(description="Which edition is played today.")]
    expansions: Annotated[list[Expansion], Field(description="Which expansions are played today.")]
    opponent: Annotated[str, Field(description="The computer player on the other chair.")]
    until: Annotated[Moment, Field(description="When the next day begins.")]
