"""The types of commands that a viewer may give now."""

from functools import cache
from math import inf

from .chairs import Colour
from .command_context import CommandContext, rights_of
from .commands import (
    Abandon,
    AssignChair,
    ChooseColour,
    Command,
    Concede,
    LeaveChair,
    Pick,
    Play,
    Ready,
    Rematch,
    Return,
    Right,
    StepAway,
    TakeBack,
    Unready,
    Vote,
)
from .events import Caller
from .execution import refusal
from .table_state import Stage, TableState


def permitted(state: TableState, chair: int | None, owner: bool) -> list[str]:
    """The types of which at least one command would be executed, from a chair or from none.

    A view holds until the next event, so commands are tried as of the end of time: a vote is permitted as
    soon as somebody is awaited, and the view says from when on it is accepted (``vote_from``).
    """
    caller = Caller(chair, owner)
    found: list[str] = []
    for command in _candidates(state.stage, rights_of(state, caller), len(state.chairs)):
        known = found and found[-1] == command.type
        if not known and refusal(state, CommandContext(command, caller, inf)) is None:
            found.append(command.type)
    return found


@cache
def _candidates(stage: Stage, rights: Right, chairs: int) -> list[Command]:
    """Commands to try, sorted by type: one for each choice of arguments that a refusal depends on."""
    commands: list[Command] = [
        Abandon(),
        AssignChair(0, None, ""),
        Concede(),
        LeaveChair(),
        Pick(0),
        Play(""),
        Ready("00" * 8),
        Rematch(""),
        Return(),
        StepAway(),
        TakeBack(),
        Unready(),
        *map(Vote, range(chairs)),
        # The last colours are most likely free.
        *(ChooseColour(chair, colour.value) for colour in reversed(Colour) for chair in range(chairs)),
    ]
    given = [command for command in commands if stage in command.stages and command.right & rights]
    return sorted(given, key=lambda command: command.type)
