"""Permissions as a viewer sees them: the types of commands that the viewer may give now.

Nothing is enforced here; ``command_context.authorise`` and ``execution.refusal`` do that, and are asked here.
"""

from functools import cache
from math import inf

from . import commands
from .chairs import Colour
from .command_context import CommandContext, rights_of
from .commands import CommandType, PermittedCommand, Right
from .events import Caller
from .execution import refusal
from .table_state import OFFER_KINDS, OfferKind, Stage, TableState


def permitted(state: TableState, chair: int | None, owner: bool) -> list[CommandType]:
    """The types of which at least one command would be executed, from a chair or from none.

    A view holds until the next event, so commands are tried as of the end of time: a vote is permitted as
    soon as somebody is awaited, and the view says from when on it is accepted (``vote_from``).
    """
    caller = Caller(chair, owner)
    found: list[CommandType] = []
    rights = rights_of(state, caller)
    candidates = _candidates(state.stage, rights, len(state.chairs))
    if state.offer is not None and Right.CHAIR in rights:
        answers = commands.AcceptOffer(state.offer.number), commands.DeclineOffer(state.offer.number)
        candidates = sorted([*candidates, *answers], key=lambda command: command.type)
    for command in candidates:
        known = found and found[-1] == command.type
        if not known and refusal(state, CommandContext(command, caller, inf)) is None:
            found.append(command.type)
    return found


def permitted_offers(state: TableState, chair: int) -> list[OfferKind]:
    """The offers that a chair may make now."""
    caller = Caller(chair)
    return [
        what
        for what in OFFER_KINDS
        if refusal(state, CommandContext(commands.MakeOffer(what), caller, inf)) is None
    ]


@cache
def _candidates(stage: Stage, rights: Right, chairs: int) -> list[PermittedCommand]:
    """Commands to try, sorted by type: one for each choice of arguments that a refusal depends on."""
    tried: list[PermittedCommand] = [
        commands.Abandon(),
        commands.AssignChair(0, None),
        commands.Concede(),
        commands.LeaveChair(),
        *map(commands.MakeOffer, OFFER_KINDS),
        commands.Pick(0),
        commands.Play(""),
        commands.Ready(nonce="00" * 8),
        commands.Ready(commitment="00" * 32),
        commands.Rematch(""),
        commands.Return(),
        commands.Reveal("00" * 16),
        commands.StepAway(),
        commands.TakeBack(),
        commands.Unready(),
        *map(commands.Vote, range(chairs)),
        # The last colours are most likely free.
        *(
            commands.ChooseColour(place, colour.value)
            for colour in reversed(Colour)
            for place in range(chairs)
        ),
    ]
    given = [command for command in tried if stage in command.stages and command.right & rights]
    return sorted(given, key=lambda command: command.type)
