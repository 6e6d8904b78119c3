"""The colours at a table: one for each chair that is taken, no two the same.

A colour belongs to a chair, and so to who sits there; the shape beside it belongs to the seat. Nobody loses a
colour to another person. A computer player gives its own away, and takes what is left.
"""

from collections.abc import Iterable
from dataclasses import replace

from .chairs import Chair, Colour, Sitter
from .chance import Source
from .commands import Wear
from .declined import Declined, No
from .request import Request
from .standing import Stage, Standing

Chairs = tuple[Chair, ...]


def wear(standing: Standing, request: Request[Wear], source: Source) -> Standing:
    """A person takes another colour, or the owner gives one to a computer player; who is ready stays so."""
    standing.require(Stage.LOBBY)
    place, colour = request.command.chair, Colour(request.command.colour)
    chair = standing.chair(place)
    own = chair.is_person and place == request.caller.chair
    if not own and not (chair.sitter is Sitter.COMPUTER and request.caller.owner):
        raise Declined(No.NOT_ALLOWED)
    if chair.colour is colour:
        raise Declined(No.COLOUR_WORN)
    return replace(standing, chairs=dressed(standing.chairs, place, colour))


def dressed(chairs: Chairs, place: int, colour: Colour) -> Chairs:
    """Chairs of which one has another colour; ``Declined`` if that is a person's.

    A computer player who had it gets the other's, or what is left.
    """
    before = {chair.colour: at for at, chair in enumerate(chairs)}.get(colour, place)
    if before != place and chairs[before].is_person:
        raise Declined(No.COLOUR_TAKEN)
    given = {before: chairs[place].colour, place: colour}
    return all_dressed(replace(chair, colour=given.get(at, chair.colour)) for at, chair in enumerate(chairs))


def all_dressed(chairs: Iterable[Chair]) -> Chairs:
    """Chairs of which each has a colour on which anybody sits; ``Declined`` if two have the same."""
    chairs = tuple(chairs)
    worn = [chair.colour for chair in chairs if chair.colour is not None]
    if len(set(worn)) < len(worn):
        raise Declined(No.COLOUR_TAKEN)
    left = (colour for colour in Colour if colour not in worn)
    return tuple(replace(chair, colour=next(left)) if _is_bare(chair) else chair for chair in chairs)


def _is_bare(chair: Chair) -> bool:
    return chair.colour is None and chair.sitter is not Sitter.OPEN
