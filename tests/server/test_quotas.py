"""Quotas on unfinished tables per guest, also under concurrent requests."""

import asyncio
from collections import Counter

from ..harness.builders import NONCE, new_table
from ..harness.client import Client
from ..harness.server import InProcessServer, with_server


async def _codes(answers: list[asyncio.Task[object]]) -> Counter[int]:
    return Counter(answer.status_code for answer in await asyncio.gather(*answers))  # type: ignore[attr-defined]


@with_server(tables_per_guest=3)
async def test_quota_of_created_tables(server: InProcessServer) -> None:
    """A guest cannot create more unfinished tables than allowed; other guests are not affected."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    tables = [await ada.create_table("person", "open") for _ in range(3)]
    refused = await ada.request("POST", "/api/tables", new_table("open", "open"))
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "server.too_many_tables")
    assert "3" in refused.json()["error"]["sentence"]
    await bob.create_table("person", "open")
    await ada.do(tables[0], "abandon")
    await ada.create_table("person", "open")


@with_server(tables_per_guest=3)
async def test_quota_of_created_tables_under_concurrency(server: InProcessServer) -> None:
    """Ten concurrent requests create only as many tables as allowed."""
    ada = await server.guest("Ada")
    requests = [
        asyncio.create_task(ada.request("POST", "/api/tables", new_table("person", "open")))
        for _ in range(10)
    ]
    assert await _codes([*requests]) == {201: 3, 409: 7}
    assert len(server.rows()["game"]) == 3


@with_server(tables_per_guest=1)
async def test_joined_tables_do_not_count_as_created(server: InProcessServer) -> None:
    """A guest who has joined another's table may still create one."""
    _, _, bob = await server.two_players(visibility="open")
    await bob.create_table("person", "open")


@with_server(seats_per_guest=2)
async def test_quota_of_seats(server: InProcessServer) -> None:
    """Joining, claiming and creating with an own chair count towards the quota of seats."""
    ada = await server.guest("Ada")
    tables = [await ada.create_table("open", "open", "person", visibility="open") for _ in range(2)]
    bob = await server.guest("Bob")
    for table in tables:
        await bob.join(table, 0)
    cid = await server.guest("Cid")
    third = await cid.create_table("person", "person", "open", visibility="open")
    refusals = [
        await bob.request("POST", f"/api/tables/{third}/seats", {}),
        await bob.with_key(third.seats[1]).request("POST", f"/api/tables/{third}/seats/1/claim"),
        await bob.request("POST", "/api/tables", new_table("person", "open")),
    ]
    for refused in refusals:
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "server.too_many_seats")
    await bob.create_table("open", "open")
    await bob.do(tables[1], "rise")
    await bob.join(third)


@with_server(seats_per_guest=2)
async def test_quota_of_seats_under_concurrency(server: InProcessServer) -> None:
    """Six concurrent joins give only as many seats as allowed."""
    people = [await server.guest(f"P{number}") for number in range(6)]
    tables = [await person.create_table("person", "open", visibility="open") for person in people]
    bob = await server.guest("Bob")
    requests = [
        asyncio.create_task(bob.request("POST", f"/api/tables/{table}/seats", {})) for table in tables
    ]
    assert await _codes([*requests]) == {201: 2, 409: 4}


@with_server()
async def test_concurrent_joins_get_different_chairs(server: InProcessServer) -> None:
    """Concurrent joins without a chair number get different chairs while there are any."""
    ada = await server.guest("Ada")
    table = await ada.create_table("open", "open", "open", "person", visibility="open")
    people = [await server.guest(f"P{number}") for number in range(5)]
    requests = [
        asyncio.create_task(person.request("POST", f"/api/tables/{table}/seats", {})) for person in people
    ]
    assert await _codes([*requests]) == {201: 3, 422: 2}
    assert sorted(row[1] for row in server.rows()["holding"]) == [-1, 0, 1, 2, 3]


async def _finish_game(server: InProcessServer, ada: Client, bob: Client) -> str:
    table = await ada.create_table("person", "open", visibility="open")
    await bob.join(table)
    for person in (ada, bob):
        await person.do(table, "ready", nonce=NONCE)
    await ada.do(table, "concede")
    return table.id


@with_server(tables_per_guest=1)
async def test_a_rematch_counts_towards_the_owners_quota(server: InProcessServer) -> None:
    """A rematch is refused while its owner has too many tables; a repeated rematch is acknowledged."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    first = await _finish_game(server, ada, bob)
    other = await ada.create_table("person", "open")
    refused = await bob.command(first, "rematch", command_id="r")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "server.owner_has_too_many_tables")
    await ada.do(other, "abandon")
    seq = (await bob.view(first))["seq"]
    done = await bob.do(first, "rematch", command_id="r", seq=seq)
    assert done["repeated"] is False
    assert (await bob.do(first, "rematch", command_id="r", seq=seq))["repeated"] is True
    assert (await ada.request("POST", "/api/tables", new_table("open", "open"))).status_code == 409
