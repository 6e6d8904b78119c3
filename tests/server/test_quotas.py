"""Quotas: how many unfinished tables a guest may have, counted so that nobody slips through."""

import asyncio
from collections import Counter

from .house import NONCE, House, Person, housed, new_table


async def _codes(answers: list[asyncio.Task[object]]) -> Counter[int]:
    return Counter(answer.status_code for answer in await asyncio.gather(*answers))  # type: ignore[attr-defined]


@housed(tables_per_guest=3)
async def test_a_guest_opens_so_many_tables(house: House) -> None:
    """One too many is refused until one is over; another guest has one's own."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    tables = [await ada.open("person", "open") for _ in range(3)]
    refused = await ada.ask("POST", "/api/tables", new_table("open", "open"))
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "server.too_many_tables")
    assert "3" in refused.json()["error"]["sentence"]
    await bob.open("person", "open")
    await ada.do(tables[0], "abandon")
    await ada.open("person", "open")


@housed(tables_per_guest=3)
async def test_many_at_once_open_no_more_than_allowed(house: House) -> None:
    """Ten requests at the same moment: three tables."""
    ada = await house.guest("Ada")
    asked = [
        asyncio.create_task(ada.ask("POST", "/api/tables", new_table("person", "open"))) for _ in range(10)
    ]
    assert await _codes([*asked]) == {201: 3, 409: 7}
    assert len(house.rows()["game"]) == 3


@housed(tables_per_guest=1)
async def test_tables_at_which_one_only_sits_do_not_count_as_opened(house: House) -> None:
    """Who sits at others' tables may still open one."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", visibility="open")
    await bob.join(table)
    await bob.open("person", "open")


@housed(seats_per_guest=2)
async def test_a_guest_sits_at_so_many_tables(house: House) -> None:
    """Joining, claiming and setting up with a chair of one's own count."""
    ada = await house.guest("Ada")
    tables = [await ada.open("open", "open", "person", visibility="open") for _ in range(2)]
    bob = await house.guest("Bob")
    for table in tables:
        await bob.join(table, 0)
    cid = await house.guest("Cid")
    third = await cid.open("person", "person", "open", visibility="open")
    refusals = [
        await bob.ask("POST", f"/api/tables/{third}/seats", {}),
        await bob.key(third.seats[1]).ask("POST", f"/api/tables/{third}/seats/1/claim"),
        await bob.ask("POST", "/api/tables", new_table("person", "open")),
    ]
    for refused in refusals:
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "server.too_many_seats")
    await bob.open("open", "open")
    await bob.do(tables[1], "rise")
    await bob.join(third)


@housed(seats_per_guest=2)
async def test_many_at_once_sit_at_no_more_than_allowed(house: House) -> None:
    """Six tables at the same moment: two chairs."""
    people = [await house.guest(f"P{number}") for number in range(6)]
    tables = [await person.open("person", "open", visibility="open") for person in people]
    bob = await house.guest("Bob")
    asked = [asyncio.create_task(bob.ask("POST", f"/api/tables/{table}/seats", {})) for table in tables]
    assert await _codes([*asked]) == {201: 2, 409: 4}


@housed()
async def test_two_who_want_any_chair_get_different_ones(house: House) -> None:
    """At the same moment, without naming one: nobody is told that it is taken while there is another."""
    ada = await house.guest("Ada")
    table = await ada.open("open", "open", "open", "person", visibility="open")
    people = [await house.guest(f"P{number}") for number in range(5)]
    asked = [asyncio.create_task(person.ask("POST", f"/api/tables/{table}/seats", {})) for person in people]
    assert await _codes([*asked]) == {201: 3, 422: 2}
    assert sorted(row[1] for row in house.rows()["holding"]) == [-1, 0, 1, 2, 3]


async def _over(house: House, ada: Person, bob: Person) -> str:
    table = await ada.open("person", "open", visibility="open")
    await bob.join(table)
    for person in (ada, bob):
        await person.do(table, "ready", nonce=NONCE)
    await ada.do(table, "concede")
    return table.id


@housed(tables_per_guest=1)
async def test_a_rematch_counts_as_a_table_of_its_owner(house: House) -> None:
    """The owner has another unfinished one: no rematch until that is over; a repeat is told of its first."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    first = await _over(house, ada, bob)
    other = await ada.open("person", "open")
    refused = await bob.give(first, "rematch", command_id="r")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "server.owner_has_too_many_tables")
    await ada.do(other, "abandon")
    seq = (await bob.view(first))["seq"]
    done = await bob.do(first, "rematch", command_id="r", seq=seq)
    assert done["repeated"] is False
    assert (await bob.do(first, "rematch", command_id="r", seq=seq))["repeated"] is True
    assert (await ada.ask("POST", "/api/tables", new_table("open", "open"))).status_code == 409
