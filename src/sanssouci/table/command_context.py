"""A command with all that the table must know about it: who gives it, and when."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from .commands import Command, Right
from .events import Caller
from .rejection import CommandRejected, RejectReason
from .table_state import TableState

C = TypeVar("C", bound=Command)


@dataclass(frozen=True, slots=True)
class CommandContext(Generic[C]):
    """Somebody asks something of a table."""

    command: C
    caller: Caller
    at: float

    @property
    def chair(self) -> int:
        """The chair that the command is given from, or for; ``CommandRejected`` if there is none."""
        if self.caller.chair is None:
            raise no_chair(self.caller)
        return self.caller.chair


def authorise(state: TableState, command: Command, caller: Caller) -> None:
    """Raise ``CommandRejected`` unless the caller has the right to give such a command."""
    allowed = (
        (Right.SYSTEM in command.right and _is_system(state, caller))
        or (Right.OWNER in command.right and caller.owner)
        or (Right.JOIN in command.right and caller.may_join)
        or (Right.CLEANUP in command.right and caller.system and _sits(state, caller))
        or (Right.CHAIR in command.right and not caller.system and _sits(state, caller))
    )
    if not allowed:
        raise no_chair(caller) if Right.CHAIR in command.right else CommandRejected(RejectReason.NOT_ALLOWED)


def no_chair(caller: Caller) -> CommandRejected:
    """What is said to somebody who speaks from no chair, where one is needed."""
    return CommandRejected(RejectReason.NAME_CHAIR if caller.undecided else RejectReason.NOT_ALLOWED)


def _is_system(state: TableState, caller: Caller) -> bool:
    """The house speaks for itself, and for chairs where no person decides."""
    return caller.system and (caller.chair is None or not state.chair(caller.chair).decides)


def _sits(state: TableState, caller: Caller) -> bool:
    return caller.chair in state.persons
