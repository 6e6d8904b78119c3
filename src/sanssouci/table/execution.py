"""Executing commands: whether a table refuses a command, and its state afterwards.

Each command has one refusal function, next to the function that executes it. Execution and permissions both
ask ``refusal``, so they cannot disagree.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sanssouci.rules import Refusal, Refused

from . import colours, commands, endings, lobby, offers, picking, play, stand_ins
from .chance import Source
from .command_context import CommandContext
from .rejection import CommandRejected, Reason, RejectReason
from .table_state import MAX_APPOINTED, MAX_SHUFFLES, MAX_UNDONE, TableState

_RefusalFunction = Callable[[TableState, Any], Reason | None]
_ExecuteFunction = Callable[[TableState, Any, Source], TableState]
_HANDLERS: dict[type[commands.Command], tuple[_RefusalFunction | None, _ExecuteFunction]] = {
    commands.Sit: (lobby.sit_refusal, lobby.sit),
    commands.LeaveChair: (None, lobby.leave_chair),
    commands.AssignChair: (lobby.assign_chair_refusal, lobby.assign_chair),
    commands.ChooseColour: (colours.choose_colour_refusal, colours.choose_colour),
    commands.Ready: (lobby.ready_refusal, lobby.ready),
    commands.Unready: (lobby.unready_refusal, lobby.unready),
    commands.Reveal: (lobby.reveal_refusal, lobby.reveal),
    commands.Reshuffle: (lobby.reshuffle_refusal, lobby.reshuffle),
    commands.Pick: (picking.pick_refusal, picking.pick),
    commands.Play: (play.play_refusal, play.play),
    commands.TakeBack: (play.take_back_refusal, play.take_back),
    commands.Concede: (endings.concede_refusal, endings.concede),
    commands.StepAway: (stand_ins.step_away_refusal, stand_ins.step_away),
    commands.Return: (stand_ins.come_back_refusal, stand_ins.come_back),
    commands.Vote: (stand_ins.vote_refusal, stand_ins.vote),
    commands.TimeOut: (stand_ins.time_out_refusal, stand_ins.time_out),
    commands.Abandon: (endings.abandon_refusal, endings.abandon),
    commands.MakeOffer: (offers.offer_refusal, offers.make_offer),
    commands.AcceptOffer: (offers.accept_refusal, offers.accept),
    commands.DeclineOffer: (offers.decline_refusal, offers.decline),
    commands.Rematch: (endings.rematch_refusal, endings.rematch),
}


def refusal(state: TableState, context: CommandContext[Any]) -> Reason | None:
    """Why a table cannot execute a command of somebody who has the right to give it, or None.

    The legality of a turn is not looked at: the rules judge it when it is played. Nor is a revealed nonce.
    """
    command = context.command
    if isinstance(command, commands.Create):
        return RejectReason.NOT_ALLOWED
    own, _ = _HANDLERS[type(command)]
    return (
        _limit_refusal(state, context)
        or state.stage_refusal(command.stages)
        or (None if own is None else own(state, context))
    )


def execute(state: TableState, context: CommandContext[Any], source: Source) -> TableState:
    """The state after a command, or ``CommandRejected`` or ``Refused``."""
    reason = refusal(state, context)
    if isinstance(reason, Refusal):
        raise Refused(reason)
    if reason is not None:
        raise CommandRejected(reason, **_details(reason, state, context))
    _, run = _HANDLERS[type(context.command)]
    return _counted(context, run(state, context, source))


def _details(reason: RejectReason, state: TableState, context: CommandContext[Any]) -> dict[str, int]:
    """The numbers that the message of a reason names."""
    match reason:
        case RejectReason.NO_SUCH_CHAIR:
            return {"seats": len(state.chairs)}
        case RejectReason.NOT_ABSENT:
            return {"seconds": stand_ins.VOTE_DELAY}
        case RejectReason.UNDONE_TOO_OFTEN:
            return {"most": MAX_APPOINTED if _is_arrangement(state, context) else MAX_UNDONE}
        case RejectReason.SHUFFLED_TOO_OFTEN:
            return {"most": MAX_SHUFFLES}
        case _:
            return {}


def _limit_refusal(state: TableState, context: CommandContext[Any]) -> Reason | None:
    """The event log is stored for good, so commands that can be repeated without end have a limit."""
    if _is_arrangement(state, context):
        reached = state.appointed >= MAX_APPOINTED
    else:
        reached = _is_undo(context) and state.undo_limit_reached(context.chair)
    return RejectReason.UNDONE_TOO_OFTEN if reached else None


def _counted(context: CommandContext[Any], after: TableState) -> TableState:
    """Count commands that have a limit. A chair that is assigned anew starts from 0."""
    if _is_arrangement(after, context):
        fresh = {context.command.chair: 0} if isinstance(context.command, commands.AssignChair) else {}
        return replace(after, appointed=after.appointed + 1, undone={**after.undone, **fresh})
    if _is_undo(context):
        return replace(after, undone={**after.undone, context.chair: after.undone.get(context.chair, 0) + 1})
    return after


def _is_arrangement(state: TableState, context: CommandContext[Any]) -> bool:
    """Whether the owner assigns a chair, or chooses a colour for a chair other than their own."""
    command, caller = context.command, context.caller
    if isinstance(command, commands.ChooseColour):
        return command.chair != caller.chair or caller.chair not in state.persons
    return isinstance(command, commands.AssignChair)


def _is_undo(context: CommandContext[Any]) -> bool:
    """Whether a person undoes something from a chair. Commands of the system are not counted."""
    return isinstance(context.command, commands.UNDO_COMMANDS) and not context.caller.system
