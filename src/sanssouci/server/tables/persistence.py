"""Between tables and the store: an event as rows, and a table read back from them."""

import orjson

from sanssouci import __version__
from sanssouci.store import AppendEvent, Change, EventRow, GameRow, UpdateGame
from sanssouci.table import (
    Event,
    Sitter,
    Stage,
    TableState,
    Transition,
    parse_body,
    write_body,
    write_summary,
)

ENGINE = f"sanssouci {__version__}"
FULL = "full"
"""The phase of a lobby without an open chair."""


def store_changes(move: Transition) -> tuple[Change, ...]:
    """What is written when a table moves on: the event, and what lists say of the table."""
    return append(move), UpdateGame(game_row(move))


def append(move: Transition) -> AppendEvent:
    """An event for the log."""
    table, event = move.state.table, move.event
    return AppendEvent(table, event.seq, event.command_id, event.chair, write_body(event), ENGINE)


def game_row(move: Transition) -> GameRow:
    """What lists say of a table after a move; when it was created is kept from its first."""
    table_state, event = move.state, move.event
    return GameRow(
        table_state.table,
        event.at,
        event.at,
        phase_of(table_state),
        table_state.settings.visibility.value,
        sum(1 << place for place in table_state.waiting() if not table_state.chairs[place].away),
        attention(table_state, event.at),
        event.seq,
        orjson.dumps(write_summary(table_state)).decode("utf-8"),
    )


def phase_of(table_state: TableState) -> str:
    """The stage of a table; a lobby in which every chair is taken is none that anybody looks for."""
    waits = any(chair.sitter is Sitter.OPEN for chair in table_state.chairs)
    return FULL if table_state.stage is Stage.LOBBY and not waits else table_state.stage.value


def attention(table_state: TableState, at: float) -> float | None:
    """When the house must look at the table again: at once for a computer player, later for a clock."""
    if table_state.stage in (Stage.LOBBY, Stage.OVER):
        return None
    return at if table_state.pending_bot_action() is not None else table_state.deadline


def read_events(rows: list[EventRow]) -> list[Event]:
    """The events that rows hold."""
    return [parse_body(row.seq, row.command_id, row.seat, row.body) for row in rows]
