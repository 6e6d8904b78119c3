"""Skill and luck: where a seat's share of the win, or its lead in points, came from.

Skill is what a turn changed by what its seat could know: before it with the turn of a steward, after it with
the one that was played. Luck is the rest of what happened to the game from one turn to the next: tiles and
cards that came, and what the others turned out to hold. So everything adds up, whatever the imagined games
say; and as stewards play on before and after a deal alike, luck favours nobody in the long run.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from math import sqrt

from .analysis import Analysis
from .outlook import Outlook

Figure = Callable[[Outlook], tuple[float, ...]]
"""What is accounted for, of every seat."""


def shares(outlook: Outlook) -> tuple[float, ...]:
    """The share of the win."""
    return outlook.shares


def leads(outlook: Outlook) -> tuple[float, ...]:
    """The lead in points."""
    return outlook.leads


@dataclass(frozen=True, slots=True)
class Account:
    """How one seat came from where all begin to where it ended: the first four add up to the last."""

    start: float
    """The same for all: a fair part of the win, or no lead."""
    skill: float
    """By turns of its own."""
    others: float
    """By turns of the others."""
    luck: float
    """By the deal at the start, and by all that came after."""
    end: float
    error: float
    """The standard error of its skill; luck has the same, for what is not the one is the other."""


def account(analysis: Analysis, seat: int, figure: Figure) -> Account:
    """The account of a seat."""
    start = 1 / analysis.seats if figure is shares else 0.0
    first, end = figure(analysis.outlooks[0])[seat], figure(analysis.outlooks[-1])[seat]
    own = others = luck = noise = 0.0
    for number, judgement in enumerate(analysis.judgements):
        change = skill_of(analysis, number, figure)[seat]
        own, others = (own + change, others) if judgement.seat == seat else (own, others + change)
        luck += luck_of(analysis, number, figure)[seat]
        error = judgement.skill_errors[0 if figure is shares else 1]
        noise += error**2 if judgement.seat == seat else 0.0
    return Account(start, own, others, first - start + luck, end, sqrt(noise))


def skill_of(analysis: Analysis, number: int, figure: Figure) -> tuple[float, ...]:
    """What a turn changed for every seat."""
    judgement = analysis.judgements[number]
    pairs = zip(figure(judgement.before), figure(judgement.after), strict=True)
    return tuple(after - before for before, after in pairs)


def luck_of(analysis: Analysis, number: int, figure: Figure) -> tuple[float, ...]:
    """What happened to every seat between a turn and the next, beyond what the turn itself changed."""
    here, there = figure(analysis.outlooks[number]), figure(analysis.outlooks[number + 1])
    skill = skill_of(analysis, number, figure)
    return tuple(after - before - done for before, after, done in zip(here, there, skill, strict=True))


class Cause(Enum):
    """What a turning point came from."""

    SKILL = "skill"
    """A turn did much more, or less, than a steward's."""
    MISSED = "missed"
    """A turn that would have done much more was not seen."""
    LUCK = "luck"


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A large change of the win."""

    number: int
    """The turn, counted from 0, that it was or came after."""
    cause: Cause
    seat: int
    """Whose turn it was; of luck, whom it changed most."""
    change: float
    """Of the share of that seat."""


SHOWN = 3
"""How many turning points are told at most."""
LEAST_TURN = 0.05
"""A share of the win; less is no turning point."""


def turning_points(analysis: Analysis) -> tuple[TurningPoint, ...]:
    """The few largest changes of the win, in the order of the game."""
    points = [
        point
        for number in range(len(analysis.judgements))
        for point in (_turned_by_turn(analysis, number), _turned_by_luck(analysis, number))
    ]
    large = sorted(points, key=lambda point: -abs(point.change))[:SHOWN]
    found = [point for point in large if abs(point.change) >= LEAST_TURN]
    return tuple(sorted(found, key=lambda point: (point.number, point.cause is Cause.LUCK)))


def _turned_by_turn(analysis: Analysis, number: int) -> TurningPoint:
    """What a turn did, or what it left undone if that is more."""
    judgement = analysis.judgements[number]
    done = skill_of(analysis, number, shares)[judgement.seat]
    undone = judgement.cost_share if judgement.missed else 0.0
    if undone > abs(done):
        return TurningPoint(number, Cause.MISSED, judgement.seat, -undone)
    return TurningPoint(number, Cause.SKILL, judgement.seat, done)


def _turned_by_luck(analysis: Analysis, number: int) -> TurningPoint:
    """Of equal changes, as two seats have them, that of the lucky one."""
    luck = luck_of(analysis, number, shares)
    most = max(range(analysis.seats), key=lambda seat: (round(abs(luck[seat]), 9), luck[seat]))
    return TurningPoint(number, Cause.LUCK, most, luck[most])
