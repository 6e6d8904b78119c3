"""The record of a table, once its game is over: only then may everything be shown."""

from sanssouci.dealer import DealtBoards, FairDealer, ProofError, prove, write_boards_dealt, write_fair
from sanssouci.locale import UserError
from sanssouci.notation import Record, write_result, write_turn
from sanssouci.rules import Deal, Refused, Result, Setup, State, Turn

from .declined import Declined, No
from .origin import Origin
from .standing import Ending, Standing


def table_record(standing: Standing) -> Record:
    """The record, or ``Declined`` while the game is played, or if it ended before the first turn could be."""
    if standing.ending is None:
        raise Declined(No.NOT_YET)
    if standing.origin is not None:
        return _gone_on_record(standing, standing.ending, standing.origin)
    setup, state = standing.setup, standing.state
    if setup is None or state is None or standing.ending.seed is None:
        raise Declined(No.NO_RECORD)
    dealer = FairDealer(standing.ending.seed, standing.game, standing.nonces)
    deal = setup.deal(dealer.decks(setup.variant), dealer.tiles(setup.variant))
    record = Record(
        deal,
        tuple(_seat(standing, chair) for chair in standing.order),
        tuple(map(write_turn, standing.turns)),
        write_result(Result.of(state)) if state.over else None,
        write_fair(dealer),
        write_boards_dealt(_dealt_boards(standing, setup)),
        {"table": _ending(standing, standing.ending)},
    )
    _check(standing, record)
    return record


def _gone_on_record(standing: Standing, ending: Ending, origin: Origin) -> Record:
    """The record of a table that went on from another one: the same deal, and no seed that could prove it."""
    state = standing.states[-1]
    if not _follows(origin.record.deal, standing):
        raise UserError("table.not_from_record")
    return Record(
        origin.record.deal,
        tuple(_seat(standing, chair) for chair in standing.order),
        tuple(map(write_turn, standing.turns)),
        write_result(Result.of(state)) if state.over else None,
        extra={"table": {**_ending(standing, ending), "origin": {"turn": origin.turn}}},
    )


def _check(standing: Standing, record: Record) -> None:
    """What the log says was dealt must be what the seed deals, from the boards to the last card."""
    try:
        prove(record, (standing.boards,))
    except ProofError:
        raise UserError("table.not_from_seed") from None
    if not _follows(record.deal, standing):
        raise UserError("table.not_from_seed")


def _follows(deal: Deal, standing: Standing) -> bool:
    """Whether a deal leads to every state of the game."""
    try:
        return _states(deal, standing.turns) == standing.states
    except Refused:
        return False


def _states(deal: Deal, turns: tuple[Turn, ...]) -> tuple[State, ...]:
    states = [deal.start()]
    for turn in turns:
        states.append(states[-1].play(turn, deal.chance(states[-1].turn)))
    return tuple(states)


def _seat(standing: Standing, place: int) -> dict[str, object]:
    chair = standing.chairs[place]
    player = {"player": chair.player} if chair.player else {}
    return {"name": chair.name, **player, "chair": place}


def _dealt_boards(standing: Standing, setup: Setup) -> DealtBoards:
    garden_sides = tuple(side for side in setup.garden_sides if side is not None)
    reward_sides = tuple(side for side in setup.reward_sides if side is not None)
    return DealtBoards(standing.boards, standing.gardens, garden_sides, standing.rewards, reward_sides)


def _ending(standing: Standing, ending: Ending) -> dict[str, object]:
    """What a record has no field for: how it ended, who gave up, where the start was drawn."""
    return {
        "manner": ending.manner.value,
        "winners": list(ending.winners),
        "conceded": [seat for seat, place in enumerate(standing.order) if standing.chairs[place].conceded],
        "taken_back": standing.taken_back,
        "start": "drawn" if standing.terms.first is None else "chosen",
    }
