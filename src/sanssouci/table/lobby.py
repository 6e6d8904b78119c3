"""The lobby: people take and leave chairs, the owner assigns them, and the game starts once all are ready.

Except under ``fair/1``, people commit to a nonce when they get ready. Once all are ready, the table is
*shuffling*: people reveal their nonces, and nothing else can change the deal. If somebody does not reveal
in time, or leaves, the shuffle is given up: nothing is dealt, there is a new seed, and everyone gets ready
again.
"""

import re
from dataclasses import replace
from itertools import count

from sanssouci.dealer import FAIR_1, nonce_commitment
from sanssouci.locale import UserError

from .chairs import Chair, Colour, Sitter, load_chair, new_chair
from .chance import Source
from .colours import colour_refusal, fill_colours, with_colour
from .command_context import CommandContext
from .commands import AssignChair, Create, LeaveChair, Ready, Reshuffle, Reveal, Sit, Unready
from .daily import daily_commitment
from .origin import Origin, load_origin
from .picking import start
from .rejection import CommandRejected, Reason, RejectReason
from .settings import load_settings
from .table_state import MAX_MISSED, MAX_SHUFFLES, TableState

_NONCE = re.compile("([0-9a-f]{2}){16,32}")
_NONCE_OF_FAIR_1 = re.compile("([0-9a-f]{2}){8,32}")
_HASH = re.compile("[0-9a-f]{64}")


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
    if command.scheme is not None and (command.origin is not None or settings.daily is not None):
        raise UserError("table.bad_origin")
    state = TableState(table, settings, command.commitment, chairs, context.at, command.scheme or FAIR_1)
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
    person = replace(person, missed=command.missed or 0)
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
    """Leave the chair open. The others stay ready, unless a shuffle has to be given up."""
    after = state.with_chair(context.chair, Chair())
    if not state.shuffling:
        return after
    return _give_up(after, (state.chairs[context.chair].name,), context.at, source)


def assign_chair_refusal(state: TableState, context: CommandContext[AssignChair]) -> Reason | None:
    if state.settings.daily is not None:
        return RejectReason.NOT_ALLOWED  # everyone plays the deal of a day against the same opponent
    if state.shuffling:
        return RejectReason.SHUFFLING  # the owner cannot give up a deal by removing somebody
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
    nonce, commitment = context.command.nonce, context.command.commitment
    if state.scheme == FAIR_1:
        if commitment is not None or not _NONCE_OF_FAIR_1.fullmatch(nonce or ""):
            return RejectReason.BAD_NONCE
    elif nonce is not None or not _HASH.fullmatch(commitment or ""):
        return RejectReason.COMMITMENT_NEEDED
    if state.attempt >= MAX_SHUFFLES:
        return RejectReason.SHUFFLED_TOO_OFTEN
    return RejectReason.READY_ALREADY if state.chairs[context.chair].is_ready else None


def ready(state: TableState, context: CommandContext[Ready], source: Source) -> TableState:
    """Add the person's nonce, or the commitment to it. The last one to get ready starts game or shuffle."""
    command = context.command
    chair = replace(state.chairs[context.chair], nonce=command.nonce, commitment=command.commitment)
    return _start_if_ready(state.with_chair(context.chair, chair), context.at, source)


def unready_refusal(state: TableState, context: CommandContext[Unready]) -> Reason | None:
    if state.shuffling:
        return RejectReason.SHUFFLING  # nobody can back out of a deal, perhaps knowing it
    return None if state.chairs[context.chair].is_ready else RejectReason.NOT_READY


def unready(state: TableState, context: CommandContext[Unready], source: Source) -> TableState:
    return state.with_chair(context.chair, _unready(state.chairs[context.chair]))


def reveal_refusal(state: TableState, context: CommandContext[Reveal]) -> Reason | None:
    if not state.shuffling:
        return RejectReason.NOT_SHUFFLING
    return None if state.chairs[context.chair].nonce is None else RejectReason.REVEALED_ALREADY


def reveal(state: TableState, context: CommandContext[Reveal], source: Source) -> TableState:
    """Add a nonce, which must fit its commitment. The last one starts the game."""
    place, nonce = context.chair, context.command.nonce
    chair = state.chairs[place]
    if not _NONCE.fullmatch(nonce):
        raise CommandRejected(RejectReason.BAD_NONCE)
    expected = nonce_commitment(state.deal_name, state.commitment or "", place, nonce, state.scheme)
    if expected != chair.commitment:
        raise CommandRejected(RejectReason.OTHER_NONCE)
    after = state.with_chair(place, replace(chair, nonce=nonce))
    return after if after.waiting else start(after, context.at, source)


def reshuffle_refusal(state: TableState, context: CommandContext[Reshuffle]) -> Reason | None:
    if not state.shuffling or state.deadline is None:
        return RejectReason.NOT_SHUFFLING
    return RejectReason.TIME_LEFT if context.at < state.deadline else None


def reshuffle(state: TableState, context: CommandContext[Reshuffle], source: Source) -> TableState:
    """Give up a shuffle. People who have not revealed their nonces too often lose their chairs."""
    missing, lost, after = state.waiting, chairs_lost_by_reshuffle(state), state
    for place in missing:
        chair = state.chairs[place]
        after = after.with_chair(place, Chair() if place in lost else replace(chair, missed=chair.missed + 1))
    return _give_up(after, tuple(state.chairs[place].name for place in missing), context.at, source)


def chairs_lost_by_reshuffle(state: TableState) -> tuple[int, ...]:
    """The chairs that are opened if the shuffle is given up now."""
    return tuple(place for place in state.waiting if state.chairs[place].missed + 1 >= MAX_MISSED)


def _give_up(state: TableState, unanswered: tuple[str, ...], at: float, source: Source) -> TableState:
    """Nothing is dealt. Everyone gets ready again with a new nonce, for a new seed.

    Nonces that were revealed and the old seed are known to the host, so none of them may be used again.
    """
    after = replace(_unready_all(state), attempt=state.attempt + 1, unanswered=unanswered, since=at)
    commitment = source.answer("commitment", after)
    if not isinstance(commitment, str) or not _HASH.fullmatch(commitment):
        raise UserError("table.bad_answer")
    return replace(after, commitment=commitment)


def _unready_all(state: TableState) -> TableState:
    return replace(state, chairs=tuple(map(_unready, state.chairs)))


def _unready(chair: Chair) -> Chair:
    return replace(chair, nonce=None, commitment=None)


def _start_if_ready(state: TableState, at: float, source: Source) -> TableState:
    if not all(chair.is_ready for chair in state.chairs):
        return state
    if state.waiting:
        return replace(state, since=at, unanswered=())  # for nonces
    return start(state, at, source)
