"""Links: seat, join and watch links, and what becomes of them."""

import asyncio
from typing import Any

from sanssouci.server.auth.tokens import token_hash
from sanssouci.server.socket import SEAT_LOST

from ..workers.pools import until
from .house import NONCE, House, Json, Opened, Person, housed


def you(chair: int | None, owner: bool) -> Json:
    """What a view says of who looks, before the game."""
    return {"chair": chair, "seat": None, "owner": owner, "may": []}


async def _link(person: Person, table: Opened | str, chair: int) -> str:
    answer = await person.ask("POST", f"/api/tables/{table}/seats/{chair}/link")
    assert answer.status_code == 201
    return str(answer.json()["token"])


@housed()
async def test_the_three_links_open_what_they_say(house: House) -> None:
    """A seat link opens its chair, a join link lets one sit down, a watch link lets one look."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "person", "open")
    by_seat = house.nobody().key(table.seats[1])
    assert (await by_seat.view(table))["you"]["chair"] == 1
    await by_seat.do(table, "ready", nonce=NONCE)
    watcher = house.nobody().key(table.watch)
    assert (await watcher.view(table))["you"] | {"may": []} == you(None, owner=False)
    bob = (await house.guest("Bob")).key(table.join)
    assert (await bob.join(table, name="Bobby"))["chair"] == 2
    assert (await ada.view(table))["chairs"][2]["name"] == "Bobby"
    watching = await (await house.guest("Wim")).key(table.watch).ask("POST", f"/api/tables/{table}/seats", {})
    assert watching.status_code == 403, "a watch link is no join link"


@housed()
async def test_a_new_seat_link_ends_the_old_one(house: House) -> None:
    """The old secret opens nothing, whoever came by it has to go; who holds the chair as a guest stays."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "person")
    old = house.nobody().key(table.seats[0])
    by_key, by_guest = await old.sit(table), await ada.sit(table, 0)
    other = await house.nobody().key(table.seats[1]).sit(table)
    for line in (by_key, by_guest, other):
        await line.next()
    new = await _link(ada, table, 0)
    assert await by_key.closed() == SEAT_LOST
    assert (await old.ask("GET", f"/api/tables/{table}")).status_code == 404
    assert (await house.nobody().key(new).view(table))["you"]["chair"] == 0
    await by_guest.command("ready", 0, nonce=NONCE)
    assert (await by_guest.next())["type"] == "done"
    await other.until("update")


@housed()
async def test_secrets_are_kept_as_hashes(house: House) -> None:
    """No secret that was given out is in the data file, its hash is."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    await _link(ada, table, 0)
    await (await house.guest("Bob", browser=True)).key(table.join).join(table)
    kept = repr(house.rows())
    dropped = table.seats[0]
    assert len(house.world.tokens) == 7
    for token in house.world.tokens:
        assert token not in kept
        assert (token_hash(token) in kept) is (token != dropped)
    raw = house.path.read_bytes() + house.path.with_name("tables.db-wal").read_bytes()
    assert not any(token.encode() in raw for token in house.world.tokens)


@housed()
async def test_a_guest_keeps_the_seat_over_restarts(house: House) -> None:
    """The same cookie, after the browser and after the server were started again."""
    ada = await house.guest("Ada", browser=True)
    table = await ada.open("person", "random")
    await ada.do(table, "ready", nonce=NONCE)
    await house.quiet()
    before = await ada.view(table)
    assert before["stage"] == "picking"
    await house.restart()
    again = Person(house, dict(ada.headers))
    assert await again.view(table) == before
    assert (await again.get("/api/me"))["name"] == "Ada"
    await again.do(table, "pick", side=0)


@housed()
async def test_a_claimed_chair_moves_to_the_other_browser(house: House) -> None:
    """Whoever has the seat link keeps the chair as a guest; who held it before has it no more."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob", browser=True)
    table = await ada.open("person", "person")
    mine, lost = await ada.sit(table, 0), await ada.sit(table, 1)
    claimed = await bob.key(table.seats[1]).ask("POST", f"/api/tables/{table}/seats/1/claim")
    assert claimed.status_code == 200
    assert await lost.closed() == SEAT_LOST
    assert (await bob.view(table))["you"]["chair"] == 1
    assert (await ada.view(table))["you"]["chair"] == 0, "the only one that is left"
    await mine.next()
    await mine.command("ready", 0, nonce=NONCE)
    assert (await mine.next())["type"] == "done"
    assert (await ada.give(table, "ready", at=1, nonce=NONCE)).status_code == 403


@housed()
async def test_a_claimed_chair_has_a_new_secret(house: House) -> None:
    """Whoever sent the link knows its secret: it shows nothing any more, and its sockets are closed."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "person")
    old = table.seats[1]
    peeping, own = await house.nobody().key(old).sit(table), await ada.sit(table, 0)
    claimed = await bob.key(old).ask("POST", f"/api/tables/{table}/seats/1/claim")
    assert claimed.json()["chair"] == 1
    assert await peeping.closed() == SEAT_LOST
    assert (await house.nobody().key(old).ask("GET", f"/api/tables/{table}")).status_code == 404
    seen = await ada.key(old).ask("GET", f"/api/tables/{table}", None)
    assert seen.json()["you"]["chair"] == 0
    for path in ("link", "claim"):
        again = await ada.key(old).ask("POST", f"/api/tables/{table}/seats/1/{path}")
        assert again.status_code == 403, "nor does it get the chair back"
    assert (await bob.view(table))["you"]["chair"] == 1
    assert (await house.nobody().key(claimed.json()["token"]).view(table))["you"]["chair"] == 1
    assert (await own.next())["type"] == "update", "others stay"


@housed()
async def test_who_is_sent_away_is_away_at_once(house: House) -> None:
    """The sockets of the chair are closed, its secrets and its guest open nothing, and the chair is free."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open")
    key = (await bob.key(table.join).join(table))["token"]
    lines = [await bob.sit(table), await house.nobody().key(key).sit(table)]
    await ada.do(table, "appoint", chair=1, player=None)
    assert [await line.closed() for line in lines] == [SEAT_LOST, SEAT_LOST]
    for person in (bob, house.nobody().key(key)):
        assert (await person.ask("GET", f"/api/tables/{table}")).status_code == 404
    cid = await house.guest("Cid")
    await cid.key(table.join).join(table)
    assert (await cid.view(table))["you"]["chair"] == 1
    assert (await house.nobody().key(key).ask("GET", f"/api/tables/{table}")).status_code == 404


@housed()
async def test_who_rises_hears_that_it_is_done(house: House) -> None:
    """The last word on a socket whose chair was left is that the command was carried out."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    line = await ada.sit(table, 0)
    await line.next()
    await line.command("rise", 0)
    assert (await line.next())["type"] == "done"
    assert await line.closed() == SEAT_LOST
    assert (await ada.view(table))["you"] | {"may": []} == you(None, owner=True)


@housed()
async def test_a_rematch_opens_by_the_old_links(house: House) -> None:
    """The same people, the same links, a new table; whoever was sent away before is not there."""
    ada, bob, cid = [await house.guest(name) for name in ("Ada", "Bob", "Cid")]
    table = await ada.open("person", "open")
    kicked = (await cid.key(table.join).join(table))["token"]
    await ada.do(table, "appoint", chair=1, player=None)
    key = (await bob.key(table.join).join(table))["token"]
    for person in (ada, bob):
        await person.do(table, "ready", nonce=NONCE)
    await ada.do(table, "concede")
    line = await bob.sit(table)
    seq = (await line.next())["seq"]
    await line.command("rematch", seq)
    assert (await line.next())["type"] == "done"
    new = (await line.next())["view"]["rematch"]
    assert new is not None and new != table.id
    assert (await ada.view(new))["you"] | {"may": []} == you(0, owner=True)
    assert (await house.nobody().key(key).view(new))["you"]["chair"] == 1
    assert (await house.nobody().key(table.watch).view(new))["stage"] == "lobby"
    assert (await house.nobody().key(kicked).ask("GET", f"/api/tables/{new}")).status_code == 404
    assert (await ada.give(table, "rematch")).json()["error"]["code"] == "declined.rematch_made"
    again = await bob.give(table, "rematch", command_id=f"rematch-{seq}", seq=seq)
    assert again.json()["repeated"] is True


@housed()
async def test_to_be_forgotten_is_to_be_forgotten(house: House) -> None:
    """No token, no chair, no name among the guests; open sockets are closed; the chair is open."""
    ada, bob = await house.guest("Ada"), await house.guest("Bobadil")
    table = await ada.open("person", "open", visibility="open")
    await bob.join(table, name="B")
    seated, watching = await bob.sit(table), await bob.sit(table, watch=True)
    token = bob.headers["authorization"].split()[1]
    answer = await bob.ask("DELETE", "/api/me")
    assert answer.json() == {"forgotten": True}
    assert (await seated.closed(), await watching.closed()) == (SEAT_LOST, SEAT_LOST)
    assert await bob.get("/api/me") == {"name": None}
    for method, path in (("GET", "/api/me/tables"), ("POST", "/api/tables")):
        body = {"chairs": [{"sitter": "person"}] * 2} if method == "POST" else None
        assert (await bob.ask(method, path, body)).status_code == 401
    rows = house.rows()
    assert "Bobadil" not in repr(rows)
    assert token_hash(token) not in repr(rows)
    assert len(rows["guest"]) == 1
    assert {row[1] for row in rows["holding"]} == {-1, 0}
    assert (await bob.give(table, "ready", nonce=NONCE)).status_code == 403
    assert (await ada.view(table))["chairs"][1]["sitter"] == "open"


async def _renew(owner: Person, table: Opened, link: str) -> str:
    answer = await owner.ask("POST", f"/api/tables/{table}/links/{link}")
    assert (answer.status_code, answer.json()["link"]) == (201, link)
    return str(answer.json()["token"])


@housed()
async def test_a_new_watch_link_ends_the_old_one(house: House) -> None:
    """Who came by the old secret has to go, also with a ticket in hand; nobody else does."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open")
    await bob.key(table.join).join(table)
    old = house.nobody().key(table.watch)
    gone, spare = await old.sit(table), await old.ticket(table)
    guests = [await bob.key(table.watch).sit(table, watch=True), await ada.sit(table, watch=True)]
    by_join, seated = await house.nobody().key(table.join).sit(table), await bob.sit(table)
    stay = [*guests, by_join, seated]
    for line in (gone, *stay):
        await line.next()
    new = await _renew(ada, table, "watch")
    assert await gone.closed() == SEAT_LOST
    assert await (await old.dial(spare)).closed() == SEAT_LOST
    for path in ("", "/events", "/boards", "/record"):
        assert (await old.ask("GET", f"/api/tables/{table}{path}")).status_code == 404
    await bob.do(table, "ready", nonce=NONCE)
    for line in stay:
        assert (await line.next())["type"] == "update"
    await (await house.nobody().key(new).sit(table)).next()


@housed()
async def test_a_new_join_link_ends_the_old_one(house: House) -> None:
    """Nobody joins by the old secret, nor watches by it; who sits by it stays."""
    ada, bob, cid = [await house.guest(name) for name in ("Ada", "Bob", "Cid")]
    table = await ada.open("person", "open", "open")
    await bob.key(table.join).join(table)
    seated, looking = await bob.sit(table), await cid.key(table.join).sit(table)
    watching = await house.nobody().key(table.watch).sit(table)
    for line in (seated, looking, watching):
        await line.next()
    new = await _renew(ada, table, "join")
    assert await looking.closed() == SEAT_LOST
    assert (await cid.key(table.join).ask("POST", f"/api/tables/{table}/seats", {})).status_code == 404
    await cid.key(new).join(table)
    for line in (seated, watching):
        assert (await line.next())["type"] == "update"
    third = await _renew(ada, table, "join")
    assert len({table.join, new, third}) == 3


@housed()
async def test_who_is_about_to_join_by_an_old_link_does_not(house: House) -> None:
    """The request was let in, and waits at the table while the owner renews the link."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open")
    live_table = house.services.registry.find_loaded(table.id)
    assert live_table is not None
    waiting: Any = live_table.lock
    async with live_table.lock:
        renewing = asyncio.create_task(_renew(ada, table, "join"))
        await until(lambda: len(waiting._waiters or ()) == 1)
        joining = asyncio.create_task(bob.key(table.join).ask("POST", f"/api/tables/{table}/seats", {}))
        await until(lambda: len(waiting._waiters or ()) == 2)
    assert (await joining).json()["error"]["code"] == "declined.not_allowed"
    await bob.key(await renewing).join(table)


@housed()
async def test_who_watches_by_a_seat_goes_with_it(house: House) -> None:
    """A holder who looks as spectators do, and whoever does so by the seat's link: both lose their right."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open")
    key = (await bob.key(table.join).join(table))["token"]
    by_key = await house.nobody().key(key).sit(table, watch=True)
    await _link(bob, table, 1)
    assert await by_key.closed() == SEAT_LOST
    holder = await bob.sit(table, watch=True)
    await ada.do(table, "appoint", chair=1, player=None)
    assert await holder.closed() == SEAT_LOST
