"""What is played today."""

from .scalars import Day, Edition, Expansion, Moment, WireDict


class DailyAnswer(WireDict):
    """The daily garden."""

    day: Day
    """The day in UTC, from which everything else follows."""
    edition: Edition
    """Which edition is played today."""
    expansions: list[Expansion]
    """Which expansions are played today."""
    opponent: str
    """The computer player on the other chair."""
    until: Moment
    """When the next day begins."""
