"""The game itself: turns are played, and taken back where only one person plays."""

from dataclasses import replace

from sanssouci.notation import parse_card, parse_column, parse_turn
from sanssouci.rules import Chance, Code, Refusal, Refused, State, Turn

from .chance import Source
from .command_context import CommandContext
from .commands import Play, TakeBack
from .endings import end_if_played
from .rejection import CommandRejected, RejectReason
from .table_state import Stage, TableState


def play(state: TableState, context: CommandContext[Play], source: Source) -> TableState:
    """A seat plays a turn, chance answers; after the last turn the game is over."""
    state.require(Stage.PLAYING)
    game = _game(state)
    if not context.caller.system:
        state.require_deciding(context.chair)
    if state.order[game.to_move] != context.chair:
        raise Refused(Refusal.of(Code.NOT_YOUR_TURN))
    turn = parse_turn(context.command.turn)
    after = game.play(turn, _chance(state, source))
    return end_if_played(_moved_on(state, turn, after, context.at), source)


def take_back(state: TableState, context: CommandContext[TakeBack], source: Source) -> TableState:
    """The only person at the table takes back the last own turn, and what was played after it."""
    state.require(Stage.PLAYING)
    if len(state.persons) != 1:
        raise CommandRejected(RejectReason.NOT_ALONE)
    state.require_deciding(context.chair)
    last = last_turn_of(state, context.chair)
    if last is None:
        raise CommandRejected(RejectReason.NOTHING_TO_TAKE_BACK)
    return replace(
        state,
        states=state.states[: last + 1],
        turns=state.turns[:last],
        taken_back=state.taken_back + 1,
        since=context.at,
    )


def last_turn_of(state: TableState, chair: int) -> int | None:
    """The number of the last turn that a chair has played at this table, from 0."""
    seat, seats = state.seat_of(chair), len(state.order)
    played = [turn for turn in range(state.begun, len(state.turns)) if turn % seats == seat]
    return played[-1] if played else None


def _game(state: TableState) -> State:
    assert state.game is not None, "it is there when the game is played"
    return state.game


def _chance(state: TableState, source: Source) -> Chance:
    refill, draw = source.answer("refill", state), source.answer("draw", state)
    return Chance(
        None if refill is None else parse_column(refill),
        None if draw is None else parse_card(draw),
    )


def _moved_on(state: TableState, turn: Turn, after: State, at: float) -> TableState:
    """The game goes on: nobody is kept waiting any more, and nobody wants to abandon it."""
    return replace(
        state,
        states=(*state.states, after),
        turns=(*state.turns, turn),
        chairs=tuple(replace(chair, late=False, votes=frozenset()) for chair in state.chairs),
        agreed=frozenset(),
        since=at,
    )
