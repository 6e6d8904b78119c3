"""Every kind of caller that a table can have, and some that it should not have."""

from dataclasses import dataclass
from typing import Any

from sanssouci.server.auth.tickets import TICKET_SECONDS

from .house import RECORD, House, Opened, Person

REMOTE = "203.0.113.5"
"""Nobody of them is at the server's own machine."""
CALLERS = (
    "nobody",
    "stranger",
    "forgotten",  # a guest who is no more
    "other",  # holds another chair
    "cookie",  # holds the chair
    "bearer",  # the same guest, as a program
    "seat key",
    "join key",
    "watch key",
    "owner",  # with a chair of their own
    "chairless",  # owner of a table, without a chair
    "kicked",  # the guest who held a chair
    "kicked key",
    "revoked key",  # of the chair, before it got a new link
    "foreign key",  # of a chair at another table
    "joiner",  # a guest with the join key
    "claimant",  # a guest with the seat key
)


@dataclass(frozen=True)
class Cast:
    """The callers by name: what they send with every request, and the table they ask for."""

    headers: dict[str, dict[str, str]]
    table: Opened
    chairless: Opened
    lost_tickets: dict[str, str]
    """Tickets that are worth nothing any more."""
    review: str
    """A review of the owner."""

    def person(self, house: House, name: str) -> Person:
        """A caller at a house on the same data."""
        return Person(house, self.headers[name], REMOTE)

    def table_of(self, name: str) -> str:
        """The table that a caller asks for."""
        return self.chairless.id if name == "chairless" else self.table.id


async def gather(house: House, **terms: Any) -> Cast:
    """Everyone comes, and some are sent away; chair 1 is the one in question, chair 3 is free."""
    owner, holder, other = (
        await house.guest("Olga"),
        await house.guest("Hanna", browser=True),
        await house.guest("Otto"),
    )
    kicked, stranger, chairless = (
        await house.guest("Karl"),
        await house.guest("Sven"),
        await house.guest("Clara"),
    )
    forgotten = await house.guest("Nemo")
    assert (await forgotten.ask("DELETE", "/api/me")).status_code == 200
    table = await owner.open("person", "open", "open", "open", **terms)
    lost: dict[str, str] = {}

    first = (await holder.key(table.join).join(table, 1))["token"]
    await other.key(table.join).join(table, 2)
    kicked_key = (await kicked.key(table.join).join(table, 3))["token"]
    lost["of the kicked"] = await kicked.ticket(table)
    lost["of the kicked, by key"] = await house.nobody().key(kicked_key).ticket(table)
    await owner.do(table, "appoint", chair=3, player=None)
    lost["of the revoked key"] = await house.nobody().key(first).ticket(table)
    renewed = (await holder.ask("POST", f"/api/tables/{table}/seats/1/link")).json()["token"]
    lost["expired"] = await other.ticket(table)
    house.world.advance(TICKET_SECONDS)
    lost["used"] = await other.ticket(table)
    await (await other.dial(lost["used"])).hang_up()

    foreign = await stranger.open("person", "person")
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
    empty = await chairless.open("open", "open", "open", "open", **terms)
    return Cast(headers, table, empty, lost, await owner.review(RECORD))


def _key(secret: str) -> dict[str, str]:
    return {"x-sanssouci-key": secret}
