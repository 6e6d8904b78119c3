"""The record of a table, once its game is over: only then may everything be shown."""

from sanssouci.dealer import DealtBoards, FairDealer, ProofError, prove, write_boards_dealt, write_fair
from sanssouci.locale import UserError
from sanssouci.notation import Record, write_result, write_turn
from sanssouci.rules import Deal, Refused, Result, Setup, State, Turn

from .origin import Origin
from .rejection import CommandRejected, RejectReason
from .table_state import Ending, TableState


def table_record(table_state: TableState) -> Record:
    """The record, or ``CommandRejected`` while the game is played or if it never started."""
    if table_state.ending is None:
        raise CommandRejected(RejectReason.NOT_YET)
    if table_state.origin is not None:
        return _gone_on_record(table_state, table_state.ending, table_state.origin)
    setup, state = table_state.setup, table_state.state
    if setup is None or state is None or table_state.ending.seed is None:
        raise CommandRejected(RejectReason.NO_RECORD)
    dealer = FairDealer(table_state.ending.seed, table_state.game, table_state.nonces)
    deal = setup.deal(dealer.decks(setup.variant), dealer.tiles(setup.variant))
    record = Record(
        deal,
        tuple(_seat(table_state, chair) for chair in table_state.order),
        tuple(map(write_turn, table_state.turns)),
        write_result(Result.of(state)) if state.over else None,
        write_fair(dealer),
        write_boards_dealt(_dealt_boards(table_state, setup)),
        {"table": _ending(table_state, table_state.ending)},
    )
    _check(table_state, record)
    return record


def _gone_on_record(table_state: TableState, ending: Ending, origin: Origin) -> Record:
    """The record of a table that went on from another one: the same deal, and no seed that could prove it."""
    state = table_state.states[-1]
    if not _follows(origin.record.deal, table_state):
        raise UserError("table.not_from_record")
    return Record(
        origin.record.deal,
        tuple(_seat(table_state, chair) for chair in table_state.order),
        tuple(map(write_turn, table_state.turns)),
        write_result(Result.of(state)) if state.over else None,
        extra={"table": {**_ending(table_state, ending), "origin": {"turn": origin.turn}}},
    )


def _check(table_state: TableState, record: Record) -> None:
    """What the log says was dealt must be what the seed deals, from the boards to the last card."""
    try:
        prove(record, (table_state.boards,))
    except ProofError:
        raise UserError("table.not_from_seed") from None
    if not _follows(record.deal, table_state):
        raise UserError("table.not_from_seed")


def _follows(deal: Deal, table_state: TableState) -> bool:
    """Whether a deal leads to every state of the game."""
    try:
        return _states(deal, table_state.turns) == table_state.states
    except Refused:
        return False


def _states(deal: Deal, turns: tuple[Turn, ...]) -> tuple[State, ...]:
    states = [deal.start()]
    for turn in turns:
        states.append(states[-1].play(turn, deal.chance(states[-1].turn)))
    return tuple(states)


def _seat(table_state: TableState, place: int) -> dict[str, object]:
    chair = table_state.chairs[place]
    player = {"player": chair.player} if chair.player else {}
    return {"name": chair.name, **player, "chair": place}


def _dealt_boards(table_state: TableState, setup: Setup) -> DealtBoards:
    garden_sides = tuple(side for side in setup.garden_sides if side is not None)
    reward_sides = tuple(side for side in setup.reward_sides if side is not None)
    return DealtBoards(
        table_state.boards, table_state.gardens, garden_sides, table_state.rewards, reward_sides
    )


def _ending(table_state: TableState, ending: Ending) -> dict[str, object]:
    """What a record has no field for: how it ended, who gave up, where the start was drawn."""
    return {
        "manner": ending.reason.value,
        "winners": list(ending.winners),
        "conceded": [
            seat for seat, place in enumerate(table_state.order) if table_state.chairs[place].conceded
        ],
        "taken_back": table_state.taken_back,
        "start": "drawn" if table_state.settings.first is None else "chosen",
    }
