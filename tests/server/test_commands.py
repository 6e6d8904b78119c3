"""Commands, by HTTP and by socket: executed once, stored before acknowledged, one at a time."""

import asyncio

import pytest

from ..harness.builders import NONCE, legal_turn
from ..harness.client import Client, CreatedTable
from ..harness.server import InProcessServer, with_server
from ..harness.sockets import Socket
from ..store.builders import blocked_writer
from ..workers.pools import until


async def _start_against_computer(server: InProcessServer) -> tuple[Client, CreatedTable]:
    """A person whose turn it is, against a computer."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "random", first=0)
    await server.play_out(table, {0: ada}, commands=2)
    return ada, table


async def _start_with_two_people(server: InProcessServer) -> tuple[Client, Client, CreatedTable]:
    """Two people; it is the first person's turn."""
    table, ada, bob = await server.two_players(visibility="open", first=0)
    await server.play_out(table, {0: ada, 1: bob}, commands=4)
    return ada, bob, table


@with_server()
async def test_done_comes_before_the_update(server: InProcessServer) -> None:
    """The sender receives ``done`` before the update; others receive the update only."""
    ada, bob, table = await _start_with_two_people(server)
    mine, others = await ada.connect(table), await bob.connect(table)
    view, before = (await mine.receive())["view"], await others.receive()
    await mine.send_command("play", view["seq"], "a-turn", turn=legal_turn(view["options"]))
    done, update, other_update = await mine.receive(), await mine.receive(), await others.receive()
    assert done == {"type": "done", "seq": view["seq"] + 1, "repeated": False, "command_id": "a-turn"}
    assert update["type"] == other_update["type"] == "update"
    assert update["seq"] == other_update["seq"] == done["seq"] == before["seq"] + 1
    assert [event["seq"] for event in other_update["events"]] == [other_update["seq"]]
    assert "draw" in update["events"][0] and "draw" not in other_update["events"][0], (
        "only its player sees the drawn card"
    )


@with_server()
async def test_a_repeated_command_is_not_executed_again(server: InProcessServer) -> None:
    """A repeat by socket or HTTP is acknowledged as such; the same id with another command is refused."""
    ada, table = await _start_against_computer(server)
    socket = await ada.connect(table)
    view = (await socket.receive())["view"]
    turn = legal_turn(view["options"])
    first = await ada.do(table, "play", command_id="once", seq=view["seq"], turn=turn)
    assert first == {"command_id": "once", "seq": view["seq"] + 1, "repeated": False}
    await server.settle()
    rows = server.rows()
    again = await ada.do(table, "play", command_id="once", seq=view["seq"], turn=turn)
    assert again == {**first, "repeated": True}
    await socket.send_command("play", view["seq"], "once", turn=turn)
    assert (await socket.receive_until("done"))["repeated"] is True
    other = await ada.command(table, "take_back", command_id="once")
    assert (other.status_code, other.json()["error"]["code"]) == (409, "declined.command_reused")
    assert server.rows() == rows


@with_server()
async def test_a_stale_command_is_refused_with_the_current_view(server: InProcessServer) -> None:
    """On a socket the refusal is followed by the current view, without events that were already sent."""
    ada, bob, table = await _start_with_two_people(server)
    socket = await ada.connect(table)
    seq = (await socket.receive())["seq"]
    await bob.do(table, "abandon")
    assert [event["type"] for event in (await socket.receive())["events"]] == ["abandon"]
    await socket.send_command("concede", seq, "late")
    refused, update = await socket.receive(), await socket.receive()
    assert (refused["type"], refused["error"]["code"], refused["command_id"]) == (
        "refused",
        "declined.stale",
        "late",
    )
    assert refused["retry_after"] is None
    assert (update["seq"], update["events"], update["view"]["stage"]) == (seq + 1, [], "playing")
    by_http = await ada.command(table, "concede", seq=seq)
    assert (by_http.status_code, by_http.json()["error"]["code"]) == (409, "declined.stale")


@with_server()
async def test_an_illegal_turn_is_refused_with_its_rule(server: InProcessServer) -> None:
    """The refusal names the rule, with a message in the reader's language."""
    ada, table = await _start_against_computer(server)
    view = await ada.view(table)
    turn = legal_turn(view["options"]).split("/")[0] + "/a6"
    german = server.client({**ada.headers, "accept-language": "de-AT,de;q=0.9"})
    answers = [await person.command(table, "play", turn=turn) for person in (ada, german)]
    errors = [answer.json()["error"] for answer in answers]
    assert [answer.status_code for answer in answers] == [422, 422]
    assert errors[0]["code"] == errors[1]["code"] and errors[0]["code"].startswith("refusal.")
    assert errors[0]["rule"] == "R20"
    assert errors[0]["sentence"] != errors[1]["sentence"]
    socket = await ada.connect(table)
    await socket.receive()
    await socket.send_command("play", view["seq"], turn=turn)
    assert (await socket.receive_until("refused"))["error"] == errors[0]


@pytest.mark.parametrize("clients", [2, 7])
@with_server()
async def test_of_concurrent_commands_one_is_executed(server: InProcessServer, clients: int) -> None:
    """Of several commands for the same event number one is executed and the others are stale."""
    ada, table = await _start_against_computer(server)
    view = await ada.view(table)
    server.players.hold()
    turns = [legal_turn(view["options"])] * clients
    with blocked_writer(server.store):
        requests = [
            asyncio.create_task(
                ada.command(table, "play", command_id=f"c{number}", seq=view["seq"], turn=turn)
            )
            for number, turn in enumerate(turns)
        ]
        await until(lambda: server.services.registry.waiting == 1)
    answers = [await answer for answer in requests]
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * (clients - 1)
    assert server.rows()["game"][0][7] == view["seq"] + 1


@with_server()
async def test_a_command_sent_twice_concurrently_is_executed_once(server: InProcessServer) -> None:
    """Both requests are acknowledged, one of them as repeated."""
    ada, table = await _start_against_computer(server)
    view = await ada.view(table)
    turn = legal_turn(view["options"])
    server.players.hold()
    answers = await asyncio.gather(
        *(ada.do(table, "play", command_id="once", seq=view["seq"], turn=turn) for _ in range(2))
    )
    assert sorted(answer["repeated"] for answer in answers) == [False, True]
    assert {answer["seq"] for answer in answers} == {view["seq"] + 1}


async def _silent(socket: Socket, times: int = 200) -> bool:
    """Whether nothing arrives while the event loop runs for some time."""
    for _ in range(times):
        await asyncio.sleep(0)
        if socket.asgi.messages:
            return False
    return True


@with_server()
async def test_nothing_is_sent_before_the_commit(server: InProcessServer) -> None:
    """Until a turn is committed neither its player nor others nor HTTP see it."""
    ada, bob, table = await _start_with_two_people(server)
    mine, others = await ada.connect(table), await bob.connect(table)
    view = (await mine.receive())["view"]
    await others.receive()
    with blocked_writer(server.store):
        await mine.send_command("play", view["seq"], turn=legal_turn(view["options"]))
        await until(lambda: server.services.registry.waiting == 1)
        assert await _silent(mine) and await _silent(others)
        assert (await bob.view(table))["seq"] == view["seq"]
        assert server.rows()["game"][0][7] == view["seq"]
    assert (await mine.receive())["type"] == "done"
    assert (await others.receive())["seq"] == view["seq"] + 1
    assert server.rows()["game"][0][7] == view["seq"] + 1


@with_server()
async def test_a_command_completes_after_its_client_has_gone(server: InProcessServer) -> None:
    """A command whose request was cancelled or whose socket was closed is stored and announced."""
    ada, bob, table = await _start_with_two_people(server)
    mine, others = await ada.connect(table), await bob.connect(table)
    view = (await mine.receive())["view"]
    await others.receive()
    with blocked_writer(server.store):
        turn = legal_turn(view["options"])
        request = asyncio.create_task(ada.command(table, "play", command_id="t", seq=view["seq"], turn=turn))
        await until(lambda: server.services.registry.waiting == 1)
        request.cancel()
        await asyncio.gather(request, return_exceptions=True)
    assert (await others.receive())["seq"] == view["seq"] + 1
    with blocked_writer(server.store):
        await mine.send_command("concede", view["seq"] + 1)
        await until(lambda: server.services.registry.waiting == 1)
        mine.asgi.drop()
    assert (await others.receive())["view"]["ending"]["manner"] == "conceded"


@with_server()
async def test_a_waiting_command_is_dropped_with_the_chair(
    server: InProcessServer,
) -> None:
    """A command that waits for the lock while its sender loses the chair is not executed."""
    ada, bob, cid = [await server.guest(name) for name in ("Ada", "Bob", "Cid")]
    table = await ada.create_table("person", "open", visibility="open")
    await bob.join(table, 1)
    socket = await bob.connect(table, 1)
    await socket.receive()
    registry = server.services.registry
    live_table = registry.find_loaded(table.id)
    assert live_table is not None
    async with live_table.lock:  # all of these wait, in this order
        remove = asyncio.create_task(ada.command(table, "appoint", seq=1, chair=1, player=None))
        await until(lambda: len(live_table.lock._waiters or ()) == 1)
        sit = asyncio.create_task(cid.join(table, 1))
        await until(lambda: len(live_table.lock._waiters or ()) == 2)
        await socket.send_command("ready", 3, nonce=NONCE)
        await until(lambda: len(live_table.lock._waiters or ()) == 3)
        ready = asyncio.create_task(bob.command(table, "ready", at=1, seq=3, nonce=NONCE))
        await until(lambda: len(live_table.lock._waiters or ()) == 4)
    assert (await remove).status_code == 200
    assert (await sit)["chair"] == 1
    assert (await ready).status_code == 403
    await socket.close_code()
    view = await cid.view(table)
    assert view["seq"] == 3, "sit, appoint, sit, and nothing after it"
    assert view["chairs"][1]["ready"] is False


@with_server()
async def test_command_ids_of_a_previous_holder_can_be_reused(server: InProcessServer) -> None:
    """A new holder of a chair may use command ids of the previous holder."""
    ada, bob, eve = [await server.guest(name) for name in ("Ada", "Bob", "Eve")]
    table = await ada.create_table("person", "open")
    for guest in (bob, eve):
        keyed = guest.with_key(table.join)
        await keyed.join(table)
        done = await keyed.do(table, "ready", command_id="1", nonce=NONCE)
        assert done["repeated"] is False
        if guest is bob:
            await keyed.do(table, "rise", command_id="2")


@with_server()
async def test_repeats_are_recognised_across_credentials(server: InProcessServer) -> None:
    """Command ids belong to the chair, whether the client uses a guest token or a seat link."""
    ada, table = await _start_against_computer(server)
    by_link = server.client().with_key(table.seats[0])
    view = await ada.view(table)
    turn = legal_turn(view["options"])
    first = await ada.do(table, "play", command_id="once", seq=view["seq"], turn=turn)
    await server.settle()
    assert await by_link.do(table, "play", command_id="once", seq=view["seq"], turn=turn) == {
        **first,
        "repeated": True,
    }
    socket = await by_link.connect(table)
    await socket.receive()
    await socket.send_command("play", view["seq"], "once", turn=turn)
    assert await socket.receive() == {
        "type": "done",
        "seq": first["seq"],
        "repeated": True,
        "command_id": "once",
    }


@with_server()
async def test_old_command_ids_reveal_nothing_to_a_claimant(
    server: InProcessServer,
) -> None:
    """A claimant who reuses an old id learns only that it was used."""
    ada, eve = await server.guest("Ada"), await server.guest("Eve")
    table = await ada.create_table("person", "open")
    done = await ada.do(table, "ready", command_id="1", nonce=NONCE)
    claimant = eve.with_key(table.seats[0])
    assert (await claimant.request("POST", f"/api/tables/{table}/seats/0/claim")).status_code == 200
    again = await eve.command(table, "ready", command_id="1", seq=0, nonce=NONCE)
    assert again.json() == {**done, "repeated": True}
    other = await eve.command(table, "ready", command_id="1", seq=0, nonce="11" * 8)
    assert (other.status_code, other.json()["error"]["code"]) == (409, "declined.command_reused")
    assert "00" * 8 not in other.text


@with_server()
async def test_a_guest_with_several_chairs_must_name_one(server: InProcessServer) -> None:
    """Commands and hints of a guest with several chairs need a chair, except while watching."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "person")
    refusal = (422, "declined.name_chair")
    answers = [
        await ada.command(table, "ready", nonce=NONCE),
        await ada.request("POST", f"/api/tables/{table}/hint", {}),
    ]
    assert [(answer.status_code, answer.json()["error"]["code"]) for answer in answers] == [refusal, refusal]
    for watch, code in ((False, "declined.name_chair"), (True, "declined.not_allowed")):
        socket = await ada.connect(table, watch=watch)
        await socket.receive()
        await socket.send_command("ready", 0, nonce=NONCE)
        assert (await socket.receive())["error"]["code"] == code
    await ada.do(table, "ready", at=0, nonce=NONCE)
    await ada.do(table, "appoint", chair=1, player="random")


@with_server()
async def test_a_command_ahead_of_the_table_is_refused(server: InProcessServer) -> None:
    """A command that expects a future event is refused as ahead, and the view follows."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    socket = await ada.connect(table)
    await socket.receive()
    await socket.send_command("ready", 5, nonce=NONCE)
    refused, update = await socket.receive(), await socket.receive()
    assert refused["error"]["code"] == "declined.ahead"
    assert "moved on" not in refused["error"]["sentence"]
    assert (update["type"], update["seq"], update["events"]) == ("update", 0, [])
    by_http = await ada.command(table, "ready", seq=5, nonce=NONCE)
    assert (by_http.status_code, by_http.json()["error"]["code"]) == (409, "declined.ahead")
