"""Several servers on one database: any of them serves any table, and nobody notices."""

import asyncio
from typing import Any

from sanssouci.server import reviews
from sanssouci.server.ops.clocks import DatabaseClock
from sanssouci.server.socket import BAD_TICKET
from sanssouci.server.tables import peer_sync, scheduler
from sanssouci.server.tables.live_table import SEAT_LOST
from sanssouci.server.tables.presence import PEER_TIMEOUT
from sanssouci.store import Store

from ..harness.builders import legal_command
from ..harness.server import InProcessServer
from ..server.test_presence import enter
from .shared_servers import at, check_sound, cut, started, with_servers


@with_servers()
async def test_a_game_is_played_at_two_servers(a: InProcessServer, b: InProcessServer) -> None:
    """Each person plays at a different server, sees every event once, and the log is sound."""
    table, ada, bob = await started(a, b)
    sockets = [await ada.connect(table), await bob.connect(table)]
    for socket in sockets:
        await socket.receive()
    for _ in range(12):
        view = sockets[0].view
        chair = view["waiting"][0]
        seq = await sockets[chair].do(**_kind(legal_command(sockets[chair].view)))
        for socket in sockets:
            await socket.catch_up(seq)
    for socket in sockets:
        numbers = [event["seq"] for event in socket.events]
        assert numbers == [*range(sockets[0].view["seq"] + 1)]
    check_sound(a)


def _kind(command: dict[str, Any]) -> dict[str, Any]:
    return {"kind": command.pop("type"), **command}


@with_servers(3)
async def test_the_same_command_at_three_servers_is_executed_once(*servers: InProcessServer) -> None:
    """All three acknowledge it with the same event; one has executed it, and the others know that."""
    table, ada, bob = await started(servers[0], servers[1])
    cut(*servers)
    for number in range(10):
        view = await ada.view(table)
        chair = view["waiting"][0]
        person = (ada, bob)[chair]
        command = legal_command(await person.view(table, chair))
        details = {"at": chair, "command_id": f"same-{number}", "seq": view["seq"], **command}
        answers = await asyncio.gather(*(at(one, person).do(table, **details) for one in servers))
        assert {answer["seq"] for answer in answers} == {view["seq"] + 1}
        assert sorted(answer["repeated"] for answer in answers) == [False, True, True]
    check_sound(servers[2])


@with_servers(3)
async def test_of_different_commands_at_three_servers_one_wins(*servers: InProcessServer) -> None:
    """The others are stale, as on one server, and there is no gap."""
    table, ada, bob = await started(servers[0], servers[1])
    cut(*servers)
    for number in range(10):
        view = await ada.view(table)
        chair = view["waiting"][0]
        person = (ada, bob)[chair]
        command = {"at": chair, "seq": view["seq"], **legal_command(await person.view(table, chair))}
        answers = await asyncio.gather(
            *(
                at(one, person).command(table, command_id=f"{number}-{one.secrets.name[-1]}", **command)
                for one in servers
            )
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
        refused = [answer.json()["error"]["code"] for answer in answers if answer.status_code == 409]
        assert refused == ["declined.stale"] * 2
        assert (await ada.view(table))["seq"] == view["seq"] + 1
    check_sound(servers[2])


@with_servers()
async def test_two_people_who_act_at_once_both_succeed(a: InProcessServer, b: InProcessServer) -> None:
    """The slower one is decided again on the new state: the person notices nothing."""
    ada, bob = await a.guest("Ada"), await b.guest("Bob")
    table = await ada.create_table("person", "open", visibility="open", first=0)
    await bob.join(table)
    view = await ada.view(table)
    cut(a, b)
    both = [
        person.command(table, "ready", seq=view["seq"], commitment=f"{number}" * 64)
        for number, person in enumerate((ada, bob), start=1)
    ]
    assert [answer.status_code for answer in await asyncio.gather(*both)] == [200, 200]
    check_sound(a)


@with_servers()
async def test_every_request_sees_what_another_server_has_just_stored(
    a: InProcessServer, b: InProcessServer
) -> None:
    """Reads are current even if the bus has lost everything: a person may change servers at any time."""
    table, ada, _ = await started(a, b)
    cut(a, b)
    for _ in range(3):
        seq = (await at(b, ada).view(table))["seq"]
        view = await ada.view(table, 0)
        if view["waiting"] != [0]:
            break
        assert (await ada.do(table, at=0, **legal_command(view)))["seq"] == seq + 1
        assert (await at(b, ada).view(table))["seq"] == seq + 1


@with_servers()
async def test_a_command_may_be_ahead_of_its_server(a: InProcessServer, b: InProcessServer) -> None:
    """A person has seen an event at one server, and acts on a socket of another that has not read it yet."""
    table, ada, bob = await started(a, b)
    cut(a, b)
    socket = await bob.connect(table)
    await socket.receive()
    done = await ada.do(table, at=0, **legal_command(await ada.view(table, 0)))
    command = legal_command(await at(a, bob).view(table, 1))
    await socket.send_command(command.pop("type"), done["seq"], "ahead-by-one", **command)
    while (answer := await socket.receive())["type"] == "update":
        pass
    assert (answer["type"], answer.get("seq")) == ("done", done["seq"] + 1), answer
    await socket.send_command("concede", done["seq"] + 9, "too-far-ahead")
    while (answer := await socket.receive())["type"] == "update":
        pass
    assert answer["error"]["code"] == "declined.ahead"


@with_servers(poll=0.02)
async def test_a_socket_learns_of_events_without_a_bus(a: InProcessServer, b: InProcessServer) -> None:
    """The store is asked every second, so an event arrives within two seconds whatever the bus loses."""
    table, ada, bob = await started(a, b)
    cut(a, b)
    socket = await bob.connect(table)
    await socket.receive()
    done = await ada.do(table, at=0, **legal_command(await ada.view(table, 0)))
    await socket.catch_up(done["seq"])
    assert socket.events[-1]["seq"] == done["seq"]


def test_the_store_is_asked_often_enough() -> None:
    """A lost message costs two seconds at most. Turns of a dead server are taken over within three, all
    else within ten.
    """
    assert peer_sync.POLL_INTERVAL <= 1.0
    assert scheduler.TURN_LEASE + scheduler.LEASE_RETRY_DELAY <= 1.5
    assert scheduler.LEASE + scheduler.SHARED_SWEEP_INTERVAL <= 9.0
    assert scheduler.LEASE + reviews.LEASE_INTERVAL <= 9.0


@with_servers()
async def test_a_ticket_opens_one_socket_at_any_server(a: InProcessServer, b: InProcessServer) -> None:
    """A ticket of one server is valid at the other, once and for half a minute."""
    table, ada, _ = await started(a, b)
    ticket = await ada.ticket(table, 0)
    socket = await b.client().connect_with(ticket)
    assert (await socket.receive())["view"]["you"]["chair"] == 0
    again = await a.client().connect_with(ticket)
    assert await again.close_code() == BAD_TICKET
    late = await ada.ticket(table, 0)
    a.clock.advance(30.0)
    assert await (await b.client().connect_with(late)).close_code() == BAD_TICKET


@with_servers()
async def test_a_ticket_is_void_when_its_seat_is_lost_at_another_server(
    a: InProcessServer, b: InProcessServer
) -> None:
    """Bob is removed at one server; neither his ticket nor his next command is accepted at the other."""
    ada, bob = await a.guest("Ada"), await b.guest("Bob")
    table = await ada.create_table("person", "open", visibility="link")
    await bob.with_key(table.join).join(table)
    ticket = await bob.ticket(table)
    cut(a, b)
    await ada.do(table, "appoint", chair=1, player=None)
    assert await (await b.client().connect_with(ticket)).close_code() == SEAT_LOST
    assert (await bob.command(table, "ready", seq=1, commitment="1" * 64)).status_code == 404


@with_servers()
async def test_a_removed_guest_sees_nothing_more_at_another_server(
    a: InProcessServer, b: InProcessServer
) -> None:
    """His socket is closed before the events that follow are announced, although the bus lost the message."""
    ada, bob = await a.guest("Ada"), await b.guest("Bob")
    table = await ada.create_table("person", "open", visibility="link")
    await bob.with_key(table.join).join(table)
    socket = await bob.connect(table)
    await socket.receive()
    cut(a, b)
    removed = await ada.do(table, "appoint", chair=1, player=None)
    await socket.send_command("ready", socket.view["seq"], "late", commitment="1" * 64)
    assert await socket.close_code() == SEAT_LOST
    assert all(event["seq"] < removed["seq"] for event in socket.events)
    check_sound(b)


@with_servers()
async def test_renewed_links_hold_at_every_server(a: InProcessServer, b: InProcessServer) -> None:
    """Sockets of the old watch link and the old seat link are closed; others stay."""
    table, ada, bob = await started(a, b)
    watcher = await b.client().with_key(table.watch).connect(table, watch=True)
    by_link = await b.client().with_key(table.seats[0]).connect(table, 0)
    stays = await bob.connect(table)
    for socket in (watcher, by_link, stays):
        await socket.receive()
    await ada.post(f"/api/tables/{table}/links/watch")
    assert await watcher.close_code() == SEAT_LOST
    await ada.post(f"/api/tables/{table}/seats/0/link")
    assert await by_link.close_code() == SEAT_LOST
    done = await ada.do(table, at=0, **legal_command(await ada.view(table, 0)))
    await stays.catch_up(done["seq"])


@with_servers()
async def test_a_table_passes_to_the_next_owner_at_every_server(
    a: InProcessServer, b: InProcessServer
) -> None:
    """The owner is forgotten at one server, and the new owner's socket at the other learns it."""
    ada, bob = await a.guest("Ada"), await b.guest("Bob")
    table = await ada.create_table("person", "open", visibility="open")
    await bob.join(table)
    socket = await bob.connect(table)
    await socket.receive()
    assert not socket.view["you"]["owner"]
    assert (await ada.request("DELETE", "/api/me")).status_code == 200
    while not socket.view["you"]["owner"]:
        await socket.receive()
    assert (await bob.do(table, "appoint", chair=0, player="random"))["seq"] > 0


@with_servers()
async def test_presence_and_nudges_pass_between_servers(a: InProcessServer, b: InProcessServer) -> None:
    """People at different servers see each other; a server that falls silent takes its people with it."""
    table, ada, bob = await started(a, b)
    here = await enter(ada, table)
    there = await enter(bob, table)
    while (await here.receive_until("presence"))["here"] != [0, 1]:
        pass
    a.services.peer_sync.presence.repeat()  # the second server has loaded the table after the first message
    while (await there.receive_until("presence"))["here"] != [0, 1]:
        pass
    awaited = (await ada.view(table))["waiting"][0]
    a.clock.advance(60)
    a.services.peer_sync.presence.repeat()
    b.services.peer_sync.presence.repeat()
    sender, receiver = (here, there) if awaited == 1 else (there, here)
    await sender.send({"type": "nudge", "chair": awaited})
    assert (await receiver.receive_until("nudge"))["chair"] == awaited
    cut(b)
    a.clock.advance(PEER_TIMEOUT + 1)
    a.services.peer_sync.presence.repeat()
    while (await here.receive_until("presence"))["here"] != [0]:
        pass


@with_servers(lobby_days=1)
async def test_a_lobby_with_a_socket_at_another_server_is_kept(
    a: InProcessServer, b: InProcessServer
) -> None:
    """Another server does not delete it, until nobody is there any more."""
    ada = await b.guest("Ada")
    table = await ada.create_table("person", "open")
    socket = await ada.connect(table)
    await socket.receive()
    a.clock.advance(3 * 86_400.0)
    await b.sweep()
    await a.sweep()
    assert (await ada.view(table))["stage"] == "lobby"
    await socket.close()
    a.clock.advance(700.0)
    await b.sweep()
    await a.sweep()
    assert (await ada.request("GET", f"/api/tables/{table}")).status_code in (404, 410)


def test_the_time_of_the_database_counts(store: Store) -> None:
    """A server whose clock is five seconds wrong agrees with all others within a fraction of a second."""
    import time

    for wrong in (-5.0, 5.0):
        clock = DatabaseClock(store, lambda wrong=wrong: time.time() + wrong)  # type: ignore[misc]
        assert abs(clock.now() - store.database_time()) < 0.5
