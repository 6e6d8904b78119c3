"""People who are away: a stand-in plays for them, and they take their seat back when they come."""

from dataclasses import replace

from .chance import Source
from .commands import Return, StepAway, TimeOut, Vote
from .declined import Declined, No
from .request import Request
from .standing import Stage, Standing
from .terms import Pace

PATIENCE = 120
"""Seconds that someone must have kept the others waiting before they may vote."""


def step_away(standing: Standing, request: Request[StepAway], source: Source) -> Standing:
    """A person lets a stand-in play."""
    standing.require(Stage.PLAYING, Stage.PICKING)
    chair = standing.chairs[request.chair]
    if chair.conceded:
        raise Declined(No.HAS_CONCEDED)
    if chair.away:
        raise Declined(No.STAND_IN_PLAYS)
    return _sent_away(standing, request.chair)


def come_back(standing: Standing, request: Request[Return], source: Source) -> Standing:
    """A person takes the seat back; the clock starts anew."""
    standing.require(Stage.PLAYING, Stage.PICKING)
    chair = standing.chairs[request.chair]
    if not chair.away:
        raise Declined(No.HAS_CONCEDED if chair.conceded else No.NO_STAND_IN)
    after = standing.with_chair(request.chair, replace(chair, away=False))
    return replace(after, since=request.at) if request.chair in after.waiting() else after


def time_out(standing: Standing, request: Request[TimeOut], source: Source) -> Standing:
    """The clock has run out: a stand-in plays until the person comes back."""
    standing.require(Stage.PLAYING, Stage.PICKING)
    place = request.command.chair
    if place not in standing.waiting() or not standing.chair(place).decides:
        raise Declined(No.NOT_AWAITED)
    if standing.deadline is None or request.at < standing.deadline:
        raise Declined(No.TIME_LEFT)
    return _sent_away(standing, place)


def vote(standing: Standing, request: Request[Vote], source: Source) -> Standing:
    """A person wants a stand-in for another who is awaited; half of the others are enough."""
    standing.require(Stage.PLAYING, Stage.PICKING)
    place = request.command.chair
    chair = standing.chair(place)
    _check_vote(standing, request)
    voted = replace(chair, votes=chair.votes | {request.chair})
    after = standing.with_chair(place, voted)
    others = [other for other, seated in enumerate(after.chairs) if seated.decides and other != place]
    return _sent_away(after, place) if 2 * len(voted.votes) >= len(others) else after


def _check_vote(standing: Standing, request: Request[Vote]) -> None:
    place = request.command.chair
    chair = standing.chair(place)
    if place == request.chair:
        raise Declined(No.OWN_CHAIR)
    if not standing.chairs[request.chair].decides:
        raise Declined(No.STAND_IN_PLAYS)
    if not chair.decides:
        raise Declined(No.NO_PERSON_THERE)
    if place not in standing.waiting():
        raise Declined(No.NOT_AWAITED)
    if standing.terms.clock.pace is Pace.DAYS or request.at < standing.since + PATIENCE:
        raise Declined(No.NOT_ABSENT, seconds=PATIENCE)
    if request.chair in chair.votes:
        raise Declined(No.VOTED_ALREADY)


def _sent_away(standing: Standing, place: int) -> Standing:
    return standing.with_chair(place, replace(standing.chairs[place], away=True, votes=frozenset()))
