"""Authorisation: every route and socket command, by every kind of caller; see ``permission_table``."""

from pathlib import Path

import pytest

from sanssouci.server.socket import BAD_TICKET
from sanssouci.server.tables.live_table import SEAT_LOST

from ..harness.client import Client
from ..harness.server import InProcessServer, with_server
from ..workers.pools import run_with_timeout
from . import permission_table
from .authorisation_matrix import PARTS, VISIBILITIES, Cell, Part
from .caller_kinds import REMOTE, make_callers
from .permission_table import OF_LINK_TABLE, TABLES, table_mismatches


async def _try_cells(part: Part, folder: Path, visibility: str) -> list[Cell]:
    return [cell async for cell in part(folder, visibility)]


@pytest.mark.parametrize("visibility", VISIBILITIES)
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__)
def test_permissions_match_the_table(part: Part, visibility: str, tmp_path: Path) -> None:
    """Every cell of the matrix is as expected, and refused requests change and reveal nothing."""
    cells = run_with_timeout(_try_cells(part, tmp_path, visibility))
    assert [str(cell) for cell in cells if cell.wrong] == []
    assert len(cells) > 50, "the matrix is not empty"


def test_the_permission_table_is_complete() -> None:
    """The permission table names exactly the routes and commands of the application."""
    assert table_mismatches() == set()


def test_missing_entries_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A route or command that is missing from the permission table is found."""
    monkeypatch.setitem(TABLES, "link", OF_LINK_TABLE.replace("GET    /api/tables/{table}/record", "GET /x"))
    monkeypatch.setattr(permission_table, "COMMANDS", permission_table.COMMANDS.replace("rise ", "ride "))
    assert table_mismatches() == {"GET /api/tables/{table}/record", "GET /x", "rise", "ride"}


@pytest.mark.parametrize("visibility", VISIBILITIES)
@with_server()
async def test_invalid_tickets_are_refused(server: InProcessServer, visibility: str) -> None:
    """Used, expired, revoked and made-up tickets close the socket with ``BAD_TICKET``."""
    callers = await make_callers(server, visibility=visibility)
    tickets = {**callers.lost_tickets, "made up": "A" * 43, "no token": "x"}
    for name, ticket in tickets.items():
        socket = await server.client(peer=REMOTE).connect_with(ticket)
        assert (name, await socket.close_code()) == (name, BAD_TICKET)


@with_server()
async def test_a_ticket_is_revoked_with_the_chair(server: InProcessServer) -> None:
    """An unused ticket does not work after its holder was removed, has left, or lost link or account."""
    owner, guest = await server.guest("Olga"), await server.guest("Gus")
    table = await owner.create_table("person", "open", visibility="open")
    for way in ("removed", "risen", "claimed", "relinked", "forgotten"):
        key = (await guest.join(table, 1))["token"]
        by_key = server.client().with_key(key)
        ticket = await (by_key if way == "relinked" else guest).ticket(table, 1)
        await _lose_chair(server, table.id, way, owner, guest, key)
        socket = await guest.connect_with(ticket)
        assert (way, await socket.close_code()) == (way, SEAT_LOST)
        if way != "forgotten":
            await owner.do(table, "appoint", chair=1, player=None)
            assert (await owner.request("POST", f"/api/tables/{table}/links/join")).status_code == 201


async def _lose_chair(
    server: InProcessServer, table: str, way: str, owner: Client, guest: Client, key: str
) -> None:
    match way:
        case "removed":
            await owner.do(table, "appoint", chair=1, player=None)
        case "risen":
            await guest.do(table, "rise", at=1)
        case "claimed":
            another = (await server.guest("Ann")).with_key(key)
            assert (await another.request("POST", f"/api/tables/{table}/seats/1/claim")).status_code == 200
        case "relinked":
            assert (await guest.request("POST", f"/api/tables/{table}/seats/1/link")).status_code == 201
        case "forgotten":
            assert (await guest.request("DELETE", "/api/me")).status_code == 200
