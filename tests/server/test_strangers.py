"""What comes from elsewhere is looked at as if a stranger had written it: names, ids, times, broken signs."""

import pytest

from sanssouci.locale import UserError
from sanssouci.server import examine, examine_guest
from sanssouci.server.tables.persistence import append, game_row
from sanssouci.store import GENESIS, EventRow, GameExport, GuestExport, GuestRow, event_hash
from sanssouci.store.export_rows import PARSE_ERRORS, dump_export, load_export
from sanssouci.table import Croupier, Sitter, make_settings, new_chair, new_table, parse_body, write_body

from ..table.host import OPEN, SEED


def a_parcel(name: str = "Ada", table: str = "ab" * 8, at: float = 1.0) -> GameExport:
    """A lobby with one person, whole and with its hashes."""
    chairs = (new_chair(Sitter.PERSON, name), OPEN)
    move = new_table(table, make_settings(2, "imperial", []), chairs, at, Croupier(SEED, table))
    kept = append(move)
    row = EventRow(table, 0, kept.command_id, None, kept.body, kept.engine, GENESIS, "")
    row = EventRow(table, 0, kept.command_id, None, kept.body, kept.engine, GENESIS, event_hash(GENESIS, row))
    return GameExport(game_row(move), SEED, (row,), (), (), ())


def test_a_game_of_this_server_is_sound() -> None:
    """Else the others would prove nothing."""
    examine(a_parcel())
    examine_guest(GuestExport(GuestRow("f" * 32, "Ada", 1.0, 1.0), ()))


@pytest.mark.parametrize(
    ("strange", "reason"),
    [
        ({"name": "\u202eevil\x1b[2J"}, "audit.name"),
        ({"name": "A" * 1000}, "audit.name"),
        ({"name": ""}, "audit.name"),
        ({"table": "../x"}, "audit.id"),
        ({"at": -1e300}, "audit.time"),
        ({"at": 1e300}, "audit.time"),
    ],
)
def test_a_game_that_no_server_writes_is_not_let_in(strange: dict[str, object], reason: str) -> None:
    """Though its chain is whole, and the rules have nothing against it."""
    with pytest.raises(UserError) as caught:
        examine(a_parcel(**strange))  # type: ignore[arg-type]
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
def test_a_guest_whom_no_server_knows_is_not_let_in(guest: GuestRow, reason: str) -> None:
    """And what is said of it has no sign that a terminal obeys."""
    with pytest.raises(UserError) as caught:
        examine_guest(GuestExport(guest, ()))
    assert caught.value.details["reason"].key == reason  # type: ignore[attr-defined]
    assert caught.value.translate().isprintable()


def test_half_of_a_surrogate_pair_is_damage() -> None:
    """JSON can write one, and no text holds it: in a row, and in the body of an event."""
    parcel = a_parcel()
    document = dump_export(parcel)
    document["game"]["summary"] = "\ud800"
    with pytest.raises(PARSE_ERRORS):
        load_export(document)
    body = parcel.events[0].body.replace("Ada", "\\ud800")
    with pytest.raises(UserError) as caught:
        parse_body(0, "create", None, body)
    assert caught.value.key == "table.bad_event"
    assert write_body(parse_body(0, "create", None, parcel.events[0].body)) == parcel.events[0].body
