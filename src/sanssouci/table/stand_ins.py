"""Stand-ins: a computer plays for people who are away, until they take their seat back."""

from dataclasses import replace

from .chance import Source
from .command_context import CommandContext
from .commands import Return, StepAway, TimeOut, Vote
from .rejection import Reason, RejectReason
from .settings import TimeControlKind
from .table_state import IN_GAME, TableState

VOTE_DELAY = 120
"""Seconds the others must have waited for a person before they may vote, where no clock decides."""


def step_away_refusal(state: TableState, context: CommandContext[StepAway]) -> Reason | None:
    """People may also leave during a pause. Then a stand-in plays for them when the others return."""
    return None if context.chair in state.pause else state.deciding_refusal(context.chair)


def step_away(state: TableState, context: CommandContext[StepAway], source: Source) -> TableState:
    return _send_away(replace(state, pause=state.pause - {context.chair}), context.chair, late=False)


def come_back_refusal(state: TableState, context: CommandContext[Return]) -> Reason | None:
    """After a time-out the stand-in acts first; otherwise the clock would bind nobody."""
    chair = state.chairs[context.chair]
    if not chair.away:
        return RejectReason.HAS_CONCEDED if chair.conceded else RejectReason.NO_STAND_IN
    return RejectReason.STAND_IN_FIRST if state.owes_turn(context.chair) else None


def come_back(state: TableState, context: CommandContext[Return], source: Source) -> TableState:
    """Take the seat back. The clock runs on, but a paused game resumes with the full time.

    After a pause by agreement, the first person who returns brings all others back.
    """
    after = state
    for place in state.pause | {context.chair}:
        after = after.with_chair(place, replace(state.chairs[place], away=False, late=False))
    return replace(after, since=context.at, pause=frozenset()) if state.paused else after


def time_out_refusal(state: TableState, context: CommandContext[TimeOut]) -> Reason | None:
    if context.command.chair not in state.deciding & set(state.waiting):
        return RejectReason.NOT_AWAITED
    if state.deadline is None or context.at < state.deadline:
        return RejectReason.TIME_LEFT
    return None


def time_out(state: TableState, context: CommandContext[TimeOut], source: Source) -> TableState:
    """A stand-in plays this turn, and on until the person comes back."""
    return _send_away(state, context.command.chair, late=True)


def vote_from(state: TableState) -> float | None:
    """The time from which the others may vote for a stand-in, if nobody acts before it."""
    if state.stage not in IN_GAME or state.settings.time_control.kind is not TimeControlKind.NONE:
        return None
    return state.since + VOTE_DELAY if state.deciding & set(state.waiting) else None


def vote_refusal(state: TableState, context: CommandContext[Vote]) -> Reason | None:
    place = context.command.chair
    if reason := state.chair_refusal(place):
        return reason
    if place == context.chair:
        return RejectReason.OWN_CHAIR
    return state.deciding_refusal(context.chair) or _target_refusal(state, context, place)


def _target_refusal(state: TableState, context: CommandContext[Vote], place: int) -> Reason | None:
    if not state.chairs[place].decides:
        return RejectReason.NO_PERSON_THERE
    if place not in state.waiting:
        return RejectReason.NOT_AWAITED
    opens = vote_from(state)
    if opens is None or context.at < opens:
        return RejectReason.NOT_ABSENT
    # A repeated vote counts once it decides: people who had yet to vote may have left since.
    if context.chair in state.chairs[place].votes and not _vote_carries(state, context):
        return RejectReason.VOTED_ALREADY
    return None


def vote(state: TableState, context: CommandContext[Vote], source: Source) -> TableState:
    """Vote for a stand-in for the person awaited; half of the others present are enough."""
    place = context.command.chair
    if _vote_carries(state, context):
        return _send_away(state, place, late=True)
    chair = state.chairs[place]
    return state.with_chair(place, replace(chair, votes=chair.votes | {context.chair}))


def _vote_carries(state: TableState, context: CommandContext[Vote]) -> bool:
    votes = state.chairs[context.command.chair].votes | {context.chair}
    return 2 * len(votes) >= len(state.deciding - {context.command.chair})


def _send_away(state: TableState, place: int, *, late: bool) -> TableState:
    chair = replace(state.chairs[place], away=True, late=late, votes=frozenset())
    return state.with_chair(place, chair)
