"""Every kind of caller that a table can have, including callers without any permission."""

import asyncio
from dataclasses import dataclass
from typing import Any

from sanssouci.server.auth.tickets import TICKET_SECONDS

from ..harness.builders import RECORD
from ..harness.client import Client, CreatedTable
from ..harness.server import InProcessServer

REMOTE = "203.0.113.5"
"""The address of all callers, not on the server's machine."""
CALLERS = (
    "nobody",
    "stranger",
    "forgotten",  # a deleted guest
    "other",  # holds another chair
    "cookie",  # holds the chair
    "bearer",  # the same guest, as a program
    "seat key",
    "join key",
    "watch key",
    "owner",  # holds a chair too
    "chairless",  # owner of a table, without a chair
    "kicked",  # the guest who held a chair
    "kicked key",
    "revoked key",  # of the chair, before it got a new link
    "foreign key",  # of a chair at another table
    "joiner",  # a guest with the join key
    "claimant",  # a guest with the seat key
)


@dataclass(frozen=True)
class Callers:
    """The callers by name: the headers of their requests, and their tables."""

    headers: dict[str, dict[str, str]]
    table: CreatedTable
    chairless: CreatedTable
    lost_tickets: dict[str, str]
    """Tickets that are no longer valid."""
    review: str
    """A review of the owner."""

    def person(self, server: InProcessServer, name: str) -> Client:
        """A caller at a server on the same data."""
        return server.client(self.headers[name], REMOTE)

    def table_of(self, name: str) -> str:
        """The table of a caller."""
        return self.chairless.id if name == "chairless" else self.table.id


async def make_callers(server: InProcessServer, **settings: Any) -> Callers:
    """Create all callers, and remove some: chair 1 is the one in question, chair 3 is free."""
    owner, holder, other = (
        await server.guest("Olga"),
        await server.guest("Hanna", browser=True),
        await server.guest("Otto"),
    )
    kicked, stranger, chairless = (
        await server.guest("Karl"),
        await server.guest("Sven"),
        await server.guest("Clara"),
    )
    forgotten = await server.guest("Nemo")
    assert (await forgotten.request("DELETE", "/api/me")).status_code == 200
    table = await owner.create_table("person", "open", "open", "open", **settings)
    lost_tickets: dict[str, str] = {}

    first = (await holder.with_key(table.join).join(table, 1))["token"]
    await other.with_key(table.join).join(table, 2)
    kicked_key = (await kicked.with_key(table.join).join(table, 3))["token"]
    lost_tickets["of the kicked"] = await kicked.ticket(table)
    lost_tickets["of the kicked, by key"] = await server.client().with_key(kicked_key).ticket(table)
    await owner.do(table, "appoint", chair=3, player=None)
    lost_tickets["of the revoked key"] = await server.client().with_key(first).ticket(table)
    renewed = (await holder.request("POST", f"/api/tables/{table}/seats/1/link")).json()["token"]
    lost_tickets["expired"] = await other.ticket(table)
    server.clock.advance(TICKET_SECONDS)
    lost_tickets["used"] = await other.ticket(table)
    await (await other.connect_with(lost_tickets["used"])).close()

    foreign = await stranger.create_table("person", "person")
    bearer = {"authorization": "Bearer " + holder.headers["cookie"].partition("=")[2]}
    headers = {
        "nobody": {},
        "stranger": stranger.headers,
        "forgotten": forgotten.headers,
        "other": other.headers,
        "cookie": holder.headers,
        "bearer": bearer,
        "seat key": _key(renewed),
        "join key": _key(table.join),
        "watch key": _key(table.watch),
        "owner": owner.headers,
        "chairless": chairless.headers,
        "kicked": kicked.headers,
        "kicked key": _key(kicked_key),
        "revoked key": _key(first),
        "foreign key": _key(foreign.seats[1]),
        "joiner": stranger.headers | _key(table.join),
        "claimant": stranger.headers | _key(renewed),
    }
    assert tuple(headers) == CALLERS
    empty = await chairless.create_table("open", "open", "open", "open", **settings)
    review = await owner.review(RECORD)
    while (await owner.get(f"/api/reviews/{review}"))["state"] != "ready":  # it runs at another server
        await asyncio.sleep(0.005)
    return Callers(headers, table, empty, lost_tickets, review)


def _key(secret: str) -> dict[str, str]:
    return {"x-sanssouci-key": secret}
