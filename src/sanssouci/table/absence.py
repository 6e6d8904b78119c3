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
    return _sent_away(standing, request.chair)


def come_back(standing: Standing, request: Request[Return], source: Source) -> Standing:
    """A person takes the seat back; a clock that had run out starts anew, one that runs is not stopped."""
    standing.require(Stage.PLAYING, Stage.PICKING)
    chair = standing.chairs[request.chair]
    if not chair.away:
        raise Declined(No.HAS_CONCEDED if chair.conceded else No.NO_STAND_IN)
    after = standing.with_chair(request.chair, replace(chair, away=False))
    late = request.chair in after.waiting() and _is_late(after, request.at)
    return replace(after, since=request.at) if late else after


def time_out(standing: Standing, request: Request[TimeOut], source: Source) -> Standing:
    """The clock has run out: a stand-in plays until the person comes back."""
    standing.require(Stage.PLAYING, Stage.PICKING)
    place = request.command.chair
    if place not in standing.deciding or place not in standing.waiting():
        raise Declined(No.NOT_AWAITED)
    if standing.deadline is None or request.at < standing.deadline:
        raise Declined(No.TIME_LEFT)
    return _sent_away(standing, place)


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
        return _sent_away(standing, place)
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
    if standing.terms.clock.pace is not Pace.NONE or not _is_late(standing, request.at):
        raise Declined(No.NOT_ABSENT, seconds=PATIENCE)


def _is_late(standing: Standing, at: float) -> bool:
    """Whether those who are awaited have had their time; without a clock, what patience others have."""
    return at >= standing.since + (standing.terms.clock.seconds or PATIENCE)


def _sent_away(standing: Standing, place: int) -> Standing:
    return standing.with_chair(place, replace(standing.chairs[place], away=True, votes=frozenset()))
