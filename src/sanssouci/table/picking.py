"""The start of a game: turn order, gardens, and the sides that seats pick (R8, R9, R12)."""

from dataclasses import replace

from sanssouci.locale import UserError
from sanssouci.notation import parse_card, parse_column
from sanssouci.rules import COLUMNS, Phase, Setup, opening, set_of

from .chance import Source
from .command_context import CommandContext, acting_refusal
from .commands import Pick
from .rejection import Reason
from .table_state import TableState


def start(state: TableState, at: float, source: Source) -> TableState:
    """Start the game once everyone is ready: settle the turn order and deal the gardens."""
    order = tuple(source.answer("order", state))
    gardens = tuple(source.answer("gardens", state))
    boards = state.boards.gardens
    if order not in _orders(state) or not _dealt(gardens, len(boards)):
        raise UserError("table.bad_answer")
    setup = Setup.with_gardens(state.variant, tuple(boards[board] for board in gardens))
    return _deal_on(replace(state, order=order, gardens=gardens, setup=setup, since=at), at, source)


def pick_refusal(state: TableState, context: CommandContext[Pick]) -> Reason | None:
    if reason := acting_refusal(state, context):
        return reason
    return _setup(state).pick_refusal(state.order.index(context.chair), context.command.side)


def pick(state: TableState, context: CommandContext[Pick], source: Source) -> TableState:
    """Pick a side for a seat. Once the last seat has picked, dealing goes on."""
    chair = replace(state.chairs[context.chair], late=False, votes=frozenset())
    setup = _setup(state).pick(state.order.index(context.chair), context.command.side)
    return _deal_on(replace(state.with_chair(context.chair, chair), setup=setup), context.at, source)


def _setup(state: TableState) -> Setup:
    assert state.setup is not None, "it is there from the start of the picking"
    return state.setup


def _deal_on(state: TableState, at: float, source: Source) -> TableState:
    """Deal as far as possible without a choice by a seat."""
    if _setup(state).phase is Phase.MISSIONS:
        state = _with_missions(replace(state, since=at), source)
    return _with_hands(replace(state, since=at), source) if _setup(state).phase is Phase.READY else state


def _with_missions(state: TableState, source: Source) -> TableState:
    missions = tuple(tuple(map(parse_column, dealt)) for dealt in source.answer("missions", state))
    boards = state.boards.rewards
    rewards = tuple(source.answer("rewards", state)) if state.variant.rewards else ()
    pairs = all(len(dealt) == 2 for dealt in missions)
    if not pairs or not _dealt(sum(missions, ()), len(COLUMNS)) or not _dealt(rewards, len(boards)):
        raise UserError("table.bad_answer")
    setup = _setup(state).deal_missions(missions, tuple(boards[board] for board in rewards))
    return replace(state, rewards=rewards, setup=setup)


def _with_hands(state: TableState, source: Source) -> TableState:
    """R11, R13: deal hands and display; the game can begin."""
    setup = _setup(state)
    hands = tuple(set_of(map(parse_card, hand)) for hand in source.answer("hands", state))
    display = tuple(map(parse_column, source.answer("display", state)))
    if len(hands) != state.variant.seats:
        raise UserError("table.bad_answer")
    game = opening(setup.variant, setup.printed(), setup.missions, hands, display, setup.marks())
    return replace(state, states=(game,))


def _orders(state: TableState) -> list[tuple[int, ...]]:
    """R8: the possible turn orders: around the table, from the chosen first chair or from any."""
    chairs, first = tuple(range(len(state.chairs))), state.settings.first
    return [chairs[start:] + chairs[:start] for start in (chairs if first is None else (first,))]


def _dealt(numbers: tuple[int, ...], boards: int) -> bool:
    """Whether the numbers are distinct and name existing boards."""
    return len(set(numbers)) == len(numbers) and all(number in range(boards) for number in numbers)
