"""Between tables and the store: an event as rows, and a table read back from them."""

import orjson

from sanssouci import __version__
from sanssouci.store import AppendEvent, Change, EventRow, GameRow, UpdateGame
from sanssouci.table import Event, Move, Sitter, Stage, Standing, parse_body, write_body, write_summary

ENGINE = f"sanssouci {__version__}"
FULL = "full"
"""The phase of a lobby without an open chair."""


def changes_of(move: Move) -> tuple[Change, ...]:
    """What is written when a table moves on: the event, and what lists say of the table."""
    return append(move), UpdateGame(game_row(move))


def append(move: Move) -> AppendEvent:
    """An event for the log."""
    table, event = move.standing.table, move.event
    return AppendEvent(table, event.seq, event.command_id, event.chair, write_body(event), ENGINE)


def game_row(move: Move) -> GameRow:
    """What lists say of a table after a move; when it was created is kept from its first."""
    standing, event = move.standing, move.event
    return GameRow(
        standing.table,
        event.at,
        event.at,
        phase_of(standing),
        standing.terms.visibility.value,
        sum(1 << place for place in standing.waiting() if not standing.chairs[place].away),
        attention(standing, event.at),
        event.seq,
        orjson.dumps(write_summary(standing)).decode("utf-8"),
    )


def phase_of(standing: Standing) -> str:
    """The stage of a table; a lobby in which every chair is taken is none that anybody looks for."""
    waits = any(chair.sitter is Sitter.OPEN for chair in standing.chairs)
    return FULL if standing.stage is Stage.LOBBY and not waits else standing.stage.value


def attention(standing: Standing, at: float) -> float | None:
    """When the house must look at the table again: at once for a computer player, later for a clock."""
    if standing.stage in (Stage.LOBBY, Stage.OVER):
        return None
    return at if standing.duty() is not None else standing.deadline


def events_of(rows: list[EventRow]) -> list[Event]:
    """The events that rows hold."""
    return [parse_body(row.seq, row.command_id, row.seat, row.body) for row in rows]
