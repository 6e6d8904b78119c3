"""People who are away: a stand-in plays for them, and they take their seat back when they come."""

from dataclasses import replace

from .chance import Source
from .command_context import CommandContext
from .commands import Return, StepAway, TimeOut, Vote
from .rejection import CommandRejected, RejectReason
from .settings import TimeControlKind
from .table_state import Stage, TableState

VOTE_DELAY = 120
"""Seconds that someone must have kept the others waiting before they may vote, where no clock decides."""


def step_away(state: TableState, context: CommandContext[StepAway], source: Source) -> TableState:
    """A person lets a stand-in play."""
    state.require(Stage.PLAYING, Stage.PICKING)
    state.require_deciding(context.chair)
    return _away(state, context.chair, late=False)


def come_back(state: TableState, context: CommandContext[Return], source: Source) -> TableState:
    """A person takes the seat back, as the clock stands.

    Who was sent away gets it back when the stand-in has acted: else the clock would bind nobody. Where the
    game rests no stand-in acts; whoever comes back first has all the time again.
    """
    state.require(Stage.PLAYING, Stage.PICKING)
    chair = state.chairs[context.chair]
    if not chair.away:
        raise CommandRejected(RejectReason.HAS_CONCEDED if chair.conceded else RejectReason.NO_STAND_IN)
    if state.owes_turn(context.chair):
        raise CommandRejected(RejectReason.STAND_IN_FIRST)
    back = state.with_chair(context.chair, replace(chair, away=False, late=False))
    return replace(back, since=context.at) if state.paused else back


def time_out(state: TableState, context: CommandContext[TimeOut], source: Source) -> TableState:
    """The clock has run out: a stand-in plays this turn, and on until the person comes back."""
    state.require(Stage.PLAYING, Stage.PICKING)
    place = context.command.chair
    if place not in state.deciding or place not in state.waiting():
        raise CommandRejected(RejectReason.NOT_AWAITED)
    if state.deadline is None or context.at < state.deadline:
        raise CommandRejected(RejectReason.TIME_LEFT)
    return _away(state, place, late=True)


def vote(state: TableState, context: CommandContext[Vote], source: Source) -> TableState:
    """A person wants a stand-in for another who is awaited; half of the others are enough.

    It is half of those who are there. So when some of them leave, a vote given before may be repeated.
    """
    state.require(Stage.PLAYING, Stage.PICKING)
    _check_vote(state, context)
    place = context.command.chair
    chair = state.chair(place)
    others = state.deciding - {place}
    votes = chair.votes | {context.chair}
    if 2 * len(votes) >= len(others):
        return _away(state, place, late=True)
    if context.chair in chair.votes:
        raise CommandRejected(RejectReason.VOTED_ALREADY)
    return state.with_chair(place, replace(chair, votes=votes))


def _check_vote(state: TableState, context: CommandContext[Vote]) -> None:
    place = context.command.chair
    chair = state.chair(place)
    if place == context.chair:
        raise CommandRejected(RejectReason.OWN_CHAIR)
    state.require_deciding(context.chair)
    if not chair.decides:
        raise CommandRejected(RejectReason.NO_PERSON_THERE)
    if place not in state.waiting():
        raise CommandRejected(RejectReason.NOT_AWAITED)
    if state.settings.time_control.kind is not TimeControlKind.NONE or context.at < state.since + VOTE_DELAY:
        raise CommandRejected(RejectReason.NOT_ABSENT, seconds=VOTE_DELAY)


def _away(state: TableState, place: int, *, late: bool) -> TableState:
    chair = replace(state.chairs[place], away=True, late=late, votes=frozenset())
    return state.with_chair(place, chair)
