"""The lobby: people take and leave chairs, the owner assigns them, and the game starts once all are ready."""

import re
from dataclasses import replace
from itertools import count

from sanssouci.locale import UserError

from .chairs import Chair, Colour, Sitter, load_chair, new_chair
from .chance import Source
from .colours import colour_refusal, fill_colours, with_colour
from .command_context import CommandContext
from .commands import AssignChair, Create, LeaveChair, Ready, Sit, Unready
from .daily import daily_commitment
from .origin import Origin, load_origin
from .picking import start
from .rejection import CommandRejected, Reason, RejectReason
from .settings import load_settings
from .table_state import TableState

_NONCE = re.compile("([0-9a-f]{2}){8,32}")


def create(table: str, context: CommandContext[Create], source: Source) -> TableState:
    """A new table. The game starts at once if only computers play, or if it continues a record."""
    command = context.command
    settings = load_settings(command.terms)
    wanted = tuple(map(load_chair, command.chairs))
    chosen = [chair.colour for chair in wanted if chair.colour is not None]
    if len(set(chosen)) < len(chosen):
        raise CommandRejected(RejectReason.COLOUR_TAKEN)
    chairs = fill_colours(wanted)
    if len(chairs) != settings.variant.seats:
        raise CommandRejected(RejectReason.NO_SUCH_CHAIR, seats=settings.variant.seats)
    if (command.origin is None) == (command.commitment is None):
        raise UserError("table.bad_origin")
    if settings.daily is not None and command.commitment != daily_commitment(settings.daily):
        raise UserError("table.not_from_seed")
    state = TableState(table, settings, command.commitment, chairs, context.at)
    if command.origin is not None:
        return _continued(load_origin(command.origin), state)
    return _start_if_ready(state, context.at, source)


def _continued(origin: Origin, state: TableState) -> TableState:
    """A table at which the turns of a record count as played. Chairs are seats, and at most one person plays.

    A person who has the record may know everything that is face down in it, so others cannot play fairly.
    """
    settings, variant = state.settings, replace(state.variant, deck=origin.variant.deck)
    people = sum(chair.is_person for chair in state.chairs)
    taken = all(chair.sitter is not Sitter.OPEN for chair in state.chairs)
    if variant != origin.variant or settings.first != 0 or people > 1 or not taken:
        raise UserError("table.bad_origin")
    return replace(
        state,
        settings=replace(settings, variant=variant),
        chairs=tuple(replace(chair, nonce="") if chair.is_person else chair for chair in state.chairs),
        order=tuple(range(variant.seats)),
        states=origin.states(),
        turns=origin.turns(),
        origin=origin,
    )


def sit_refusal(state: TableState, context: CommandContext[Sit]) -> Reason | None:
    command = context.command
    if reason := state.chair_refusal(command.chair):
        return reason
    if state.chairs[command.chair].sitter is not Sitter.OPEN:
        return RejectReason.CHAIR_TAKEN
    return None if command.colour is None else colour_refusal(state.chairs, Colour(command.colour))


def sit(state: TableState, context: CommandContext[Sit], source: Source) -> TableState:
    """Take an open chair. People who are ready stay ready, whoever joins."""
    command = context.command
    person = new_chair(Sitter.PERSON, _unique_name(command.name, state.chairs))
    chairs = state.with_chair(command.chair, person).chairs
    if command.colour is None:
        return replace(state, chairs=fill_colours(chairs))
    return replace(state, chairs=with_colour(chairs, command.chair, Colour(command.colour)))


def _unique_name(name: str, chairs: tuple[Chair, ...]) -> str:
    """A name that is unique at the table: a number is added to a name that is taken."""
    taken = {chair.name for chair in chairs}
    numbered = (f"{name} {number}" for number in count(2))
    return name if name not in taken else next(other for other in numbered if other not in taken)


def leave_chair(state: TableState, context: CommandContext[LeaveChair], source: Source) -> TableState:
    """Leave the chair open. The others stay ready."""
    return state.with_chair(context.chair, Chair())


def assign_chair_refusal(state: TableState, context: CommandContext[AssignChair]) -> Reason | None:
    if state.settings.daily is not None:
        return RejectReason.NOT_ALLOWED  # everyone plays the deal of a day against the same opponent
    return state.chair_refusal(context.command.chair)


def assign_chair(state: TableState, context: CommandContext[AssignChair], source: Source) -> TableState:
    """Give a chair to a computer player, or open it. Everyone must get ready again for the changed table."""
    command = context.command
    sitter = Sitter.OPEN if command.player is None else Sitter.COMPUTER
    colour = state.chairs[command.chair].colour
    chair = new_chair(sitter, command.name, command.player or "", colour)
    after = state.with_chair(command.chair, chair)
    after = replace(after, chairs=fill_colours(after.chairs))
    return _start_if_ready(_unready_all(after), context.at, source)


def ready_refusal(state: TableState, context: CommandContext[Ready]) -> Reason | None:
    if not _NONCE.fullmatch(context.command.nonce):
        return RejectReason.BAD_NONCE
    return RejectReason.READY_ALREADY if state.chairs[context.chair].is_ready else None


def ready(state: TableState, context: CommandContext[Ready], source: Source) -> TableState:
    """Add the person's nonce. The last one to get ready starts the game."""
    chair = replace(state.chairs[context.chair], nonce=context.command.nonce)
    return _start_if_ready(state.with_chair(context.chair, chair), context.at, source)


def unready_refusal(state: TableState, context: CommandContext[Unready]) -> Reason | None:
    return None if state.chairs[context.chair].is_ready else RejectReason.NOT_READY


def unready(state: TableState, context: CommandContext[Unready], source: Source) -> TableState:
    return state.with_chair(context.chair, replace(state.chairs[context.chair], nonce=None))


def _unready_all(state: TableState) -> TableState:
    return replace(state, chairs=tuple(replace(chair, nonce=None) for chair in state.chairs))


def _start_if_ready(state: TableState, at: float, source: Source) -> TableState:
    whole = all(chair.is_ready for chair in state.chairs)
    return start(state, at, source) if whole else state
