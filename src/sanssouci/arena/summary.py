"""What came of many games, seat by seat."""

import math
from dataclasses import dataclass, field
from typing import Any

from sanssouci.rules import PARTS, Result


@dataclass(slots=True)
class SeatSummary:
    """The running sums of one seat; the memory needed does not grow with the games."""

    games: int = 0
    wins: float = 0.0
    """A shared victory counts as one, divided by the winners."""
    total: int = 0
    sum_of_squares: int = 0
    lowest: int = 0
    highest: int = 0
    gardeners: int = 0
    parts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))

    def add(self, seat: int, result: Result) -> None:
        """Count one more game."""
        score = result.scores[seat]
        points = score.total
        self.lowest = min(points, self.lowest) if self.games else points
        self.highest = max(points, self.highest) if self.games else points
        self.games += 1
        self.total += points
        self.sum_of_squares += points * points
        self.gardeners += result.gardeners[seat]
        self.wins += 1 / len(result.winners) if seat in result.winners else 0
        for part, value in score.parts().items():
            self.parts[part] += value

    @property
    def mean(self) -> float:
        """The mean score."""
        return self.total / self.games

    @property
    def spread(self) -> float:
        """The standard deviation of the scores."""
        return math.sqrt(max(self.sum_of_squares / self.games - self.mean**2, 0.0))

    def to_json(self) -> dict[str, Any]:
        """All figures by name."""
        return {
            "win_share": self.wins / self.games,
            "mean_score": self.mean,
            "standard_deviation": self.spread,
            "lowest_score": self.lowest,
            "highest_score": self.highest,
            "mean_gardeners": self.gardeners / self.games,
            "mean_parts": {part: value / self.games for part, value in self.parts.items()},
        }


class Summary:
    """All seats of a series."""

    def __init__(self, seats: int) -> None:
        self.seats = tuple(SeatSummary() for _ in range(seats))

    @property
    def games(self) -> int:
        """How many games were counted."""
        return self.seats[0].games

    def add(self, result: Result) -> None:
        """Count one more game."""
        for seat, summary in enumerate(self.seats):
            summary.add(seat, result)
