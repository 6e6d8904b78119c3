"""The expected result of a game for every seat: share of the win, and final score."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from sanssouci.rules import Result, State


@dataclass(frozen=True, slots=True)
class Errors:
    """Standard errors of a forecast, or of the difference between two, for every seat."""

    shares: tuple[float, ...]
    leads: tuple[float, ...]

    @classmethod
    def none(cls, seats: int) -> "Errors":
        """The errors of an exact result: 0."""
        return cls((0.0,) * seats, (0.0,) * seats)

    @classmethod
    def of(cls, pieces: Sequence["Forecast"]) -> "Errors":
        """The errors of the mean of forecasts from equally many games."""
        return cls(
            tuple(map(_error, zip(*(piece.shares for piece in pieces), strict=True))),
            tuple(map(_error, zip(*(piece.leads for piece in pieces), strict=True))),
        )


def _error(figures: Sequence[float]) -> float:
    return stdev(figures) / sqrt(len(figures))


@dataclass(frozen=True, slots=True)
class Forecast:
    """Means over simulated games, or the result of a finished game."""

    shares: tuple[float, ...]
    """Shares of the win; they add up to 1."""
    scores: tuple[float, ...]

    @property
    def leads(self) -> tuple[float, ...]:
        """The points of each seat above the mean of the others; they add up to 0."""
        total, others = sum(self.scores), len(self.scores) - 1
        return tuple(score - (total - score) / others for score in self.scores)

    def minus(self, other: "Forecast") -> "Forecast":
        """The difference from another; its leads are the difference of the leads."""
        return Forecast(
            tuple(one - two for one, two in zip(self.shares, other.shares, strict=True)),
            tuple(one - two for one, two in zip(self.scores, other.scores, strict=True)),
        )

    @classmethod
    def mean(cls, forecasts: Sequence["Forecast"]) -> "Forecast":
        """The mean of several that come from equally many games."""
        return cls(
            tuple(map(fmean, zip(*(forecast.shares for forecast in forecasts), strict=True))),
            tuple(map(fmean, zip(*(forecast.scores for forecast in forecasts), strict=True))),
        )

    @classmethod
    def of_result(cls, state: State) -> "Forecast":
        """The result of a finished game; a shared win is divided."""
        result = Result.of(state)
        share = 1 / len(result.winners)
        return cls(
            tuple(share if seat in result.winners else 0.0 for seat in range(len(result.scores))),
            tuple(float(score.total) for score in result.scores),
        )
