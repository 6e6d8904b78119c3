"""A command with all that the table must know about it: who gives it, and when."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from .commands import Command, Right
from .declined import Declined, No
from .events import Caller
from .standing import Standing

C = TypeVar("C", bound=Command)


@dataclass(frozen=True, slots=True)
class Request(Generic[C]):
    """Somebody asks something of a table."""

    command: C
    caller: Caller
    at: float

    @property
    def chair(self) -> int:
        """The chair that the command is given from, or for; ``Declined`` where the house names none."""
        if self.caller.chair is None:
            raise no_chair(self.caller)
        return self.caller.chair


def authorise(standing: Standing, command: Command, caller: Caller) -> None:
    """``Declined`` unless the caller has the right to give such a command; asked before anything else."""
    allowed = (
        (Right.HOUSE in command.right and _is_house(standing, caller))
        or (Right.OWNER in command.right and caller.owner)
        or (Right.JOIN in command.right and caller.may_join)
        or (Right.FAREWELL in command.right and caller.house and _sits(standing, caller))
        or (Right.CHAIR in command.right and not caller.house and _sits(standing, caller))
    )
    if not allowed:
        raise no_chair(caller) if Right.CHAIR in command.right else Declined(No.NOT_ALLOWED)


def no_chair(caller: Caller) -> Declined:
    """What is said to somebody who speaks from no chair, where one is needed."""
    return Declined(No.NAME_CHAIR if caller.undecided else No.NOT_ALLOWED)


def _is_house(standing: Standing, caller: Caller) -> bool:
    """The house speaks for itself, and for chairs where no person decides."""
    return caller.house and (caller.chair is None or not standing.chair(caller.chair).decides)


def _sits(standing: Standing, caller: Caller) -> bool:
    return caller.chair in standing.persons
