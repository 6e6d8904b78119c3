"""Skill and luck: where a seat's share of the win, or its lead in points, came from.

Skill is the change made by a turn, judged by what its seat could know: the forecast with the played turn
minus the forecast with the standard turn. The standard is the best turn that was found, or without a network
a steward's. Luck is the rest of the change from one turn to the next: the tiles and cards that came up, and
what the other seats turned out to hold. So the parts always add up. The same players go on before and after a
deal, so luck favours nobody in the long run. Luck is a remainder, so it includes the errors of all other
parts and has the larger error.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from math import hypot, sqrt

from .analysis import Analysis
from .forecast import Errors, Forecast

Figure = Callable[[Forecast | Errors], tuple[float, ...]]
"""Selects shares or leads from a forecast, or from its errors."""


def shares(forecast: Forecast | Errors) -> tuple[float, ...]:
    """The share of the win."""
    return forecast.shares


def leads(forecast: Forecast | Errors) -> tuple[float, ...]:
    """The lead in points."""
    return forecast.leads


@dataclass(frozen=True, slots=True)
class SkillAndLuck:
    """The account of one seat from the common start to its end: the first four figures add up to the last."""

    start: float
    """The same for all seats: an equal share of the win, or no lead."""
    skill: float
    """The change by its own turns."""
    others: float
    """The change by the other seats' turns."""
    luck: float
    """The change by the deal at the start and all draws after it."""
    end: float
    error: float
    """The standard error of its skill."""
    luck_error: float
    """The standard error of its luck: from all turns, and from the end if the game was stopped."""


def split_skill_and_luck(analysis: Analysis, seat: int, figure: Figure) -> SkillAndLuck:
    """Split the result of a seat into skill and luck."""
    start = 1 / analysis.seats if figure is shares else 0.0
    first, end = figure(analysis.forecasts[0])[seat], figure(analysis.forecasts[-1])[seat]
    own = others = luck = noise = doubt = 0.0
    for number, turn_review in enumerate(analysis.turn_reviews):
        change = skill_of(analysis, number, figure)[seat]
        own, others = (own + change, others) if turn_review.seat == seat else (own, others + change)
        luck += luck_of(analysis, number, figure)[seat]
        error = figure(turn_review.skill_errors)[seat]
        noise, doubt = noise + error**2 if turn_review.seat == seat else noise, doubt + error**2
    luck_error = hypot(sqrt(doubt), figure(analysis.errors[-1])[seat])
    return SkillAndLuck(start, own, others, first - start + luck, end, sqrt(noise), luck_error)


def skill_of(analysis: Analysis, number: int, figure: Figure) -> tuple[float, ...]:
    """What a turn changed for every seat."""
    turn_review = analysis.turn_reviews[number]
    pairs = zip(figure(turn_review.before), figure(turn_review.after), strict=True)
    return tuple(after - before for before, after in pairs)


def luck_of(analysis: Analysis, number: int, figure: Figure) -> tuple[float, ...]:
    """The change for every seat between a turn and the next, beyond the change made by the turn itself."""
    here, there = figure(analysis.forecasts[number]), figure(analysis.forecasts[number + 1])
    skill = skill_of(analysis, number, figure)
    return tuple(after - before - done for before, after, done in zip(here, there, skill, strict=True))


class Cause(Enum):
    """What a turning point came from."""

    SKILL = "skill"
    """A turn was much better or worse than the standard."""
    MISSED = "missed"
    """A much better turn was missed."""
    LUCK = "luck"


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A large change of the win."""

    number: int
    """The turn, counted from 0; for luck, the turn before the deal."""
    cause: Cause
    seat: int
    """The seat that played the turn; for luck, the seat with the largest change."""
    change: float
    """Of the share of that seat."""
    error: float
    """The standard error of the change."""

    @property
    def clear(self) -> bool:
        """Whether it is large, and more than noise."""
        return abs(self.change) >= max(LEAST_TURN, CLEAR_TURN * self.error)


SHOWN = 3
"""The maximum number of turning points."""
LEAST_TURN = 0.05
"""Minimum change of the win share at a turning point."""
CLEAR_TURN = 2.5
"""Minimum change at a turning point, in standard errors."""


def turning_points(analysis: Analysis) -> tuple[TurningPoint, ...]:
    """The few largest changes of the win, in the order of the game."""
    points = [
        point
        for number in range(len(analysis.turn_reviews))
        for point in (_turned_by_turn(analysis, number), _turned_by_luck(analysis, number))
        if point.clear
    ]
    largest = sorted(points, key=lambda point: -abs(point.change))[:SHOWN]
    return tuple(sorted(largest, key=lambda point: (point.number, point.cause is Cause.LUCK)))


def _turned_by_turn(analysis: Analysis, number: int) -> TurningPoint:
    """The change made by a turn, or the change that was missed if that is larger."""
    turn_review = analysis.turn_reviews[number]
    done = skill_of(analysis, number, shares)[turn_review.seat]
    undone = turn_review.cost_share if turn_review.missed else 0.0
    if turn_review.missed and undone >= abs(done):
        error = turn_review.cost_errors.shares[turn_review.seat]
        return TurningPoint(number, Cause.MISSED, turn_review.seat, -undone, error)
    error = turn_review.skill_errors.shares[turn_review.seat]
    return TurningPoint(number, Cause.SKILL, turn_review.seat, done, error)


def _turned_by_luck(analysis: Analysis, number: int) -> TurningPoint:
    """The largest change by luck; of equal changes, as with two seats, that of the lucky seat."""
    luck = luck_of(analysis, number, shares)
    most = max(range(analysis.seats), key=lambda seat: (round(abs(luck[seat]), 9), luck[seat]))
    doubts = (
        analysis.errors[number],
        analysis.errors[number + 1],
        analysis.turn_reviews[number].skill_errors,
    )
    error = hypot(*(doubt.shares[most] for doubt in doubts))
    return TurningPoint(number, Cause.LUCK, most, luck[most], error)
