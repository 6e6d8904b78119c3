"""Seat, join and watch links, and how they are renewed and revoked."""

import asyncio
from typing import Any

from sanssouci.server.auth.tokens import token_hash
from sanssouci.server.tables.live_table import SEAT_LOST

from ..harness.builders import NONCE
from ..harness.client import Client, CreatedTable
from ..harness.server import InProcessServer, with_server
from ..harness.sockets import Json
from ..workers.pools import until


def you(chair: int | None, owner: bool) -> Json:
    """The ``you`` of a view in the lobby, without permissions."""
    return {"chair": chair, "seat": None, "owner": owner, "may": [], "offers": []}


async def _link(person: Client, table: CreatedTable | str, chair: int) -> str:
    answer = await person.request("POST", f"/api/tables/{table}/seats/{chair}/link")
    assert answer.status_code == 201
    return str(answer.json()["token"])


@with_server()
async def test_permissions_of_the_three_links(server: InProcessServer) -> None:
    """A seat link opens its chair, a join link allows joining, and a watch link only allows watching."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "person", "open")
    by_seat = server.client().with_key(table.seats[1])
    assert (await by_seat.view(table))["you"]["chair"] == 1
    await by_seat.do(table, "ready", nonce=NONCE)
    watcher = server.client().with_key(table.watch)
    assert (await watcher.view(table))["you"] | {"may": []} == you(None, owner=False)
    bob = (await server.guest("Bob")).with_key(table.join)
    assert (await bob.join(table, name="Bobby"))["chair"] == 2
    assert (await ada.view(table))["chairs"][2]["name"] == "Bobby"
    watching = (
        await (await server.guest("Wim"))
        .with_key(table.watch)
        .request("POST", f"/api/tables/{table}/seats", {})
    )
    assert watching.status_code == 403, "a watch link does not allow joining"


@with_server()
async def test_a_new_seat_link_revokes_the_old_one(server: InProcessServer) -> None:
    """The old link stops working and its sockets are closed; the holder of the chair stays connected."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "person")
    old = server.client().with_key(table.seats[0])
    by_key, by_guest = await old.connect(table), await ada.connect(table, 0)
    other = await server.client().with_key(table.seats[1]).connect(table)
    for socket in (by_key, by_guest, other):
        await socket.receive()
    new = await _link(ada, table, 0)
    assert await by_key.close_code() == SEAT_LOST
    assert (await old.request("GET", f"/api/tables/{table}")).status_code == 404
    assert (await server.client().with_key(new).view(table))["you"]["chair"] == 0
    await by_guest.send_command("ready", 0, nonce=NONCE)
    assert (await by_guest.receive())["type"] == "done"
    await other.receive_until("update")


@with_server()
async def test_secrets_are_stored_as_hashes(server: InProcessServer) -> None:
    """The data file contains the hashes of all valid secrets, and no secret."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    await _link(ada, table, 0)
    await (await server.guest("Bob", browser=True)).with_key(table.join).join(table)
    stored = repr(server.rows())
    dropped = table.seats[0]
    assert len(server.secrets.tokens) == 7
    for token in server.secrets.tokens:
        assert token not in stored
        assert (token_hash(token) in stored) is (token != dropped)
    raw = server.path.read_bytes() + server.path.with_name("tables.db-wal").read_bytes()
    assert not any(token.encode() in raw for token in server.secrets.tokens)


@with_server()
async def test_a_guest_keeps_the_seat_after_a_restart(server: InProcessServer) -> None:
    """The cookie of a guest opens the same seat after a restart."""
    ada = await server.guest("Ada", browser=True)
    table = await ada.create_table("person", "random")
    await ada.do(table, "ready", nonce=NONCE)
    await server.settle()
    before = await ada.view(table)
    assert before["stage"] == "picking"
    await server.restart()
    again = server.client(dict(ada.headers))
    assert await again.view(table) == before
    assert (await again.get("/api/me"))["name"] == "Ada"
    await again.do(table, "pick", side=0)


@with_server()
async def test_claiming_a_chair_transfers_it(server: InProcessServer) -> None:
    """A guest who claims a chair by its seat link holds it; the previous holder loses it."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob", browser=True)
    table = await ada.create_table("person", "person")
    mine, lost = await ada.connect(table, 0), await ada.connect(table, 1)
    claimed = await bob.with_key(table.seats[1]).request("POST", f"/api/tables/{table}/seats/1/claim")
    assert claimed.status_code == 200
    assert await lost.close_code() == SEAT_LOST
    assert (await bob.view(table))["you"]["chair"] == 1
    assert (await ada.view(table))["you"]["chair"] == 0, "the only chair that is left"
    await mine.receive()
    await mine.send_command("ready", 0, nonce=NONCE)
    assert (await mine.receive())["type"] == "done"
    assert (await ada.command(table, "ready", at=1, nonce=NONCE)).status_code == 403


@with_server()
async def test_a_claimed_chair_has_a_new_secret(server: InProcessServer) -> None:
    """Claiming a chair renews its secret: the old link shows nothing and its sockets are closed."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    table = await ada.create_table("person", "person")
    old = table.seats[1]
    watching, own = await server.client().with_key(old).connect(table), await ada.connect(table, 0)
    claimed = await bob.with_key(old).request("POST", f"/api/tables/{table}/seats/1/claim")
    assert claimed.json()["chair"] == 1
    assert await watching.close_code() == SEAT_LOST
    assert (await server.client().with_key(old).request("GET", f"/api/tables/{table}")).status_code == 404
    seen = await ada.with_key(old).request("GET", f"/api/tables/{table}", None)
    assert seen.json()["you"]["chair"] == 0
    for path in ("link", "claim"):
        again = await ada.with_key(old).request("POST", f"/api/tables/{table}/seats/1/{path}")
        assert again.status_code == 403, "the old link cannot claim the chair again"
    assert (await bob.view(table))["you"]["chair"] == 1
    assert (await server.client().with_key(claimed.json()["token"]).view(table))["you"]["chair"] == 1
    assert (await own.receive())["type"] == "update", "sockets of other chairs stay open"


@with_server()
async def test_a_claim_can_be_repeated_without_the_secret(server: InProcessServer) -> None:
    """The holder of a chair may claim it again, if the response was lost; nobody else may."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    table = await ada.create_table("person", "person")
    path = f"/api/tables/{table}/seats/1/claim"
    await bob.with_key(table.seats[1]).post(path)
    again = [await bob.with_key(table.seats[1]).post(path), await bob.post(path)]
    assert [answer["chair"] for answer in again] == [1, 1]
    views = [server.client().with_key(answer["token"]) for answer in again]
    assert [(await view.request("GET", f"/api/tables/{table}")).status_code for view in views] == [404, 200]
    assert (await ada.request("POST", path)).status_code == 403


@with_server()
async def test_a_removed_player_loses_access_at_once(server: InProcessServer) -> None:
    """The sockets of the chair are closed, its link and guest have no access, and the chair is open."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    table = await ada.create_table("person", "open")
    key = (await bob.with_key(table.join).join(table))["token"]
    sockets = [await bob.connect(table), await server.client().with_key(key).connect(table)]
    await ada.do(table, "appoint", chair=1, player=None)
    assert [await socket.close_code() for socket in sockets] == [SEAT_LOST, SEAT_LOST]
    for person in (bob, server.client().with_key(key)):
        assert (await person.request("GET", f"/api/tables/{table}")).status_code == 404
    cid = await server.guest("Cid")
    await cid.with_key(table.join).join(table)
    assert (await cid.view(table))["you"]["chair"] == 1
    assert (await server.client().with_key(key).request("GET", f"/api/tables/{table}")).status_code == 404


@with_server()
async def test_leaving_a_chair_is_acknowledged_before_closing(server: InProcessServer) -> None:
    """A socket that leaves its chair receives ``done`` before it is closed."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    socket = await ada.connect(table, 0)
    await socket.receive()
    await socket.send_command("rise", 0)
    assert (await socket.receive())["type"] == "done"
    assert await socket.close_code() == SEAT_LOST
    assert (await ada.view(table))["you"] | {"may": []} == you(None, owner=True)


@with_server()
async def test_old_links_open_the_rematch(server: InProcessServer) -> None:
    """Guests and links of the old table open the rematch; those of a removed player do not."""
    ada, bob, cid = [await server.guest(name) for name in ("Ada", "Bob", "Cid")]
    table = await ada.create_table("person", "open")
    removed = (await cid.with_key(table.join).join(table))["token"]
    await ada.do(table, "appoint", chair=1, player=None)
    key = (await bob.with_key(table.join).join(table))["token"]
    for person in (ada, bob):
        await person.do(table, "ready", nonce=NONCE)
    await ada.do(table, "concede")
    socket = await bob.connect(table)
    seq = (await socket.receive())["seq"]
    await socket.send_command("rematch", seq)
    assert (await socket.receive())["type"] == "done"
    new = (await socket.receive())["view"]["rematch"]
    assert new is not None and new != table.id
    assert (await ada.view(new))["you"] | {"may": []} == you(0, owner=True)
    assert (await server.client().with_key(key).view(new))["you"]["chair"] == 1
    assert (await server.client().with_key(table.watch).view(new))["stage"] == "lobby"
    assert (await server.client().with_key(removed).request("GET", f"/api/tables/{new}")).status_code == 404
    assert (await ada.command(table, "rematch")).json()["error"]["code"] == "declined.rematch_made"
    again = await bob.command(table, "rematch", command_id=f"rematch-{seq}", seq=seq)
    assert again.json()["repeated"] is True


@with_server()
async def test_a_forgotten_guest_leaves_nothing(server: InProcessServer) -> None:
    """Tokens, chairs and the name of a forgotten guest are deleted, sockets closed and the chair opened."""
    ada, bob = await server.guest("Ada"), await server.guest("Bobadil")
    table = await ada.create_table("person", "open", visibility="open")
    await bob.join(table, name="B")
    seated, watching = await bob.connect(table), await bob.connect(table, watch=True)
    token = bob.headers["authorization"].split()[1]
    answer = await bob.request("DELETE", "/api/me")
    assert answer.json() == {"forgotten": True}
    assert (await seated.close_code(), await watching.close_code()) == (SEAT_LOST, SEAT_LOST)
    assert await bob.get("/api/me") == {"name": None}
    for method, path in (("GET", "/api/me/tables"), ("POST", "/api/tables")):
        body = {"chairs": [{"sitter": "person"}] * 2} if method == "POST" else None
        assert (await bob.request(method, path, body)).status_code == 401
    rows = server.rows()
    assert "Bobadil" not in repr(rows)
    assert token_hash(token) not in repr(rows)
    assert len(rows["guest"]) == 1
    assert {row[1] for row in rows["holding"]} == {-1, 0}
    assert (await bob.command(table, "ready", nonce=NONCE)).status_code == 403
    assert (await ada.view(table))["chairs"][1]["sitter"] == "open"


async def _renew(owner: Client, table: CreatedTable, link: str) -> str:
    answer = await owner.request("POST", f"/api/tables/{table}/links/{link}")
    assert (answer.status_code, answer.json()["link"]) == (201, link)
    return str(answer.json()["token"])


@with_server()
async def test_a_new_watch_link_revokes_the_old_one(server: InProcessServer) -> None:
    """Sockets and tickets of the old watch link end; those of guests and other links stay."""
    table, ada, bob = await server.two_players()
    old = server.client().with_key(table.watch)
    gone, spare = await old.connect(table), await old.ticket(table)
    guests = [
        await bob.with_key(table.watch).connect(table, watch=True),
        await ada.connect(table, watch=True),
    ]
    by_join, seated = await server.client().with_key(table.join).connect(table), await bob.connect(table)
    stay = [*guests, by_join, seated]
    for socket in (gone, *stay):
        await socket.receive()
    new = await _renew(ada, table, "watch")
    assert await gone.close_code() == SEAT_LOST
    assert await (await old.connect_with(spare)).close_code() == SEAT_LOST
    for path in ("", "/events", "/boards", "/record"):
        assert (await old.request("GET", f"/api/tables/{table}{path}")).status_code == 404
    await bob.do(table, "ready", nonce=NONCE)
    for socket in stay:
        assert (await socket.receive())["type"] == "update"
    await (await server.client().with_key(new).connect(table)).receive()


@with_server()
async def test_a_new_join_link_revokes_the_old_one(server: InProcessServer) -> None:
    """The old join link allows neither joining nor watching; people who joined by it stay."""
    ada, bob, cid = [await server.guest(name) for name in ("Ada", "Bob", "Cid")]
    table = await ada.create_table("person", "open", "open")
    await bob.with_key(table.join).join(table)
    seated, by_old_link = await bob.connect(table), await cid.with_key(table.join).connect(table)
    watching = await server.client().with_key(table.watch).connect(table)
    for socket in (seated, by_old_link, watching):
        await socket.receive()
    new = await _renew(ada, table, "join")
    assert await by_old_link.close_code() == SEAT_LOST
    assert (
        await cid.with_key(table.join).request("POST", f"/api/tables/{table}/seats", {})
    ).status_code == 404
    await cid.with_key(new).join(table)
    for socket in (seated, watching):
        assert (await socket.receive())["type"] == "update"
    third = await _renew(ada, table, "join")
    assert len({table.join, new, third}) == 3


@with_server()
async def test_joining_while_the_link_is_renewed(server: InProcessServer) -> None:
    """A join request that waits for the table's lock while the link is renewed is refused."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    table = await ada.create_table("person", "open")
    live_table = server.services.registry.find_loaded(table.id)
    assert live_table is not None
    waiting: Any = live_table.lock
    async with live_table.lock:
        renewing = asyncio.create_task(_renew(ada, table, "join"))
        await until(lambda: len(waiting._waiters or ()) == 1)
        joining = asyncio.create_task(
            bob.with_key(table.join).request("POST", f"/api/tables/{table}/seats", {})
        )
        await until(lambda: len(waiting._waiters or ()) == 2)
    assert (await joining).json()["error"]["code"] == "declined.not_allowed"
    await bob.with_key(await renewing).join(table)


@with_server()
async def test_watching_by_a_seat_ends_with_the_seat(server: InProcessServer) -> None:
    """Sockets that watch by a seat link or as its holder are closed when that right is revoked."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    table = await ada.create_table("person", "open")
    key = (await bob.with_key(table.join).join(table))["token"]
    by_key = await server.client().with_key(key).connect(table, watch=True)
    await _link(bob, table, 1)
    assert await by_key.close_code() == SEAT_LOST
    holder = await bob.connect(table, watch=True)
    await ada.do(table, "appoint", chair=1, player=None)
    assert await holder.close_code() == SEAT_LOST
