"""Executing commands: whether a table refuses a command, and its state afterwards.

Each command has one refusal function, next to the function that executes it. Execution and permissions both
ask ``refusal``, so they cannot disagree.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sanssouci.rules import Refusal, Refused

from .chance import Source
from .colours import choose_colour, choose_colour_refusal
from .command_context import CommandContext
from .commands import (
    UNDO_COMMANDS,
    Abandon,
    AssignChair,
    ChooseColour,
    Command,
    Concede,
    Create,
    LeaveChair,
    Pick,
    Play,
    Ready,
    Rematch,
    Return,
    Sit,
    StepAway,
    TakeBack,
    TimeOut,
    Unready,
    Vote,
)
from .endings import abandon, abandon_refusal, concede, concede_refusal, rematch, rematch_refusal
from .lobby import (
    assign_chair,
    assign_chair_refusal,
    leave_chair,
    ready,
    ready_refusal,
    sit,
    sit_refusal,
    unready,
    unready_refusal,
)
from .picking import pick, pick_refusal
from .play import play, play_refusal, take_back, take_back_refusal
from .rejection import CommandRejected, Reason, RejectReason
from .stand_ins import (
    VOTE_DELAY,
    come_back,
    come_back_refusal,
    step_away,
    step_away_refusal,
    time_out,
    time_out_refusal,
    vote,
    vote_refusal,
)
from .table_state import MAX_APPOINTED, MAX_UNDONE, TableState

_RefusalFunction = Callable[[TableState, Any], Reason | None]
_ExecuteFunction = Callable[[TableState, Any, Source], TableState]
_HANDLERS: dict[type[Command], tuple[_RefusalFunction | None, _ExecuteFunction]] = {
    Sit: (sit_refusal, sit),
    LeaveChair: (None, leave_chair),
    AssignChair: (assign_chair_refusal, assign_chair),
    ChooseColour: (choose_colour_refusal, choose_colour),
    Ready: (ready_refusal, ready),
    Unready: (unready_refusal, unready),
    Pick: (pick_refusal, pick),
    Play: (play_refusal, play),
    TakeBack: (take_back_refusal, take_back),
    Concede: (concede_refusal, concede),
    StepAway: (step_away_refusal, step_away),
    Return: (come_back_refusal, come_back),
    Vote: (vote_refusal, vote),
    TimeOut: (time_out_refusal, time_out),
    Abandon: (abandon_refusal, abandon),
    Rematch: (rematch_refusal, rematch),
}


def refusal(state: TableState, context: CommandContext[Any]) -> Reason | None:
    """Why a table cannot execute a command of somebody who has the right to give it, or None.

    The legality of a turn is not looked at: the rules judge it when it is played.
    """
    command = context.command
    if isinstance(command, Create):
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
            return {"seconds": VOTE_DELAY}
        case RejectReason.UNDONE_TOO_OFTEN:
            return {"most": MAX_APPOINTED if _arranges(state, context) else MAX_UNDONE}
        case _:
            return {}


def _limit_refusal(state: TableState, context: CommandContext[Any]) -> Reason | None:
    """The event log is stored for good, so commands that can be repeated without end have a limit."""
    if _arranges(state, context):
        reached = state.appointed >= MAX_APPOINTED
    else:
        reached = _undoes(context) and state.undo_limit_reached(context.chair)
    return RejectReason.UNDONE_TOO_OFTEN if reached else None


def _counted(context: CommandContext[Any], after: TableState) -> TableState:
    """Count commands that have a limit. A chair that is assigned anew starts from 0."""
    if _arranges(after, context):
        fresh = {context.command.chair: 0} if isinstance(context.command, AssignChair) else {}
        return replace(after, appointed=after.appointed + 1, undone={**after.undone, **fresh})
    if _undoes(context):
        return replace(after, undone={**after.undone, context.chair: after.undone.get(context.chair, 0) + 1})
    return after


def _arranges(state: TableState, context: CommandContext[Any]) -> bool:
    """Whether the owner assigns a chair, or chooses a colour for a chair other than their own."""
    command, caller = context.command, context.caller
    if isinstance(command, ChooseColour):
        return command.chair != caller.chair or caller.chair not in state.persons
    return isinstance(command, AssignChair)


def _undoes(context: CommandContext[Any]) -> bool:
    """Whether a person undoes something from a chair. Commands of the system are not counted."""
    return isinstance(context.command, UNDO_COMMANDS) and not context.caller.system
