"""Before the game: people sit down and rise, chairs are given away, and when all are ready it starts."""

import re
from dataclasses import replace
from itertools import count

from sanssouci.locale import UserError

from .chairs import Chair, Colour, Sitter, load_chair, new_chair
from .chance import Source
from .colours import fill_colours, with_colour
from .command_context import CommandContext
from .commands import AssignChair, Create, LeaveChair, Ready, Sit, Unready
from .daily import daily_commitment
from .origin import Origin, load_origin
from .picking import start
from .rejection import CommandRejected, RejectReason
from .settings import load_settings
from .table_state import Stage, TableState

_NONCE = re.compile("([0-9a-f]{2}){8,32}")
"""64 to 256 bits, in hex."""


def create(table: str, context: CommandContext[Create], source: Source) -> TableState:
    """A new table; where only computers play, or a record is played on, the game starts at once."""
    command = context.command
    terms = load_settings(command.terms)
    chairs = fill_colours(map(load_chair, command.chairs))
    if len(chairs) != terms.variant.seats:
        raise CommandRejected(RejectReason.NO_SUCH_CHAIR, seats=terms.variant.seats)
    if (command.origin is None) == (command.commitment is None):
        raise UserError("table.bad_origin")
    if terms.daily is not None and command.commitment != daily_commitment(terms.daily):
        raise UserError("table.not_from_seed")
    state = TableState(table, terms, command.commitment, chairs, context.at)
    if command.origin is not None:
        return _gone_on_from(load_origin(command.origin), state)
    return _start_if_ready(state, context.at, source)


def _gone_on_from(origin: Origin, state: TableState) -> TableState:
    """A table at which turns of a record count as played: chairs are seats, and one person plays at most.

    Whoever brings a record may know all that is face down in it, so nobody else can be asked to play against.
    """
    terms, variant = state.settings, replace(state.variant, deck=origin.variant.deck)
    people = sum(chair.is_person for chair in state.chairs)
    taken = all(chair.sitter is not Sitter.OPEN for chair in state.chairs)
    if variant != origin.variant or terms.first != 0 or people > 1 or not taken:
        raise UserError("table.bad_origin")
    return replace(
        state,
        settings=replace(terms, variant=variant),
        chairs=tuple(replace(chair, nonce="") if chair.is_person else chair for chair in state.chairs),
        order=tuple(range(variant.seats)),
        states=origin.states(),
        turns=origin.turns(),
        origin=origin,
    )


def sit(state: TableState, context: CommandContext[Sit], source: Source) -> TableState:
    """Someone takes an open chair. Who was ready stays so: ready for whoever comes."""
    state.require(Stage.LOBBY)
    command = context.command
    if state.chair(command.chair).sitter is not Sitter.OPEN:
        raise CommandRejected(RejectReason.CHAIR_TAKEN)
    person = new_chair(Sitter.PERSON, _told_apart(command.name, state.chairs))
    chairs = state.with_chair(command.chair, person).chairs
    if command.colour is None:
        return replace(state, chairs=fill_colours(chairs))
    return replace(state, chairs=with_colour(chairs, command.chair, Colour(command.colour)))


def _told_apart(name: str, chairs: tuple[Chair, ...]) -> str:
    """A name that nobody else at the table has: whoever comes later is numbered."""
    taken = {chair.name for chair in chairs}
    numbered = (f"{name} {number}" for number in count(2))
    return name if name not in taken else next(other for other in numbered if other not in taken)


def leave_chair(state: TableState, context: CommandContext[LeaveChair], source: Source) -> TableState:
    """Someone leaves. The chair is open, so nothing can start; who was ready stays so."""
    state.require(Stage.LOBBY)
    return state.with_chair(context.chair, Chair())


def assign_chair(state: TableState, context: CommandContext[AssignChair], source: Source) -> TableState:
    """The owner gives a chair to a computer player, or opens it. Who was ready was so for another table."""
    state.require(Stage.LOBBY)
    command = context.command
    if state.settings.daily is not None:
        raise CommandRejected(RejectReason.NOT_ALLOWED)  # everyone has the same opponent
    before = state.chair(command.chair)
    sitter = Sitter.OPEN if command.player is None else Sitter.COMPUTER
    chair = new_chair(sitter, command.name, command.player or "", before.colour)
    after = state.with_chair(command.chair, chair)
    after = replace(after, chairs=fill_colours(after.chairs))
    return _start_if_ready(_unready_all(after), context.at, source)


def ready(state: TableState, context: CommandContext[Ready], source: Source) -> TableState:
    """Someone is ready and adds a nonce; the last one starts the game."""
    state.require(Stage.LOBBY)
    if not _NONCE.fullmatch(context.command.nonce):
        raise CommandRejected(RejectReason.BAD_NONCE)
    chair = state.chairs[context.chair]
    if chair.is_ready:
        raise CommandRejected(RejectReason.READY_ALREADY)
    after = state.with_chair(context.chair, replace(chair, nonce=context.command.nonce))
    return _start_if_ready(after, context.at, source)


def unready(state: TableState, context: CommandContext[Unready], source: Source) -> TableState:
    """Someone is not ready after all."""
    state.require(Stage.LOBBY)
    chair = state.chairs[context.chair]
    if not chair.is_ready:
        raise CommandRejected(RejectReason.NOT_READY)
    return state.with_chair(context.chair, replace(chair, nonce=None))


def _unready_all(state: TableState) -> TableState:
    return replace(state, chairs=tuple(replace(chair, nonce=None) for chair in state.chairs))


def _start_if_ready(state: TableState, at: float, source: Source) -> TableState:
    whole = all(chair.is_ready for chair in state.chairs)
    return start(state, at, source) if whole else state
