"""Untrusted input in imports: names, ids, times and invalid characters."""

import pytest

from sanssouci.locale import UserError
from sanssouci.notation import FieldError
from sanssouci.server import check_export, check_guest_export
from sanssouci.server.tables.table_registry import append, game_row
from sanssouci.store import GENESIS, EventRow, GameExport, GuestExport, GuestRow, event_hash
from sanssouci.store.export_rows import read_export, write_export
from sanssouci.table import Croupier, Sitter, make_settings, new_chair, new_table, parse_body, write_body

from ..table.hosted_table import OPEN, SEED


def make_export(name: str = "Ada", table: str = "ab" * 8, at: float = 1.0) -> GameExport:
    """A valid export of a lobby with one person."""
    chairs = (new_chair(Sitter.PERSON, name), OPEN)
    move = new_table(table, make_settings(2, "imperial", []), chairs, at, Croupier(SEED, table))
    event = append(move)
    row = EventRow(table, 0, event.command_id, None, event.body, event.engine, GENESIS, "")
    row = EventRow(
        table, 0, event.command_id, None, event.body, event.engine, GENESIS, event_hash(GENESIS, row)
    )
    return GameExport(game_row(move), SEED, (row,), (), (), ())


def test_a_valid_export_is_accepted() -> None:
    """Exports of a game and a guest of this server are accepted."""
    check_export(make_export())
    check_guest_export(GuestExport(GuestRow("f" * 32, "Ada", 1.0, 1.0), ()))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"name": "\u202eevil\x1b[2J"}, "audit.name"),
        ({"name": "A" * 1000}, "audit.name"),
        ({"name": ""}, "audit.name"),
        ({"table": "../x"}, "audit.id"),
        ({"at": -1e300}, "audit.time"),
        ({"at": 1e300}, "audit.time"),
    ],
)
def test_an_invalid_game_is_refused(change: dict[str, object], reason: str) -> None:
    """A game with a bad name, id or time is refused, although its chain is valid."""
    with pytest.raises(UserError) as caught:
        check_export(make_export(**change))  # type: ignore[arg-type]
    assert caught.value.details["reason"].key == reason  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("guest", "reason"),
    [
        (GuestRow("f" * 32, "\u202eeve", 1.0, 1.0), "audit.name"),
        (GuestRow("\x1b[2J", "Eve", 1.0, 1.0), "audit.id"),
        (GuestRow("f" * 32, "Eve", -1.0, 1.0), "audit.time"),
        (GuestRow("f" * 32, "Eve", 1.0, -1.0), "audit.time"),
    ],
)
def test_an_invalid_guest_is_refused(guest: GuestRow, reason: str) -> None:
    """A guest with a bad name, id or time is refused, with a printable message."""
    with pytest.raises(UserError) as caught:
        check_guest_export(GuestExport(guest, ()))
    assert caught.value.details["reason"].key == reason  # type: ignore[attr-defined]
    assert caught.value.translate().isprintable()


def test_a_lone_surrogate_is_refused() -> None:
    """A lone surrogate in a row or in the body of an event is refused."""
    export = make_export()
    line = write_export(export)
    assert read_export(line) == export
    with pytest.raises(FieldError):
        read_export(line.replace(b'"summary": "', b'"summary": "\\ud800'))
    body = export.events[0].body.replace("Ada", "\\ud800")
    with pytest.raises(UserError) as caught:
        parse_body(0, "create", None, body)
    assert caught.value.key == "table.bad_event"
    assert write_body(parse_body(0, "create", None, export.events[0].body)) == export.events[0].body
