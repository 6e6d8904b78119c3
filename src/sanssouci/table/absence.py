"""People who are away: a stand-in plays for them, and they take their seat back when they come."""

from dataclasses import replace

from .chance import Source
from .commands import Return, StepAway, TimeOut, Vote
from .declined import Declined, No
from .request import Request
from .standing import Stage, Standing
from .terms import Pace

PATIENCE = 120
"""Seconds that someone must have kept the others waiting before they may vote, where no clock decides."""


def step_away(standing: Standing, request: Request[StepAway], source: Source) -> Standing:
    """A person lets a stand-in play."""
    standing.require(Stage.PLAYING, Stage.PICKING)
    standing.require_deciding(request.chair)
    return _away(standing, request.chair, late=False)


def come_back(standing: Standing, request: Request[Return], source: Source) -> Standing:
    """A person takes the seat back, as the clock stands.

    Who was sent away gets it back when the stand-in has acted: else the clock would bind nobody. Where the
    game rests no stand-in acts; whoever comes back first has all the time again.
    """
    standing.require(Stage.PLAYING, Stage.PICKING)
    chair = standing.chairs[request.chair]
    if not chair.away:
        raise Declined(No.HAS_CONCEDED if chair.conceded else No.NO_STAND_IN)
    if standing.owes_turn(request.chair):
        raise Declined(No.STAND_IN_FIRST)
    back = standing.with_chair(request.chair, replace(chair, away=False, late=False))
    return replace(back, since=request.at) if standing.rests else back


def time_out(standing: Standing, request: Request[TimeOut], source: Source) -> Standing:
    """The clock has run out: a stand-in plays this turn, and on until the person comes back."""
    standing.require(Stage.PLAYING, Stage.PICKING)
    place = request.command.chair
    if place not in standing.deciding or place not in standing.waiting():
        raise Declined(No.NOT_AWAITED)
    if standing.deadline is None or request.at < standing.deadline:
        raise Declined(No.TIME_LEFT)
    return _away(standing, place, late=True)


def vote(standing: Standing, request: Request[Vote], source: Source) -> Standing:
    """A person wants a stand-in for another who is awaited; half of the others are enough.

    It is half of those who are there. So when some of them leave, a vote given before may be repeated.
    """
    standing.require(Stage.PLAYING, Stage.PICKING)
    _check_vote(standing, request)
    place = request.command.chair
    chair = standing.chair(place)
    others = standing.deciding - {place}
    votes = chair.votes | {request.chair}
    if 2 * len(votes) >= len(others):
        return _away(standing, place, late=True)
    if request.chair in chair.votes:
        raise Declined(No.VOTED_ALREADY)
    return standing.with_chair(place, replace(chair, votes=votes))


def _check_vote(standing: Standing, request: Request[Vote]) -> None:
    place = request.command.chair
    chair = standing.chair(place)
    if place == request.chair:
        raise Declined(No.OWN_CHAIR)
    standing.require_deciding(request.chair)
    if not chair.decides:
        raise Declined(No.NO_PERSON_THERE)
    if place not in standing.waiting():
        raise Declined(No.NOT_AWAITED)
    if standing.terms.clock.pace is not Pace.NONE or request.at < standing.since + PATIENCE:
        raise Declined(No.NOT_ABSENT, seconds=PATIENCE)


def _away(standing: Standing, place: int, *, late: bool) -> Standing:
    chair = replace(standing.chairs[place], away=True, late=late, votes=frozenset())
    return standing.with_chair(place, chair)
