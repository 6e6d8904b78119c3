"""Colours over the wire: wished for at a new table or when joining, changed in the lobby, kept afterwards."""

from typing import get_args

from sanssouci.table import Colour, ColourName

from .house import NONCE, House, Person, housed

TABLE = {"chairs": [{"sitter": "person", "colour": "violet"}, {"sitter": "computer", "player": "random"}]}


async def worn(person: Person, table: object) -> list[str | None]:
    """The colours at a table, by chairs."""
    return [chair["colour"] for chair in (await person.view(str(table)))["chairs"]]


def test_the_colours_that_can_be_asked_for_are_those_of_a_table() -> None:
    """In the same order, in which they are given."""
    assert list(get_args(ColourName)) == [colour.value for colour in Colour]


@housed()
async def test_a_guest_joins_in_a_colour_and_nobody_takes_it(house: House) -> None:
    """Neither by sitting down nor by a command; each no is one sentence in the asker's language."""
    ada, bob, eve = [await house.guest(name) for name in ("Ada", "Bob", "Eve")]
    table = await ada.open("person", "open", "open", visibility="open")
    seats = f"/api/tables/{table}/seats"
    refused = await bob.ask("POST", seats, {"colour": "red"}, accept_language="de")
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "declined.colour_taken")
    assert refused.json()["error"]["sentence"] == "Jemand am Tisch hat diese Farbe schon"
    assert (await bob.ask("POST", seats, {"colour": "teal"})).status_code == 201
    assert (await eve.ask("POST", seats, {})).status_code == 201
    assert await worn(eve, table) == ["red", "teal", "blue"]
    for person, chair, colour, status in (
        (eve, 2, "teal", 422),
        (bob, 2, "grey", 403),
        (ada, 1, "grey", 403),
        (eve, 2, "pink", 400),
        (eve, 2, "grey", 200),
    ):
        assert (await person.give(table, "wear", chair=chair, colour=colour)).status_code == status, colour
    assert await worn(ada, table) == ["red", "teal", "grey"]


@housed()
async def test_colours_stay_over_the_start_a_restart_and_a_rematch(house: House) -> None:
    """Where another seat starts; the computer player has what is left."""
    ada = await house.guest("Ada")
    made = await ada.ask("POST", "/api/tables", TABLE)
    table = made.json()["table"]
    assert await worn(ada, table) == ["violet", "red"]
    await ada.do(table, "wear", chair=0, colour="red")
    assert await worn(ada, table) == ["red", "violet"]
    await ada.do(table, "ready", nonce=NONCE)
    await house.quiet()
    await ada.do(table, "concede")
    house.services.registry.evict(float("inf"), float("inf"))
    assert await worn(ada, table) == ["red", "violet"]
    await ada.do(table, "rematch")
    assert await worn(ada, (await ada.view(table))["rematch"]) == ["red", "violet"]


@housed()
async def test_two_chairs_in_one_colour_are_no_table(house: House) -> None:
    """Nothing is kept of it."""
    ada = await house.guest("Ada")
    chairs = [{"sitter": "person", "colour": "red"}, {"sitter": "person", "colour": "red"}]
    refused = await ada.ask("POST", "/api/tables", {"chairs": chairs})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "declined.colour_taken")
    assert not house.rows()["game"]
