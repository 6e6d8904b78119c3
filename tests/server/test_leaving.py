"""Leaving a table: removed by the owner, by choice, or by deleting the guest; limits on chairs."""

import asyncio
from typing import Any

import pytest

from sanssouci.server.tables.live_table import SEAT_LOST
from sanssouci.table import table_state

from ..harness.builders import NONCE
from ..harness.client import Client, CreatedTable
from ..harness.server import InProcessServer, with_server


async def _join_refusal(
    person: Client, table: CreatedTable | str, chair: int | None = None
) -> tuple[int, str]:
    """Status and error code of a refused join."""
    answer = await person.request("POST", f"/api/tables/{table}/seats", {"chair": chair})
    return answer.status_code, answer.json()["error"]["code"]


REMOVED = 403, "server.sent_away"
ONE_CHAIR = 409, "server.one_chair"


@with_server()
async def test_a_removed_guest_cannot_join_again(server: InProcessServer) -> None:
    """A removed guest cannot join again by link or at an open table, also after a restart."""
    ada, bob, cid = [await server.guest(name) for name in ("Ada", "Bob", "Cid")]
    for visibility in ("open", "link"):
        table = await ada.create_table("person", "open", visibility=visibility)
        await bob.with_key(table.join).join(table)
        await ada.do(table, "appoint", chair=1, player=None)
        assert await _join_refusal(bob.with_key(table.join), table) == REMOVED
        await server.restart()
        assert await _join_refusal(bob.with_key(table.join), table, 1) == REMOVED
        await cid.with_key(table.join).join(table)
        await ada.do(table, "appoint", chair=1, player="random")
        await ada.do(table, "appoint", chair=1, player=None)
        assert await _join_refusal(cid.with_key(table.join), table) == REMOVED


@with_server()
async def test_a_new_join_link_lifts_bans(server: InProcessServer) -> None:
    """A removed guest may join again after the join link was renewed, but not after a new watch link."""
    table, ada, bob = await server.two_players(visibility="open")
    await ada.do(table, "appoint", chair=1, player=None)
    assert (await ada.request("POST", f"/api/tables/{table}/links/watch")).status_code == 201
    assert await _join_refusal(bob, table) == REMOVED
    assert (await ada.request("POST", f"/api/tables/{table}/links/join")).status_code == 201
    await bob.join(table)
    await ada.do(table, "appoint", chair=1, player=None)
    assert await _join_refusal(bob, table) == REMOVED


@with_server()
async def test_owners_cannot_ban_themselves(server: InProcessServer) -> None:
    """Owners who open their own chair, and guests who leave theirs, may join again."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    table = await ada.create_table("person", "open", visibility="open")
    await ada.do(table, "appoint", chair=0, player=None)
    await ada.join(table, 0)
    await bob.join(table, 1)
    await bob.do(table, "rise")
    await bob.join(table, 1)


@with_server()
async def test_bans_apply_to_the_rematch(server: InProcessServer) -> None:
    """A removed guest cannot join the rematch by the old join link."""
    ada, bob, cid = [await server.guest(name) for name in ("Ada", "Bob", "Cid")]
    table = await ada.create_table("person", "open")
    await bob.with_key(table.join).join(table)
    await ada.do(table, "appoint", chair=1, player=None)
    await cid.with_key(table.join).join(table)
    for person in (ada, cid):
        await person.do(table, "ready", nonce=NONCE)
    await ada.do(table, "concede")
    await cid.do(table, "rematch")
    new = (await cid.view(table))["rematch"]
    await cid.do(new, "rise")
    assert await _join_refusal(bob.with_key(table.join), new) == REMOVED
    await cid.with_key(table.join).join(new)


@with_server()
async def test_a_guest_has_one_chair_at_a_table_of_others(server: InProcessServer) -> None:
    """Of concurrent joins one succeeds; the owner may take several chairs."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    table = await ada.create_table("open", "open", "open", "open", visibility="open")
    requests = [bob.request("POST", f"/api/tables/{table}/seats", {"chair": chair}) for chair in range(3)]
    answers = await asyncio.gather(*requests)
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409]
    assert await _join_refusal(bob, table, 3) == ONE_CHAIR
    await bob.do(table, "rise")
    await bob.join(table, 2)
    for chair in (0, 1, 3):
        await ada.join(table, chair)
    assert {row[1:] for row in server.rows()["holding"] if row[1] != 2} == {
        (chair, _id(server, "Ada")) for chair in (-1, 0, 1, 3)
    }


def _id(server: InProcessServer, name: str) -> str:
    """The id of a guest."""
    return str(next(row[0] for row in server.rows()["guest"] if row[1] == name))


@with_server()
async def test_joining_while_being_removed(server: InProcessServer) -> None:
    """A join request that waits for the lock while its guest is removed is refused."""
    table, ada, bob = await server.two_players("open", visibility="open")
    live_table = server.services.registry.find_loaded(table.id)
    assert live_table is not None
    async with live_table.lock:
        remove = asyncio.create_task(ada.command(table, "appoint", chair=1, player=None))
        await _wait_for_waiters(live_table.lock, 1)
        again = asyncio.create_task(bob.request("POST", f"/api/tables/{table}/seats", {"chair": 2}))
        await _wait_for_waiters(live_table.lock, 2)
    assert (await remove).status_code == 200
    assert (await again).json()["error"]["code"] == "server.sent_away"


async def _wait_for_waiters(lock: asyncio.Lock, many: int) -> None:
    """Wait until so many tasks wait for the lock."""
    waiters: Any = lock
    while len(waiters._waiters or ()) < many:
        await asyncio.sleep(0.001)


@with_server()
async def test_leaving_keeps_the_others_ready(server: InProcessServer) -> None:
    """Others stay ready when somebody leaves, and the game starts when the new person is ready."""
    ada, bob, cid = [await server.guest(name) for name in ("Ada", "Bob", "Cid")]
    table = await ada.create_table("person", "open", visibility="open")
    await bob.join(table)
    await ada.do(table, "ready", nonce=NONCE)
    await bob.do(table, "rise")
    assert [chair["ready"] for chair in (await ada.view(table))["chairs"]] == [True, False]
    await cid.join(table)
    assert (await ada.view(table))["stage"] == "lobby"
    await cid.do(table, "ready", nonce=NONCE)
    assert (await ada.view(table))["stage"] == "picking"


@with_server()
async def test_seat_links_of_a_deleted_guest_are_revoked(server: InProcessServer) -> None:
    """Seat links stop working in lobby, game and finished game, and their sockets are closed."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    tables, keys = [], {}
    for commands in ([], ["ready"], ["ready", "concede"]):
        table = await ada.create_table("person", "open")
        keys[table.id] = (await bob.with_key(table.join).join(table))["token"]
        for command in commands:
            for person in (ada, bob) if command == "ready" else (ada,):
                await person.do(table, command, **({"nonce": NONCE} if command == "ready" else {}))
        tables.append(table)
    sockets = [await server.client().with_key(keys[table.id]).connect(table) for table in tables[:2]]
    own = await ada.connect(tables[1])
    assert (await bob.request("DELETE", "/api/me")).status_code == 200
    assert [await socket.close_code() for socket in sockets] == [SEAT_LOST, SEAT_LOST]
    for table in tables:
        answer = await server.client().with_key(keys[table.id]).request("GET", f"/api/tables/{table}")
        assert answer.status_code == 404
    await own.receive_until("update")
    assert (await server.client().with_key(tables[1].seats[0]).view(tables[1]))["you"]["chair"] == 0


@with_server()
async def test_chairs_of_a_deleted_guest(server: InProcessServer) -> None:
    """The chair of a deleted guest is open in a lobby; in a game a stand-in plays to the end."""
    ada, bob, cid = [await server.guest(name) for name in ("Ada", "Bob", "Cid")]
    lobby = await ada.create_table("person", "open", visibility="open")
    game = await ada.create_table("person", "open", visibility="open")
    for table in (lobby, game):
        await bob.join(table)
    await ada.do(lobby, "ready", nonce=NONCE)
    await server.play_out(game, {0: ada, 1: bob}, commands=5)
    assert (await bob.request("DELETE", "/api/me")).status_code == 200
    chair = (await ada.view(lobby))["chairs"][1]
    assert (chair["sitter"], chair["name"]) == ("open", "")
    await cid.join(lobby)
    await cid.do(lobby, "ready", nonce=NONCE)
    assert (await ada.view(lobby))["stage"] == "picking"
    assert (await ada.view(game))["chairs"][1] | {"seat": 0, "commitment": None} == {
        "chair": 1,
        "seat": 0,
        "sitter": "person",
        "name": "Bob",
        "player": None,
        "colour": "blue",
        "ready": True,
        "commitment": None,
        "away": True,
        "conceded": False,
        "votes": [],
    }
    assert (await server.play_out(game, {0: ada}))["ending"]["manner"] == "played"


@with_server()
async def test_deleting_a_guest_who_may_not_leave(
    server: InProcessServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A guest who may not leave the chair any more can still be deleted, which opens the chair."""
    monkeypatch.setattr(table_state, "MAX_UNDONE", 1)
    table, ada, bob = await server.two_players(visibility="open")
    await bob.do(table, "ready", nonce=NONCE)
    await bob.do(table, "unready")
    assert (await bob.command(table, "rise")).json()["error"]["code"] == "declined.undone_too_often"
    assert (await bob.request("DELETE", "/api/me")).status_code == 200
    assert (await ada.view(table))["chairs"][1]["sitter"] == "open"
    await ada.do(table, "appoint", chair=1, player="random")


@with_server()
async def test_a_failed_deletion_changes_nothing(server: InProcessServer) -> None:
    """If the store fails the guest is not deleted and keeps the chair, and can try again."""
    table, ada, bob = await server.two_players(visibility="open")
    with server.store.broken():
        assert (await bob.request("DELETE", "/api/me")).status_code == 503
    assert (await bob.view(table))["you"]["chair"] == 1
    assert (await bob.request("DELETE", "/api/me")).status_code == 200
    assert (await ada.view(table))["chairs"][1]["sitter"] == "open"


@with_server()
async def test_chairs_of_a_deleted_owner(server: InProcessServer) -> None:
    """Chairs of a deleted owner are open, others stay, and the join link still works."""
    ada, bob, cid = [await server.guest(name) for name in ("Ada", "Bob", "Cid")]
    table = await ada.create_table("person", "person", "open")
    await bob.with_key(table.join).join(table)
    assert (await ada.request("DELETE", "/api/me")).status_code == 200
    sitters = [chair["sitter"] for chair in (await bob.view(table))["chairs"]]
    assert sitters == ["open", "open", "person"]
    await cid.with_key(table.join).join(table)
    assert (await ada.with_key(table.seats[1]).request("GET", f"/api/tables/{table}")).status_code == 404
