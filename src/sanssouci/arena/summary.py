"""Statistics of a series of games, seat by seat."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sanssouci.kernel import GARDENER_FIELD, PART_FIELDS, WINNERS_FIELD, Ints
from sanssouci.rules import PARTS

QUANTILES = (5, 25, 50, 75, 95)
"""The percentiles reported."""
_MOST_POINTS = 512
"""More than any score."""


@dataclass(slots=True)
class SeatSummary:
    """The running sums of one seat; memory does not grow with the number of games."""

    scores: Ints
    """``[512]``: the number of games with each score."""
    parts: Ints
    """``[6]``: the sum of each part."""
    gardeners: int = 0
    win_twelfths: int = 0
    """A victory counts twelve, divided by the winners: integers add up to the same in any order."""

    @classmethod
    def empty(cls) -> "SeatSummary":
        """Before the first game."""
        return cls(np.zeros(_MOST_POINTS, np.int64), np.zeros(PART_FIELDS, np.int64))

    def add(self, results: Ints) -> None:
        """Count more games; ``results``: ``[games, RESULT_FIELDS]`` of this seat."""
        parts = results[:, :PART_FIELDS]
        self.scores += np.bincount(parts.sum(1), minlength=_MOST_POINTS)
        self.parts += parts.sum(0)
        self.gardeners += int(results[:, GARDENER_FIELD].sum())
        winners = results[:, WINNERS_FIELD]
        self.win_twelfths += int((12 // winners[winners > 0]).sum())

    def merge(self, other: "SeatSummary") -> None:
        """Count the games that another summary has counted."""
        self.scores += other.scores
        self.parts += other.parts
        self.gardeners += other.gardeners
        self.win_twelfths += other.win_twelfths

    @property
    def wins(self) -> float:
        """A shared victory counts as one, divided by the winners."""
        return self.win_twelfths / 12

    @property
    def games(self) -> int:
        """How many games were counted."""
        return int(self.scores.sum())

    @property
    def mean(self) -> float:
        """The mean score."""
        return float(self.scores @ np.arange(_MOST_POINTS) / self.games)

    @property
    def spread(self) -> float:
        """The standard deviation of the scores."""
        return float(np.sqrt(self.scores @ (np.arange(_MOST_POINTS) - self.mean) ** 2 / self.games))

    @property
    def lowest(self) -> int:
        """The lowest score."""
        return int(np.flatnonzero(self.scores)[0])

    @property
    def highest(self) -> int:
        """The highest score."""
        return int(np.flatnonzero(self.scores)[-1])

    def quantile(self, hundredths: int) -> int:
        """The lowest score that ``percent`` % of the games did not exceed."""
        return int(np.searchsorted(self.scores.cumsum() * 100, hundredths * self.games))

    def mean_parts(self) -> dict[str, float]:
        """The mean points of each part."""
        return {part: float(points / self.games) for part, points in zip(PARTS, self.parts, strict=True)}

    def part_shares(self) -> dict[str, float]:
        """Each part as a share of all points; the boar's can be negative."""
        total = int(self.parts.sum()) or 1
        return {part: float(points / total) for part, points in zip(PARTS, self.parts, strict=True)}

    def to_json(self) -> dict[str, Any]:
        """All figures by name."""
        return {
            "win_share": self.wins / self.games,
            "mean_score": self.mean,
            "standard_deviation": self.spread,
            "lowest_score": self.lowest,
            "highest_score": self.highest,
            "quantiles": {str(hundredths): self.quantile(hundredths) for hundredths in QUANTILES},
            "mean_gardeners": self.gardeners / self.games,
            "mean_parts": self.mean_parts(),
            "part_shares": self.part_shares(),
        }


class Summary:
    """All seats of a series."""

    def __init__(self, seats: int) -> None:
        self.seats = tuple(SeatSummary.empty() for _ in range(seats))

    @property
    def games(self) -> int:
        """How many games were counted."""
        return self.seats[0].games

    def add(self, results: Ints) -> None:
        """Count more games; ``results``: ``[games, 4, RESULT_FIELDS]``."""
        for seat, summary in enumerate(self.seats):
            summary.add(results[:, seat])

    def merge(self, other: "Summary") -> None:
        """Count the games that another summary has counted."""
        for seat, summary in enumerate(self.seats):
            summary.merge(other.seats[seat])
