"""What is expected of a game, for every seat: its share of the win, and its final score."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from sanssouci.rules import Result, State

if TYPE_CHECKING:
    from sanssouci.kernel import TurnEstimate


@dataclass(frozen=True, slots=True)
class Errors:
    """Standard errors of a forecast, or of the difference between two, for every seat."""

    shares: tuple[float, ...]
    leads: tuple[float, ...]

    @classmethod
    def none(cls, seats: int) -> "Errors":
        """Of what is known exactly."""
        return cls((0.0,) * seats, (0.0,) * seats)

    @classmethod
    def of(cls, pieces: Sequence["Forecast"]) -> "Errors":
        """Of the mean of several forecasts that come from equally many games."""
        return cls(
            tuple(map(_error, zip(*(piece.shares for piece in pieces), strict=True))),
            tuple(map(_error, zip(*(piece.leads for piece in pieces), strict=True))),
        )


def _error(figures: Sequence[float]) -> float:
    return stdev(figures) / sqrt(len(figures))


@dataclass(frozen=True, slots=True)
class Forecast:
    """Means over imagined games, or the result of a game that is over."""

    shares: tuple[float, ...]
    """Of the win; they add up to one."""
    scores: tuple[float, ...]

    @property
    def leads(self) -> tuple[float, ...]:
        """The points of each seat over the mean of the others; they add up to nought."""
        total, others = sum(self.scores), len(self.scores) - 1
        return tuple(score - (total - score) / others for score in self.scores)

    def less(self, other: "Forecast") -> "Forecast":
        """The difference from another; its leads are the difference of the leads."""
        return Forecast(
            tuple(one - two for one, two in zip(self.shares, other.shares, strict=True)),
            tuple(one - two for one, two in zip(self.scores, other.scores, strict=True)),
        )

    @classmethod
    def of_estimate(cls, estimate: "TurnEstimate") -> "Forecast":
        """What a trial expects of a turn."""
        return cls(
            tuple(estimate.mean for estimate in estimate.shares),
            tuple(estimate.mean for estimate in estimate.scores),
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
        """What came of a finished game; those who win together share it."""
        result = Result.of(state)
        share = 1 / len(result.winners)
        return cls(
            tuple(share if seat in result.winners else 0.0 for seat in range(len(result.scores))),
            tuple(float(score.total) for score in result.scores),
        )
