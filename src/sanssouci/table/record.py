"""The record of a table. It reveals everything, so it exists only once the game is over."""

from dataclasses import replace
from typing import Literal, NotRequired

from pydantic import with_config

from sanssouci.dealer import DealtBoards, FairDealer, ProofError, prove, write_boards_dealt, write_fair
from sanssouci.locale import UserError
from sanssouci.notation import Record, write_result, write_turn
from sanssouci.notation.json_types import ChairNumber, Count, JsonObject, SeatNumber
from sanssouci.notation.record import RecordFields
from sanssouci.rules import Deal, Refused, Result, Setup, State, Turn

from .colours import Chairs
from .origin import Origin
from .rejection import CommandRejected, RejectReason
from .table_state import Ending, TableState
from .views import OriginView


class RecordTable(JsonObject):
    """The fields that a table adds to its record."""

    manner: Literal["played", "conceded", "abandoned"]
    """How the game ended."""
    winners: list[SeatNumber]
    """The winning seats, without those that conceded."""
    conceded: list[SeatNumber]
    """The seats that conceded."""
    taken_back: Count
    """How often a turn was taken back."""
    start: Literal["drawn", "chosen"]
    """How the first seat was determined."""
    origin: NotRequired[OriginView]
    """Missing for a game that was dealt here."""


class TableSeat(JsonObject):
    """A seat of the record."""

    name: str
    """The display name."""
    player: NotRequired[str]
    """The computer player; missing for people."""
    chair: ChairNumber
    """The chair of the table."""


@with_config({"extra": "forbid", "use_attribute_docstrings": True})
class TableRecord(RecordFields):
    """The record of a table's game, with everything that was hidden (docs/notation.md)."""

    seats: list[TableSeat]
    """In turn order."""
    table: RecordTable


def table_record(state: TableState) -> Record:
    """The record; ``CommandRejected`` while the game is played, or if it never started."""
    if state.ending is None:
        raise CommandRejected(RejectReason.NOT_YET)
    if state.origin is not None:
        return _continued_record(state, state.ending, state.origin)
    setup, game = state.setup, state.game
    if setup is None or game is None or state.ending.seed is None:
        raise CommandRejected(RejectReason.NO_RECORD)
    dealer = FairDealer(state.ending.seed, state.deal_name, state.nonces, state.scheme, state.deal_terms)
    deal = setup.deal(dealer.decks(setup.variant), dealer.tiles(setup.variant))
    record = Record(
        deal,
        tuple(_seat(state, chair) for chair in state.order),
        tuple(map(write_turn, state.turns)),
        write_result(Result.of(game)) if game.over else None,
        write_fair(dealer),
        write_boards_dealt(_dealt_boards(state, setup)),
        {"table": _ending(state, state.ending)},
    )
    _check(state, record)
    return record


def coloured_record(record: Record, chairs: Chairs) -> Record:
    """A table's record with a ``colour`` in every seat, which the record itself does not have."""
    colours = [chairs[seat["chair"]].colour for seat in record.seats]
    seats = zip(record.seats, colours, strict=True)
    return replace(record, seats=tuple({**seat, "colour": colour and colour.value} for seat, colour in seats))


def _continued_record(state: TableState, ending: Ending, origin: Origin) -> Record:
    """The record of a table that continued another record: the same deal, without a proof from a seed."""
    game = state.states[-1]
    if not _follows(origin.record.deal, state):
        raise UserError("table.not_from_record")
    return Record(
        origin.record.deal,
        tuple(_seat(state, chair) for chair in state.order),
        tuple(map(write_turn, state.turns)),
        write_result(Result.of(game)) if game.over else None,
        extra={"table": {**_ending(state, ending), "origin": {"turn": origin.turn}}},
    )


def _check(state: TableState, record: Record) -> None:
    """Check that the seed deals everything that the log says was dealt, from the boards to the last card."""
    try:
        prove(record, (state.boards,))
    except ProofError:
        raise UserError("table.not_from_seed") from None
    if not _follows(record.deal, state):
        raise UserError("table.not_from_seed")


def _follows(deal: Deal, state: TableState) -> bool:
    """Whether a deal leads to every state of the game."""
    try:
        return _states(deal, state.turns) == state.states
    except Refused:
        return False


def _states(deal: Deal, turns: tuple[Turn, ...]) -> tuple[State, ...]:
    states = [deal.start()]
    for turn in turns:
        states.append(states[-1].play(turn, deal.chance(states[-1].turn)))
    return tuple(states)


def _seat(state: TableState, place: int) -> TableSeat:
    chair = state.chairs[place]
    if not chair.player:
        return {"name": chair.name, "chair": place}
    return {"name": chair.name, "player": chair.player, "chair": place}


def _dealt_boards(state: TableState, setup: Setup) -> DealtBoards:
    garden_sides = tuple(side for side in setup.garden_sides if side is not None)
    reward_sides = tuple(side for side in setup.reward_sides if side is not None)
    return DealtBoards(state.boards, state.gardens, garden_sides, state.rewards, reward_sides)


def _ending(state: TableState, ending: Ending) -> RecordTable:
    """Facts that the record format has no field for."""
    return {
        "manner": ending.reason.value,
        "winners": list(ending.winners),
        "conceded": [seat for seat, place in enumerate(state.order) if state.chairs[place].conceded],
        "taken_back": state.taken_back,
        "start": "drawn" if state.settings.first is None else "chosen",
    }
