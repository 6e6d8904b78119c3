"""Colours: each chair that is taken has one, and no two are the same.

A colour belongs to the chair, the shape beside it to the seat. No person loses a colour to another. A
computer player swaps its colour with a person who wants it.
"""

from collections.abc import Iterable
from dataclasses import replace

from .chairs import Chair, Colour, Sitter
from .chance import Source
from .command_context import CommandContext
from .commands import ChooseColour
from .rejection import Reason, RejectReason
from .table_state import TableState

Chairs = tuple[Chair, ...]


def choose_colour_refusal(state: TableState, context: CommandContext[ChooseColour]) -> Reason | None:
    place, caller = context.command.chair, context.caller
    if reason := state.chair_refusal(place):
        return reason
    chair, colour = state.chairs[place], Colour(context.command.colour)
    own = chair.is_person and place == caller.chair
    if not own and not (chair.sitter is Sitter.COMPUTER and caller.owner):
        return RejectReason.NOT_ALLOWED
    return RejectReason.COLOUR_WORN if chair.colour is colour else colour_refusal(state.chairs, colour)


def choose_colour(state: TableState, context: CommandContext[ChooseColour], source: Source) -> TableState:
    """Give another colour to the caller's chair or to a computer player. Everyone stays ready."""
    chairs = with_colour(state.chairs, context.command.chair, Colour(context.command.colour))
    return replace(state, chairs=chairs)


def colour_refusal(chairs: Chairs, colour: Colour) -> RejectReason | None:
    taken = any(chair.is_person and chair.colour is colour for chair in chairs)
    return RejectReason.COLOUR_TAKEN if taken else None


def with_colour(chairs: Chairs, place: int, colour: Colour) -> Chairs:
    """Change the colour of a chair. A computer player who had it gets the old colour, or a free one."""
    before = {chair.colour: at for at, chair in enumerate(chairs)}.get(colour, place)
    changed = {before: chairs[place].colour, place: colour}
    return fill_colours(
        replace(chair, colour=changed.get(at, chair.colour)) for at, chair in enumerate(chairs)
    )


def fill_colours(chairs: Iterable[Chair]) -> Chairs:
    """Give each chair that is taken and has no colour the next free one."""
    chairs = tuple(chairs)
    worn = {chair.colour for chair in chairs}
    free = (colour for colour in Colour if colour not in worn)
    return tuple(replace(chair, colour=next(free)) if _needs_colour(chair) else chair for chair in chairs)


def _needs_colour(chair: Chair) -> bool:
    return chair.colour is None and chair.sitter is not Sitter.OPEN
