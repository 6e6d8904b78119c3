"""A command together with its caller and time, and the permission check: which rights a command needs."""

from dataclasses import dataclass
from functools import cache
from typing import Generic, TypeVar

from .commands import Command, Right
from .events import Caller
from .rejection import CommandRejected, RejectReason
from .table_state import TableState

C = TypeVar("C", bound=Command)


@dataclass(frozen=True, slots=True)
class CommandContext(Generic[C]):
    command: C
    caller: Caller
    at: float

    @property
    def chair(self) -> int:
        """The chair that the caller acts from, or for. Commands that have passed their refusal have one."""
        assert self.caller.chair is not None, "the command was not checked"
        return self.caller.chair


def authorise(state: TableState, command: Command, caller: Caller) -> None:
    """Raise ``CommandRejected`` unless the caller has the right to give such a command."""
    reason = rights_refusal(state, command, caller)
    if reason is not None:
        raise CommandRejected(reason)


def rights_refusal(state: TableState, command: Command, caller: Caller) -> RejectReason | None:
    if command.right & rights_of(state, caller):
        return None
    return chair_missing(caller) if Right.CHAIR in command.right else RejectReason.NOT_ALLOWED


def rights_of(state: TableState, caller: Caller) -> Right:
    place, count = caller.chair, len(state.chairs)
    chair = state.chairs[place] if place is not None and place in range(count) else None
    seated = chair is not None and chair.is_person
    return _rights(
        owner=caller.owner,
        join=caller.may_join,
        chair=seated and not caller.system,
        cleanup=seated and caller.system,
        # The system acts on its own account, and for chairs where no person decides.
        system=caller.system and (place is None or (chair is not None and not chair.decides)),
    )


@cache  # combining flags is slow
def _rights(*, owner: bool, join: bool, chair: bool, cleanup: bool, system: bool) -> Right:
    rights = Right(0)
    for held, right in (
        (owner, Right.OWNER),
        (join, Right.JOIN),
        (chair, Right.CHAIR),
        (cleanup, Right.CLEANUP),
        (system, Right.SYSTEM),
    ):
        rights |= right if held else Right(0)
    return rights


def chair_missing(caller: Caller) -> RejectReason:
    """The reason for a caller without a chair, where a command needs one."""
    return RejectReason.NAME_CHAIR if caller.undecided else RejectReason.NOT_ALLOWED


def acting_refusal(state: TableState, context: CommandContext[C]) -> RejectReason | None:
    """Why a caller may not pick or play. The system does so for computer players and stand-ins."""
    if context.caller.chair is None:
        return chair_missing(context.caller)
    return None if context.caller.system else state.deciding_refusal(context.caller.chair)
