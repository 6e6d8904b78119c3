"""The colours at a table: one for each chair that is taken, no two the same.

A colour belongs to a chair, and so to who sits there; the shape beside it belongs to the seat. Nobody loses a
colour to another person. A computer player gives its own away, and takes what is left.
"""

from collections.abc import Iterable
from dataclasses import replace

from .chairs import Chair, Colour, Sitter
from .chance import Source
from .command_context import CommandContext
from .commands import ChooseColour
from .rejection import CommandRejected, RejectReason
from .table_state import Stage, TableState

Chairs = tuple[Chair, ...]


def choose_colour(state: TableState, context: CommandContext[ChooseColour], source: Source) -> TableState:
    """A person takes another colour, or the owner gives one to a computer player; who is ready stays so."""
    state.require(Stage.LOBBY)
    place, colour = context.command.chair, Colour(context.command.colour)
    chair = state.chair(place)
    own = chair.is_person and place == context.caller.chair
    if not own and not (chair.sitter is Sitter.COMPUTER and context.caller.owner):
        raise CommandRejected(RejectReason.NOT_ALLOWED)
    if chair.colour is colour:
        raise CommandRejected(RejectReason.COLOUR_WORN)
    return replace(state, chairs=with_colour(state.chairs, place, colour))


def with_colour(chairs: Chairs, place: int, colour: Colour) -> Chairs:
    """Chairs of which one has another colour; ``CommandRejected`` if that is a person's.

    A computer player who had it gets the other's, or what is left.
    """
    before = {chair.colour: at for at, chair in enumerate(chairs)}.get(colour, place)
    if before != place and chairs[before].is_person:
        raise CommandRejected(RejectReason.COLOUR_TAKEN)
    given = {before: chairs[place].colour, place: colour}
    return fill_colours(replace(chair, colour=given.get(at, chair.colour)) for at, chair in enumerate(chairs))


def fill_colours(chairs: Iterable[Chair]) -> Chairs:
    """Chairs of which each has a colour on which anybody sits; ``CommandRejected`` if two have the same."""
    chairs = tuple(chairs)
    worn = [chair.colour for chair in chairs if chair.colour is not None]
    if len(set(worn)) < len(worn):
        raise CommandRejected(RejectReason.COLOUR_TAKEN)
    left = (colour for colour in Colour if colour not in worn)
    return tuple(replace(chair, colour=next(left)) if _is_bare(chair) else chair for chair in chairs)


def _is_bare(chair: Chair) -> bool:
    return chair.colour is None and chair.sitter is not Sitter.OPEN
