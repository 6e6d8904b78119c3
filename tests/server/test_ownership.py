"""When an owner is deleted: the table gets another owner, or is closed."""

from sanssouci.server.ops.audit import audit_export

from ..harness.builders import NONCE
from ..harness.client import Client
from ..harness.server import InProcessServer, with_server


async def _delete_guest(person: Client) -> None:
    assert (await person.request("DELETE", "/api/me")).status_code == 200


def _faults(server: InProcessServer) -> list[object]:
    """The faults that an audit finds in all games."""
    games = [server.store.game(row[0]) for row in server.rows()["game"]]
    return [
        fault
        for game in games
        if game is not None
        for fault in audit_export(server.store.checked_game_export(game))
    ]


@with_server()
async def test_a_lobby_passes_to_the_next_chair(server: InProcessServer) -> None:
    """The person on the first occupied chair becomes the owner with all permissions, at once."""
    ada, bob, cid = [await server.guest(name) for name in ("Ada", "Bob", "Cid")]
    table = await ada.create_table("open", "person", "open", visibility="open")
    await cid.join(table, 2)
    await bob.join(table, 0)
    socket, other = await bob.connect(table), await cid.connect(table)
    assert not (await socket.receive())["view"]["you"]["owner"]
    await _delete_guest(ada)
    update = await socket.receive_until("update")
    while not update["view"]["you"]["owner"]:
        update = await socket.receive_until("update")
    assert update["events"] == [] and "appoint" in update["view"]["you"]["may"]
    await socket.send_command("appoint", update["seq"], chair=1, player="random")
    assert (await socket.receive_until("done"))["seq"] == update["seq"] + 1
    assert not (await cid.view(table))["you"]["owner"]
    assert (await bob.get("/api/me/tables"))["tables"][0]["owner"]
    assert (await bob.request("POST", f"/api/tables/{table}/links/join")).status_code == 201
    assert server.services.registry.live_tables()[0].owner != "" and not _faults(server)
    await other.close()
    await server.restart()
    assert (await bob.view(table))["you"]["owner"]


@with_server()
async def test_an_empty_lobby_is_closed(server: InProcessServer) -> None:
    """A lobby without other people is abandoned and no longer listed."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    alone = await ada.create_table("person", "open", "random", visibility="open")
    other = await bob.create_table("open", "open", visibility="open")
    await _delete_guest(ada)
    assert (await server.client().view(alone))["ending"]["manner"] == "abandoned"
    assert [table["table"] for table in (await server.client().get("/api/tables"))["tables"]] == [other.id]
    assert not _faults(server)


@with_server()
async def test_a_game_passes_to_another_owner(server: InProcessServer) -> None:
    """The new owner can start a rematch, in which the chair of the deleted guest is open."""
    ada, bob, cid = [await server.guest(name) for name in ("Ada", "Bob", "Cid")]
    table = await ada.create_table("person", "open", visibility="open")
    await bob.join(table)
    await server.play_out(table, {0: ada, 1: bob}, commands=6)
    await _delete_guest(ada)
    assert (await bob.view(table))["you"]["owner"]
    await bob.do(table, "concede")
    await bob.do(table, "rematch")
    again = (await bob.view(table))["rematch"]
    view = await bob.view(again)
    assert [chair["sitter"] for chair in view["chairs"]] == ["open", "person"]
    assert (view["you"]["chair"], view["you"]["owner"]) == (1, True)
    await cid.join(again)
    for person in (bob, cid):
        await person.do(again, "ready", nonce=NONCE)
    assert (await bob.view(again))["stage"] == "picking" and not _faults(server)


@with_server()
async def test_a_guest_deleted_after_the_game_is_not_in_the_rematch(
    server: InProcessServer,
) -> None:
    """A guest who is deleted after the game is neither owner nor player of the rematch."""
    ada, bob, cid = [await server.guest(name) for name in ("Ada", "Bob", "Cid")]
    table = await ada.create_table("person", "open", "open", visibility="open")
    await bob.join(table)
    await cid.join(table)
    for person in (ada, bob, cid):
        await person.do(table, "ready", nonce=NONCE)
    for person in (ada, bob):
        await server.settle()
        await person.do(table, "concede")
    await _delete_guest(ada)
    await bob.do(table, "rematch")
    view = await cid.view((await bob.view(table))["rematch"])
    assert [chair["sitter"] for chair in view["chairs"]] == ["open", "person", "person"]
    assert not view["you"]["owner"] and (await bob.view(view["table"]))["you"]["owner"]
    assert not _faults(server)
