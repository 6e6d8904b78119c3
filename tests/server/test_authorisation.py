"""Who may do what: every route and every command of a socket, by every kind of caller; see ``rights``."""

from pathlib import Path

import pytest

from sanssouci.server.socket import BAD_TICKET, SEAT_LOST

from ..workers.pools import within
from . import rights
from .callers import REMOTE, gather
from .house import House, Person, housed
from .matrix import PARTS, VISIBILITIES, Cell, Part
from .rights import OF_LINK_TABLE, TABLES, unmeant


async def _tried(part: Part, folder: Path, visibility: str) -> list[Cell]:
    return [cell async for cell in part(folder, visibility)]


@pytest.mark.parametrize("visibility", VISIBILITIES)
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__)
def test_everyone_may_what_is_meant_and_no_more(part: Part, visibility: str, tmp_path: Path) -> None:
    """Each cell of the matrix is as it is meant, and who is turned away changes and learns nothing."""
    cells = within(_tried(part, tmp_path, visibility))
    assert [str(cell) for cell in cells if cell.wrong] == []
    assert len(cells) > 50, "there was much to try"


def test_every_route_and_every_command_is_meant() -> None:
    """What the app has is exactly what the tables speak of."""
    assert unmeant() == set()


def test_what_is_not_meant_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A route or a command of which nobody has said who may use it."""
    monkeypatch.setitem(TABLES, "link", OF_LINK_TABLE.replace("GET    /api/tables/{table}/record", "GET /x"))
    monkeypatch.setattr(rights, "COMMANDS", rights.COMMANDS.replace("rise ", "ride "))
    assert unmeant() == {"GET /api/tables/{table}/record", "GET /x", "rise", "ride"}


@pytest.mark.parametrize("visibility", VISIBILITIES)
@housed()
async def test_a_ticket_that_was_lost_opens_nothing(house: House, visibility: str) -> None:
    """Used, expired, of somebody who has been sent away, of a link that is no more, made up."""
    cast = await gather(house, visibility=visibility)
    tickets = {**cast.lost_tickets, "made up": "A" * 43, "no token": "x"}
    for name, ticket in tickets.items():
        line = await Person(house, peer=REMOTE).dial(ticket)
        assert (name, await line.closed()) == (name, BAD_TICKET)


@housed()
async def test_a_ticket_is_worth_nothing_once_the_chair_is_lost(house: House) -> None:
    """Within its time and unused: who was sent away, left, lost the link or is forgotten does not come in."""
    owner, guest = await house.guest("Olga"), await house.guest("Gus")
    table = await owner.open("person", "open", visibility="open")
    for way in ("kicked", "risen", "claimed", "relinked", "forgotten"):
        key = (await guest.join(table, 1))["token"]
        by_key = house.nobody().key(key)
        ticket = await (by_key if way == "relinked" else guest).ticket(table, 1)
        await _lose(house, table.id, way, owner, guest, key)
        line = await guest.dial(ticket)
        assert (way, await line.closed()) == (way, SEAT_LOST)
        if way != "forgotten":
            await owner.do(table, "appoint", chair=1, player=None)
            assert (await owner.ask("POST", f"/api/tables/{table}/links/join")).status_code == 201


async def _lose(house: House, table: str, way: str, owner: Person, guest: Person, key: str) -> None:
    match way:
        case "kicked":
            await owner.do(table, "appoint", chair=1, player=None)
        case "risen":
            await guest.do(table, "rise", at=1)
        case "claimed":
            another = (await house.guest("Ann")).key(key)
            assert (await another.ask("POST", f"/api/tables/{table}/seats/1/claim")).status_code == 200
        case "relinked":
            assert (await guest.ask("POST", f"/api/tables/{table}/seats/1/link")).status_code == 201
        case "forgotten":
            assert (await guest.ask("DELETE", "/api/me")).status_code == 200
