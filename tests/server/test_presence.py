"""Presence and nudges: who has a table open, and reminding a person who keeps the others waiting."""

from sanssouci.cluster.bus import Nudged, TableNews, TablePresence, read_news
from sanssouci.server.tables.presence import NUDGE_DELAY, NUDGE_INTERVAL

from ..harness.builders import NONCE
from ..harness.client import Client, CreatedTable
from ..harness.server import InProcessServer, with_server
from ..harness.sockets import Socket


async def enter(client: Client, table: CreatedTable, **ticket: bool) -> Socket:
    """A socket that asks for presence, after its first update."""
    socket = await client.open_socket()
    await socket.send(
        {"type": "hello", "ticket": await client.ticket(table, **ticket), "seq": -1, "presence": True}
    )
    await socket.receive_until("update")
    return socket


async def here(socket: Socket) -> list[int]:
    found: list[int] = (await socket.receive_until("presence"))["here"]
    return found


async def two_people(server: InProcessServer) -> tuple[CreatedTable, Client, Client]:
    """Ada and Bob at a table whose game has started; chair 0 is to pick or play."""
    server.services.peer_sync.presence.away_delay = 0
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    table = await ada.create_table("person", "open", first=0)
    await bob.with_key(table.join).join(table)
    for person in (ada, bob):
        await person.do(table, "ready", nonce=NONCE)
    return table, ada, bob


@with_server()
async def test_people_see_who_has_the_table_open(server: InProcessServer) -> None:
    """Everyone learns who comes and goes; a spectator is not listed, and two windows count once."""
    table, ada, bob = await two_people(server)
    first = await enter(ada, table)
    assert await here(first) == [0]
    watcher = await enter(server.client().with_key(table.watch), table)
    assert await here(watcher) == [0]
    second, window = await enter(bob, table), await enter(bob, table)
    for socket in (first, watcher, second):
        assert await here(socket) == [0, 1]
    await second.close()
    await window.close()
    for socket in (first, watcher):
        assert await here(socket) == [0], "one of two windows is closed, then the other"


@with_server()
async def test_a_socket_that_does_not_ask_gets_no_presence(server: InProcessServer) -> None:
    """Clients of earlier versions get updates only."""
    table, ada, bob = await two_people(server)
    plain = await ada.connect(table)
    await plain.receive()
    await enter(bob, table)
    await plain.send({"type": "ping"})
    assert (await plain.receive())["type"] == "pong"


@with_server()
async def test_a_person_who_keeps_others_waiting_can_be_nudged(server: InProcessServer) -> None:
    """Only after a while, not too often, by a person at the table, and only the awaited person."""
    table, ada, bob = await two_people(server)
    first, second = await enter(ada, table), await enter(bob, table)
    watcher = await enter(server.client().with_key(table.watch), table)
    presence, live_table = (
        server.services.peer_sync.presence,
        await server.services.registry.table(str(table)),
    )

    async def nudge(socket: Socket, chair: int) -> None:
        await socket.send({"type": "nudge", "chair": chair})
        await socket.send({"type": "ping"})
        await socket.receive_until("pong")

    await ada.do(table, "pick", side=0)  # now Bob is awaited
    await nudge(first, 1)
    assert not presence._of(live_table).nudged, "too early"
    server.clock.advance(NUDGE_DELAY)
    for socket, chair in ((watcher, 1), (second, 1), (second, 0), (first, 0)):
        await nudge(socket, chair)
    assert not presence._of(live_table).nudged
    await first.send({"type": "nudge", "chair": 1})
    expected = {"type": "nudge", "by": 0, "chair": 1}
    assert await second.receive_until("nudge") == expected == await first.receive_until("nudge")
    at = dict(presence._of(live_table).nudged)
    server.clock.advance(NUDGE_INTERVAL - 1)
    await first.send({"type": "nudge", "chair": 1})
    assert await first.receive_until("nudge") == expected, "only the sender learns of the earlier one"
    await second.send({"type": "ping"})
    assert (await second.receive())["type"] == "pong"
    assert presence._of(live_table).nudged == at, "too often"
    server.clock.advance(1)
    await nudge(first, 1)
    assert presence._of(live_table).nudged != at


def test_messages_between_servers() -> None:
    """Every message can be read back; anything else is ignored, also by servers of earlier versions."""
    for news in (TableNews("t", 3, 4), TablePresence("t", "s", frozenset({0, 3})), Nudged("t", "s", 1, 2)):
        assert read_news(news.write()) == news
        assert isinstance(news, TableNews) or TableNews.read(news.write()) is None
    for text in ("", "presence t s x", "nudge t s 1", "nudge t s 1 -2", "t 1"):
        assert read_news(text) is None
