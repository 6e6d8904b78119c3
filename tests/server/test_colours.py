"""Colours: requested at a new table or when joining, changed in the lobby, then fixed."""

from typing import get_args

from sanssouci.table import Colour, ColourName

from ..harness.builders import NONCE
from ..harness.client import Client
from ..harness.server import InProcessServer, with_server

TABLE = {"chairs": [{"sitter": "person", "colour": "violet"}, {"sitter": "computer", "player": "random"}]}


async def colours_at(person: Client, table: object) -> list[str | None]:
    """The colours at a table, by chair."""
    return [chair["colour"] for chair in (await person.view(str(table)))["chairs"]]


def test_colours_of_requests_and_tables_match() -> None:
    """Requests accept exactly the colours of a table, in the same order."""
    assert list(get_args(ColourName)) == [colour.value for colour in Colour]


@with_server()
async def test_colours_are_unique(server: InProcessServer) -> None:
    """A taken colour is refused when joining and by command, and only the own colour can be changed."""
    ada, bob, eve = [await server.guest(name) for name in ("Ada", "Bob", "Eve")]
    table = await ada.create_table("person", "open", "open", visibility="open")
    seats = f"/api/tables/{table}/seats"
    refused = await bob.request("POST", seats, {"colour": "red"}, accept_language="de")
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "declined.colour_taken")
    assert refused.json()["error"]["sentence"] == "Jemand am Tisch hat diese Farbe schon"
    assert (await bob.request("POST", seats, {"colour": "teal"})).status_code == 201
    assert (await eve.request("POST", seats, {})).status_code == 201
    assert await colours_at(eve, table) == ["red", "teal", "blue"]
    for person, chair, colour, status in (
        (eve, 2, "teal", 422),
        (bob, 2, "grey", 403),
        (ada, 1, "grey", 403),
        (eve, 2, "pink", 400),
        (eve, 2, "grey", 200),
    ):
        assert (await person.command(table, "wear", chair=chair, colour=colour)).status_code == status, colour
    assert await colours_at(ada, table) == ["red", "teal", "grey"]


@with_server()
async def test_colours_are_kept(server: InProcessServer) -> None:
    """Colours are kept after the start, after an eviction and in a rematch."""
    ada = await server.guest("Ada")
    made = await ada.request("POST", "/api/tables", TABLE)
    table = made.json()["table"]
    assert await colours_at(ada, table) == ["violet", "red"]
    await ada.do(table, "wear", chair=0, colour="red")
    assert await colours_at(ada, table) == ["red", "violet"]
    await ada.do(table, "ready", nonce=NONCE)
    await server.settle()
    await ada.do(table, "concede")
    server.services.registry.evict(float("inf"), float("inf"))
    assert await colours_at(ada, table) == ["red", "violet"]
    await ada.do(table, "rematch")
    assert await colours_at(ada, (await ada.view(table))["rematch"]) == ["red", "violet"]


@with_server()
async def test_a_new_table_needs_different_colours(server: InProcessServer) -> None:
    """A table with one colour for two chairs is refused, and nothing is stored."""
    ada = await server.guest("Ada")
    chairs = [{"sitter": "person", "colour": "red"}, {"sitter": "person", "colour": "red"}]
    refused = await ada.request("POST", "/api/tables", {"chairs": chairs})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "declined.colour_taken")
    assert not server.rows()["game"]
