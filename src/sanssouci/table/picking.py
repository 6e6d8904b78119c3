"""The start of a game, and the sides that the seats pick before the first turn (R8, R9, R12)."""

from dataclasses import replace

from sanssouci.locale import UserError
from sanssouci.notation import parse_card, parse_column
from sanssouci.rules import COLUMNS, Phase, Setup, opening, set_of

from .chance import Source
from .commands import Pick
from .request import Request
from .standing import Stage, Standing


def start(standing: Standing, at: float, source: Source) -> Standing:
    """Everyone is ready: who starts is settled, the gardens are dealt."""
    order = tuple(source.answer("order", standing))
    gardens = tuple(source.answer("gardens", standing))
    boards = standing.boards.gardens
    if order not in _orders(standing) or not _dealt(gardens, len(boards)):
        raise UserError("table.bad_answer")
    setup = Setup.with_gardens(standing.variant, tuple(boards[board] for board in gardens))
    return _deal_on(replace(standing, order=order, gardens=gardens, setup=setup, since=at), at, source)


def pick(standing: Standing, request: Request[Pick], source: Source) -> Standing:
    """A seat picks its side and keeps nobody waiting any more; when all have, chance deals on."""
    standing.require(Stage.PICKING)
    seat, setup = standing.seat_of(request.chair), standing.setup
    assert seat is not None and setup is not None, "they are there from the start of the picking"
    if not request.caller.house:
        standing.require_deciding(request.chair)
    chair = replace(standing.chairs[request.chair], late=False, votes=frozenset())
    after = replace(standing.with_chair(request.chair, chair), setup=setup.pick(seat, request.command.side))
    return _deal_on(after, request.at, source)


def _deal_on(standing: Standing, at: float, source: Source) -> Standing:
    """Deal as far as no choice is needed."""
    setup = standing.setup
    assert setup is not None, "the gardens are dealt"
    if setup.phase is Phase.MISSIONS:
        standing = _with_missions(replace(standing, since=at), setup, source)
        setup = standing.setup
        assert setup is not None, "it was there before"
    return _with_hands(replace(standing, since=at), setup, source) if setup.phase is Phase.READY else standing


def _with_missions(standing: Standing, setup: Setup, source: Source) -> Standing:
    missions = tuple(tuple(map(parse_column, dealt)) for dealt in source.answer("missions", standing))
    boards = standing.boards.rewards
    rewards = tuple(source.answer("rewards", standing)) if standing.variant.rewards else ()
    pairs = all(len(dealt) == 2 for dealt in missions)
    if not pairs or not _dealt(sum(missions, ()), len(COLUMNS)) or not _dealt(rewards, len(boards)):
        raise UserError("table.bad_answer")
    setup = setup.deal_missions(missions, tuple(boards[board] for board in rewards))
    return replace(standing, rewards=rewards, setup=setup)


def _with_hands(standing: Standing, setup: Setup, source: Source) -> Standing:
    """R11, R13: hands and display are dealt; the game can begin."""
    hands = tuple(set_of(map(parse_card, hand)) for hand in source.answer("hands", standing))
    display = tuple(map(parse_column, source.answer("display", standing)))
    if len(hands) != standing.variant.seats:
        raise UserError("table.bad_answer")
    state = opening(setup.variant, setup.printed(), setup.missions, hands, display, setup.marks())
    return replace(standing, states=(state,))


def _orders(standing: Standing) -> list[tuple[int, ...]]:
    """R8: the turn orders that can be: round the table, from the first chair where that was chosen."""
    chairs, first = tuple(range(len(standing.chairs))), standing.terms.first
    return [chairs[start:] + chairs[:start] for start in (chairs if first is None else (first,))]


def _dealt(numbers: tuple[int, ...], boards: int) -> bool:
    """Whether these are different ones of so many."""
    return len(set(numbers)) == len(numbers) and all(number in range(boards) for number in numbers)
