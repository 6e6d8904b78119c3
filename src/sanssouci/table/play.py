"""Playing turns, and taking them back where only one person plays."""

from dataclasses import replace

from sanssouci.notation import parse_card, parse_column, parse_turn
from sanssouci.rules import Chance, Refusal, RefusalCode, State, Turn

from .chance import Source
from .command_context import CommandContext, acting_refusal
from .commands import Play, TakeBack
from .endings import end_if_played
from .rejection import Reason, RejectReason
from .table_state import TableState


def play_refusal(state: TableState, context: CommandContext[Play]) -> Reason | None:
    """Why the caller may not play now. The rules judge the turn itself when it is played."""
    if reason := acting_refusal(state, context):
        return reason
    return None if context.chair in state.waiting else Refusal.of(RefusalCode.NOT_YOUR_TURN)


def play(state: TableState, context: CommandContext[Play], source: Source) -> TableState:
    """Play a turn, or ``Refused``. The last turn ends the game."""
    assert state.game is not None, "it is there when the game is played"
    turn = parse_turn(context.command.turn)
    after = state.game.play(turn, _chance(state, source))
    moved = _moved_on(state, turn, after, context.at)
    return end_if_played(moved if context.caller.system else _without_offer(moved), source)


def take_back_refusal(state: TableState, context: CommandContext[TakeBack]) -> Reason | None:
    if len(state.persons) != 1:
        return RejectReason.NOT_ALONE
    if reason := state.deciding_refusal(context.chair):
        return reason
    return None if turns_of(state, context.chair) else RejectReason.NOTHING_TO_TAKE_BACK


def take_back(state: TableState, context: CommandContext[TakeBack], source: Source) -> TableState:
    """Take back the person's last turn, and the turns that followed it."""
    return without_last_turn(state, context.chair, context.at)


def without_last_turn(state: TableState, chair: int, at: float) -> TableState:
    """The state without the last turn of a chair and the turns after it."""
    last = turns_of(state, chair)[-1]
    return replace(
        state,
        states=state.states[: last + 1],
        turns=state.turns[:last],
        taken_back=state.taken_back + 1,
        since=at,
    )


def turns_of(state: TableState, chair: int) -> list[int]:
    """The numbers of the turns, from 0, that a chair has played at this table."""
    seat, seats = state.seat_of(chair), len(state.order)
    return [turn for turn in range(state.begun, len(state.turns)) if turn % seats == seat]


def _chance(state: TableState, source: Source) -> Chance:
    refill, draw = source.answer("refill", state), source.answer("draw", state)
    return Chance(
        None if refill is None else parse_column(refill),
        None if draw is None else parse_card(draw),
    )


def _moved_on(state: TableState, turn: Turn, after: State, at: float) -> TableState:
    """The state after a turn. Votes and agreements to abandon the game lapse."""
    if state.offer is not None and state.offer.lapses_with_any_turn:
        state = replace(state, offer=None)
    return replace(
        state,
        states=(*state.states, after),
        turns=(*state.turns, turn),
        chairs=tuple(chair.after_turn() for chair in state.chairs),
        since=at,
    )


def _without_offer(state: TableState) -> TableState:
    """The state after a person's turn: the open offer lapses, and declined ones may be made again."""
    return replace(state, offer=None, declined=frozenset())
