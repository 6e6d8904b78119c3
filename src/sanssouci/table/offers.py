"""Offers: a person asks all others to end the game, to pause it, or to take back a turn.

An offer is open until everyone who decides has agreed, somebody declines it, or a person plays a turn.
"""

from dataclasses import replace

from .chance import Source
from .command_context import CommandContext
from .commands import AcceptOffer, DeclineOffer, MakeOffer
from .endings import end_abandoned, with_agreement, with_offer
from .play import turns_of, without_last_turn
from .rejection import Reason, RejectReason
from .table_state import TableState


def offer_refusal(state: TableState, context: CommandContext[MakeOffer]) -> Reason | None:
    """One offer at a time. A declined one may not be repeated at once, so that nobody is pestered."""
    chair, what = context.chair, context.command.what
    if reason := state.deciding_refusal(chair):
        return reason
    if state.offer is not None:
        return RejectReason.OFFER_OPEN
    if state.deciding == {chair}:
        return RejectReason.NOBODY_TO_ASK
    if (chair, what) in state.declined:
        return RejectReason.OFFER_DECLINED
    if what == "take_back" and not turns_of(state, chair):
        return RejectReason.NOTHING_TO_TAKE_BACK
    return None


def make_offer(state: TableState, context: CommandContext[MakeOffer], source: Source) -> TableState:
    return with_offer(state, context.command.what, context.chair)


def accept_refusal(state: TableState, context: CommandContext[AcceptOffer]) -> Reason | None:
    if reason := _answer_refusal(state, context):
        return reason
    assert state.offer is not None, "otherwise it cannot be answered"
    # To agree again decides if everyone who had not agreed has left since.
    agreed = state.offer.agreed
    return RejectReason.AGREED_ALREADY if context.chair in agreed and not state.deciding <= agreed else None


def accept(state: TableState, context: CommandContext[AcceptOffer], source: Source) -> TableState:
    state, carried = with_agreement(state, context.chair)
    offer = state.offer
    if not carried or offer is None:
        return state
    after = replace(state, offer=None)
    match offer.what:
        case "abandon":
            return end_abandoned(state, source)
        case "pause":
            return _paused(after)
        case "take_back":
            return without_last_turn(after, offer.chair, context.at)


def decline_refusal(state: TableState, context: CommandContext[DeclineOffer]) -> Reason | None:
    return _answer_refusal(state, context)


def decline(state: TableState, context: CommandContext[DeclineOffer], source: Source) -> TableState:
    offer = state.offer
    assert offer is not None, "otherwise it cannot be answered"
    return replace(state, offer=None, declined=state.declined | {(offer.chair, offer.what)})


def _answer_refusal(
    state: TableState, context: CommandContext[AcceptOffer] | CommandContext[DeclineOffer]
) -> Reason | None:
    if state.offer is None or state.offer.number != context.command.offer:
        return RejectReason.NO_OFFER
    return state.deciding_refusal(context.chair)


def _paused(state: TableState) -> TableState:
    """Nobody decides during a pause, so clocks stop and computer players wait."""
    pause = state.deciding
    for place in pause:
        state = state.with_chair(place, replace(state.chairs[place], away=True, votes=frozenset()))
    return replace(state, pause=pause)
