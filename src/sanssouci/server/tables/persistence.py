"""Converts between tables and store rows: events to the event log, summaries for lists, and back."""

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


def store_changes(transition: Transition) -> tuple[Change, ...]:
    """The rows to write for a transition: the event and the updated summary."""
    return append(transition), UpdateGame(game_row(transition))


def append(transition: Transition) -> AppendEvent:
    table, event = transition.state.table, transition.event
    return AppendEvent(table, event.seq, event.command_id, event.chair, write_body(event), ENGINE)


def game_row(transition: Transition) -> GameRow:
    """The summary row of a table after a transition. The store keeps ``created_at`` of the first one."""
    table_state, event = transition.state, transition.event
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
    """The stage of a table; a lobby without open chairs has a phase of its own, so lists can skip it."""
    waits = any(chair.sitter is Sitter.OPEN for chair in table_state.chairs)
    return FULL if table_state.stage is Stage.LOBBY and not waits else table_state.stage.value


def attention(table_state: TableState, at: float) -> float | None:
    """When the scheduler must look at the table: at once for a computer player, later for a clock."""
    if table_state.stage in (Stage.LOBBY, Stage.OVER):
        return None
    return at if table_state.pending_bot_action() is not None else table_state.deadline


def read_events(rows: list[EventRow]) -> list[Event]:
    return [parse_body(row.seq, row.command_id, row.seat, row.body) for row in rows]
