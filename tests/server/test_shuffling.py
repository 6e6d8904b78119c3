"""Shuffles on a server: nonces that are not revealed in time, restarts, lost chairs and deleted guests."""

from dataclasses import replace

from sanssouci.table import MAX_MISSED, REVEAL_SECONDS

from ..harness.builders import NONCE, ready_arguments
from ..harness.client import Client, CreatedTable
from ..harness.server import InProcessServer, with_server
from ..harness.sockets import Json


async def commit(table: CreatedTable, *people: Client) -> None:
    """All are ready; nobody reveals the nonce."""
    for person in people:
        await person.do(table, "ready", **ready_arguments(await person.view(table), NONCE))


async def shuffling(server: InProcessServer) -> tuple[CreatedTable, Client, Client]:
    table, ada, bob = await server.two_players()
    await commit(table, ada, bob)
    assert (await ada.view(table))["shuffling"]
    return table, ada, bob


TOO_OFTEN = "server.missed_shuffles"


async def rejected(guest: Client, table: CreatedTable) -> str | None:
    """The code of the refusal to join."""
    answer = await guest.with_key(table.join).request("POST", f"/api/tables/{table}/seats", {"chair": None})
    return answer.json()["error"]["code"] if answer.is_error else None


async def pass_time(server: InProcessServer, seconds: float = REVEAL_SECONDS) -> None:
    server.clock.advance(seconds)
    await server.sweep()


def state(view: Json) -> tuple[bool, list[str], list[bool]]:
    return view["shuffling"], view["unanswered"], [chair["ready"] for chair in view["chairs"]]


@with_server()
async def test_a_shuffle_is_given_up_when_somebody_does_not_reveal(server: InProcessServer) -> None:
    """The seed is another one, everyone is asked again, and the game can then be played and proved."""
    table, ada, bob = await shuffling(server)
    before = await ada.view(table)
    await ada.do(table, "reveal", nonce=NONCE)
    await pass_time(server, REVEAL_SECONDS - 1)
    assert state(await ada.view(table)) == (True, [], [True, True])
    await pass_time(server, 1)
    view = await ada.view(table)
    assert state(view) == (False, ["Bob"], [False, False])
    assert view["commitment"] != before["commitment"] and view["deal_commitment"] is None
    view = await server.play_out(table, {0: ada, 1: bob})
    assert view["ending"]["manner"] == "played"
    assert (await ada.get(f"/api/tables/{table}/record"))["fair"]["commitment"] == view["commitment"]


@with_server()
async def test_the_time_to_reveal_survives_a_restart(server: InProcessServer) -> None:
    """People have the full time again to come back, also where the table is not looked at by anyone."""
    table, ada, bob = await shuffling(server)
    server.clock.advance(1000)
    await server.restart()
    await server.services.scheduler.sweep()
    assert server.services.registry.find_loaded(table.id) is not None, "something is due there"
    assert (await bob.view(table))["shuffling"]
    await pass_time(server, REVEAL_SECONDS)
    assert state(await ada.view(table)) == (False, ["Ada", "Bob"], [False, False])


@with_server()
async def test_nonces_are_revealed_after_a_restart(server: InProcessServer) -> None:
    """Those that were revealed before count."""
    table, ada, bob = await shuffling(server)
    await ada.do(table, "reveal", nonce=NONCE)
    await server.restart()
    assert (await bob.view(table))["waiting"] == [1]
    await bob.do(table, "reveal", nonce=NONCE)
    assert (await bob.view(table))["stage"] == "picking"


@with_server()
async def test_a_chair_that_never_answers_is_opened(server: InProcessServer) -> None:
    """Its person loses the connection and the seat link, and may join again when the join link is renewed."""
    table, ada, bob = await shuffling(server)
    socket = await bob.connect(table)
    for time in range(MAX_MISSED):
        await ada.do(table, "reveal", nonce=NONCE)
        await pass_time(server)
        if time < MAX_MISSED - 1:
            await commit(table, ada, bob)
    view = await ada.view(table)
    assert view["chairs"][1]["sitter"] == "open" and view["unanswered"] == ["Bob"]
    assert await socket.close_code() == 4403
    assert (await bob.request("GET", f"/api/tables/{table}")).status_code == 404
    assert await rejected(bob, table) == TOO_OFTEN
    table = replace(table, join=(await ada.post(f"/api/tables/{table}/links/join"))["token"])
    assert await rejected(bob, table) is None
    assert (await server.play_out(table, {0: ada, 1: bob}, 2))["stage"] == "picking"


@with_server()
async def test_leaving_during_a_shuffle_is_limited_too(server: InProcessServer) -> None:
    """Whoever leaves and joins again is counted on; the server may be restarted meanwhile."""
    table, ada, bob = await shuffling(server)
    for _ in range(MAX_MISSED - 1):
        await bob.do(table, "rise")
        assert state(await ada.view(table)) == (False, ["Bob"], [False, False])
        await server.restart()
        assert await rejected(bob, table) is None
        await commit(table, ada, bob)
    await bob.do(table, "rise")
    for _ in range(8):
        assert await rejected(bob, table) == TOO_OFTEN
    assert (await ada.view(table))["chairs"][1]["sitter"] == "open"


@with_server()
async def test_leaving_and_silence_are_counted_together(server: InProcessServer) -> None:
    """The chair is opened at the third time, though its person sat down there a moment ago."""
    table, ada, bob = await shuffling(server)
    for _ in range(MAX_MISSED - 1):
        await bob.do(table, "rise")
        await bob.with_key(table.join).join(table)
        await commit(table, ada, bob)
    await ada.do(table, "reveal", nonce=NONCE)
    await pass_time(server)
    assert (await ada.view(table))["chairs"][1]["sitter"] == "open"
    assert await rejected(bob, table) == TOO_OFTEN


@with_server()
async def test_leaving_a_lobby_is_not_counted(server: InProcessServer) -> None:
    """Nobody has to wait for somebody who changes their mind before all are ready."""
    table, ada, bob = await server.two_players()
    for _ in range(MAX_MISSED + 1):
        await commit(table, bob)
        await bob.do(table, "rise")
        assert await rejected(bob, table) is None
    await commit(table, ada, bob)
    assert (await ada.view(table))["shuffling"]


@with_server()
async def test_a_guest_who_is_removed_is_banned_whatever_was_counted(server: InProcessServer) -> None:
    """And a rematch inherits the ban, not the count."""
    table, ada, bob = await shuffling(server)
    await ada.do(table, "reveal", nonce=NONCE)
    await pass_time(server)
    assert [row.missed for row in server.store.bans(table.id)] == [1]
    await ada.do(table, "appoint", chair=1, player=None)
    assert [row.missed for row in server.store.bans(table.id)] == [None]
    assert await rejected(bob, table) == "server.sent_away"


@with_server()
async def test_people_at_one_screen_are_counted_once(server: InProcessServer) -> None:
    """A guest who holds two chairs has missed one shuffle, not two."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "person")
    for chair in range(2):
        view = await ada.view(table, chair=chair)
        await ada.do(table, "ready", at=chair, **ready_arguments(view, NONCE))
    await pass_time(server)
    assert [row.missed for row in server.store.bans(table.id)] == [1]


@with_server()
async def test_a_deleted_guest_prevents_the_deal(server: InProcessServer) -> None:
    """The chair is open, and no nonce of this shuffle goes into another one."""
    table, ada, bob = await shuffling(server)
    before = (await ada.view(table))["commitment"]
    await ada.do(table, "reveal", nonce=NONCE)
    assert (await bob.request("DELETE", "/api/me")).status_code == 200
    view = await ada.view(table)
    assert state(view) == (False, ["Bob"], [False, False]) and view["chairs"][1]["sitter"] == "open"
    assert view["commitment"] != before


@with_server()
async def test_the_owner_cannot_remove_somebody_while_nonces_are_revealed(server: InProcessServer) -> None:
    """A host who knows the deal could refuse it otherwise, as if nothing had happened."""
    table, ada, bob = await shuffling(server)
    for command in ({"type": "appoint", "chair": 1, "player": None}, {"type": "unready"}):
        answer = await ada.command(table, **command)
        assert answer.json()["error"]["code"] == "declined.shuffling"
    for person, nonce in ((ada, "11" * 16), (bob, "11" * 16)):
        answer = await person.command(table, "reveal", nonce=nonce)
        assert answer.json()["error"]["code"] == "declined.other_nonce"
    watcher = server.client().with_key(table.watch)
    assert (await watcher.command(table, "reveal", nonce=NONCE)).status_code == 403


@with_server()
async def test_a_write_that_fails_loses_no_reveal(server: InProcessServer) -> None:
    """The nonce counts once it is stored; the shuffle is given up as soon as the store works again."""
    table, ada, bob = await shuffling(server)
    with server.store.broken():
        assert (await ada.command(table, "reveal", nonce=NONCE)).status_code == 503
        assert (await ada.view(table))["waiting"] == [0, 1]
    await ada.do(table, "reveal", nonce=NONCE)
    await bob.do(table, "reveal", nonce=NONCE)
    assert (await ada.view(table))["stage"] == "picking"
