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


def play(table_state: TableState, context: CommandContext[Play], source: Source) -> TableState:
    """A seat plays a turn, chance answers; after the last turn the game is over."""
    table_state.require(Stage.PLAYING)
    state = _game(table_state)
    if not context.caller.system:
        table_state.require_deciding(context.chair)
    if table_state.order[state.to_move] != context.chair:
        raise Refused(Refusal.of(Code.NOT_YOUR_TURN))
    turn = parse_turn(context.command.turn)
    after = state.play(turn, _chance(table_state, source))
    return end_if_played(_moved_on(table_state, turn, after, context.at), source)


def take_back(table_state: TableState, context: CommandContext[TakeBack], source: Source) -> TableState:
    """The only person at the table takes back the last own turn, and what was played after it."""
    table_state.require(Stage.PLAYING)
    if len(table_state.persons) != 1:
        raise CommandRejected(RejectReason.NOT_ALONE)
    table_state.require_deciding(context.chair)
    last = last_turn_of(table_state, context.chair)
    if last is None:
        raise CommandRejected(RejectReason.NOTHING_TO_TAKE_BACK)
    return replace(
        table_state,
        states=table_state.states[: last + 1],
        turns=table_state.turns[:last],
        taken_back=table_state.taken_back + 1,
        since=context.at,
    )


def last_turn_of(table_state: TableState, chair: int) -> int | None:
    """The number of the last turn that a chair has played at this table, from 0."""
    seat, seats = table_state.seat_of(chair), len(table_state.order)
    played = [turn for turn in range(table_state.begun, len(table_state.turns)) if turn % seats == seat]
    return played[-1] if played else None


def _game(table_state: TableState) -> State:
    assert table_state.state is not None, "it is there when the game is played"
    return table_state.state


def _chance(table_state: TableState, source: Source) -> Chance:
    refill, draw = source.answer("refill", table_state), source.answer("draw", table_state)
    return Chance(
        None if refill is None else parse_column(refill),
        None if draw is None else parse_card(draw),
    )


def _moved_on(table_state: TableState, turn: Turn, after: State, at: float) -> TableState:
    """The game goes on: nobody is kept waiting any more, and nobody wants to abandon it."""
    return replace(
        table_state,
        states=(*table_state.states, after),
        turns=(*table_state.turns, turn),
        chairs=tuple(replace(chair, late=False, votes=frozenset()) for chair in table_state.chairs),
        agreed=frozenset(),
        since=at,
    )
