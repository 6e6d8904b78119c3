"""Sockets: greeting, what closes them, slow readers, and how many there may be."""

import asyncio
import gc
import weakref

import pytest
import uvicorn
from limits import parse
from uvicorn.server import ServerState
from websockets.server import ServerProtocol

from sanssouci.server import socket
from sanssouci.server.limits.rate_limits import Limit, read_rates
from sanssouci.server.send_queue import TOO_SLOW
from sanssouci.server.socket import BAD_MESSAGE, NO_HELLO, SEAT_LOST, TOO_MANY, TRY_LATER
from sanssouci.server.transport.websocket_guard import GuardedWebSocketProtocol

from ..workers.pools import until
from .house import NONCE, RATES, House, Opened, Person, housed
from .line import Json, Line


@pytest.mark.parametrize(
    "message",
    [
        "",
        "{",
        "[]",
        '"hello"',
        '{"type":"hello"}',
        '{"type":"hello","ticket":"x","seq":"0"}',
        '{"type":"hello","ticket":"x","more":1}',
        '{"type":"command","command_id":"a","expected_seq":0,"command":{"type":"concede"}}',
        "[" * 16_000,
        b"\x00\xff",
        b'{"type":"hello","ticket":"x"}',
    ],
)
@housed()
async def test_who_does_not_say_hello_is_closed(house: House, message: str | bytes) -> None:
    """Anything but a hello in text as the first message is none of this protocol."""
    line = await house.nobody().line()
    await line.send(message)
    assert await line.closed() == BAD_MESSAGE


@pytest.mark.parametrize(
    "message",
    [
        "{}",
        '{"type":"command","command_id":"a b","expected_seq":0,"command":{"type":"concede"}}',
        '{"type":"command","expected_seq":0,"command":{"type":"concede"}}',
        '{"type":"command","command_id":7,"expected_seq":0,"command":{"type":"concede"}}',
        '{"type":"command","command_id":"a","expected_seq":0,"command":{"type":"concede"}',
        '{"type":"command","command_id":"a","command_id":"a","expected_seq":0,"command":{"type":"concede"}}',
        '{"type":"command","command_id":"a","expected_seq":0,"command":{"type":"rise","type":"concede"}}',
        '{"type":"commands","command_id":"a","expected_seq":0,"command":{"type":"concede"}}',
        '{"type":"hello","ticket":"x"}',
        b"1",
    ],
)
@housed()
async def test_what_is_no_command_closes_the_socket(house: House, message: str | bytes) -> None:
    """What cannot be read, or has no id by which it could be answered; nothing has changed."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    before = house.rows()
    line = await ada.sit(table)
    await line.next()
    await line.send(message)
    assert await line.closed() == BAD_MESSAGE
    assert house.rows() == before


@housed()
async def test_a_ping_is_answered(house: House) -> None:
    """By a pong, before and after a command, and it is none: nothing is counted, nothing has changed."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    before = house.rows()
    line = await ada.sit(table)
    await line.next()
    for _ in range(300):  # more than one may give commands in a minute
        await line.send('{"type":"ping"}')
        assert await line.next() == {"type": "pong"}
        await asyncio.sleep(0)
    assert house.rows() == before
    await line.send('{"type":"ping","more":1}')
    assert await line.closed() == BAD_MESSAGE


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"command": {"type": "time_out", "chair": 0}}, "command"),
        ({"command": {"type": "sit", "chair": 1, "name": "x"}}, "command"),
        ({"command": {"type": "play", "turn": "36@2"}}, "command.play.turn"),
        ({"command": {"type": "ready"}}, "command.ready.nonce"),
        ({"command": {"type": "concede", "why": "x"}}, "command.concede.why"),
        ({"command": []}, "command"),
        ({"command": None}, "command"),
        ({"expected_seq": True}, "expected_seq"),
        ({"expected_seq": "0"}, "expected_seq"),
        ({"chair": 0}, "chair"),
    ],
)
@housed()
async def test_a_malformed_command_is_refused_and_says_where(house: House, wrong: Json, where: str) -> None:
    """Nothing is guessed, and commands of the house cannot be given; the socket stays open."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    before = house.rows()
    line = await ada.sit(table)
    await line.next()
    good = {"type": "command", "command_id": "a", "expected_seq": 0, "command": {"type": "concede"}}
    await line.send({**good, **wrong})
    refused = await line.next()
    assert (refused["type"], refused["command_id"], refused["retry_after"]) == ("refused", "a", None)
    assert refused["error"]["code"] == "server.malformed"
    assert refused["error"]["sentence"] == f"this request is malformed; look at: {where}"
    assert house.rows() == before
    await line.command("ready", 0, "a", nonce=NONCE)
    assert (await line.next())["type"] == "done", "the same id is free"


@housed(rates=read_rates("command=2/minute"), address_factor=1)
async def test_malformed_commands_count_as_commands(house: House) -> None:
    """Whoever sends nothing else is told to wait, too."""
    ada = await house.guest("Ada")
    line = await ada.sit(await ada.open("person", "open"))
    await line.next()
    for _ in range(3):
        await line.send({"type": "command", "command_id": "a"})
    codes = [(await line.next())["error"]["code"] for _ in range(3)]
    assert codes == ["server.malformed", "server.malformed", "server.too_often"]


@housed()
async def test_who_says_nothing_is_closed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hello must come in time."""
    monkeypatch.setattr(socket, "_HELLO_TIMEOUT", 0.01)
    assert await (await house.nobody().line()).closed() == NO_HELLO


@housed()
async def test_a_lost_connection_resumes_with_what_is_missing(house: House) -> None:
    """The last seq that one has seen is enough; a number that is too high gets the view alone."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "random", first=0)
    await house.play_out(table, {0: ada}, turns=3)
    seq = (await ada.view(table))["seq"]
    for known in (-1, 0, seq - 1, seq, seq + 5):
        line = await ada.sit(table, seq=known)
        update = await line.next()
        assert [event["seq"] for event in update["events"]] == list(range(known + 1, seq + 1))
        assert update["view"] == await ada.view(table)
        assert update == await ada.get(f"/api/tables/{table}/events?after={known}")
        await line.hang_up()


async def _lobby_noise(ada: Person, table: Opened, times: int) -> None:
    """Events, one after the other."""
    for number in range(times):
        await ada.do(table, "unready" if number % 2 else "ready", **({} if number % 2 else {"nonce": NONCE}))


@housed(outbox_messages=3)
async def test_a_slow_reader_is_dropped_and_resumes(house: House) -> None:
    """The others do not wait for it; it comes back with the last seq, and gets exactly what it has missed."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", visibility="open")
    slow, quick = await bob.sit(table), await bob.sit(table)
    seen = (await slow.next())["seq"]
    await quick.next()
    slow.pause()
    await _lobby_noise(ada, table, 8)
    assert [(await quick.next())["seq"] for _ in range(8)] == list(range(1, 9))
    live_table = house.services.registry.find_loaded(table.id)
    assert live_table is not None
    await until(lambda: len(live_table.subscribers) == 1)
    slow.resume()
    heard, code = await _heard(slow)
    assert code == TOO_SLOW
    seen = max([seen, *(message["seq"] for message in heard)])
    again = await bob.sit(table, seq=seen)
    update = await again.next()
    assert [event["seq"] for event in update["events"]] == list(range(seen + 1, 9))
    figures = house.services.metrics.render().decode()
    assert "sanssouci_slow_readers_total 1.0" in figures


async def _heard(line: Line) -> tuple[list[Json], int]:
    """All that is said until the socket is closed, and the code."""
    messages: list[Json] = []
    while True:
        try:
            messages.append(await line.next())
        except Exception as closed:
            return messages, int(str(closed))


@housed(outbox_messages=2)
async def test_who_never_reads_again_is_hung_up_on(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even the message that closes the socket is taken: the connection is cut, and nothing is left."""
    monkeypatch.setattr(socket, "_CLOSE_TIMEOUT", 0.01)
    cut = asyncio.Event()
    monkeypatch.setattr(socket, "hang_up", lambda scope: cut.set())
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", visibility="open")
    dead = await bob.sit(table)
    await dead.next()
    dead.pause()
    await _lobby_noise(ada, table, 5)
    await cut.wait()
    await until(lambda: len(house.services.socket_limits) == 0)


@housed(sockets=2)
async def test_there_are_so_many_sockets(house: House) -> None:
    """One too many is told to try later, also before it has said who it is; when one leaves there is room."""
    lines = [await house.nobody().line() for _ in range(2)]
    assert await (await house.nobody().line()).closed() == TRY_LATER
    await lines[0].hang_up()
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    assert (await (await ada.sit(table)).next())["type"] == "update"


@housed(sockets_per_guest=2)
async def test_a_guest_has_so_many_sockets(house: House) -> None:
    """One too many gets no ticket, and a ticket from before does not help; others have their own."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", visibility="open")
    spare = await ada.ticket(table)
    lines = [await ada.sit(table) for _ in range(2)]
    for line in lines:
        await line.next()
    refused = await ada.ask("POST", f"/api/tables/{table}/tickets", {})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "server.too_many_own_sockets")
    assert await (await ada.dial(spare)).closed() == TOO_MANY
    await (await bob.sit(table)).next()
    await lines[0].hang_up()
    await (await ada.sit(table)).next()


@housed(sockets_per_guest=1, rates={**RATES, Limit.READ: parse("1/minute")})
async def test_who_watches_by_the_same_link_elsewhere_counts_apart(house: House) -> None:
    """One household with a link has its own sockets and rates, and takes none from another's."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    here, there = (Person(house, peer=peer).key(table.watch) for peer in ("2001:db8::1", "192.0.2.1"))
    same = Person(house, here.headers, "2001:db8::2")
    await (await here.sit(table)).next()
    await here.view(table)
    refused = [
        await same.ask("POST", f"/api/tables/{table}/tickets", {}),
        await same.ask("GET", f"/api/tables/{table}"),
    ]
    assert [answer.status_code for answer in refused] == [409, 429]
    await (await there.sit(table)).next()
    await there.view(table)


@housed(sockets_per_guest=1, address_factor=2)
async def test_an_address_has_as_many_sockets_as_some_guests(house: House) -> None:
    """Whoever says nothing counts by address; another address has room of its own."""
    here, there = house.nobody(), Person(house, peer="192.0.2.1")
    for _ in range(2):
        await here.line()
    assert await (await here.line()).closed() == TRY_LATER
    line = await there.line()
    await line.send("")
    assert await line.closed() == BAD_MESSAGE


@housed(watchers_per_table=1)
async def test_a_table_has_so_many_watchers(house: House) -> None:
    """Who sits there or owns the table is none of them."""
    ada, bob, cid = [await house.guest(name) for name in ("Ada", "Bob", "Cid")]
    table = await ada.open("open", "open", visibility="open")
    spare = await cid.ticket(table)
    first = await bob.sit(table)
    await first.next()
    refused = await cid.ask("POST", f"/api/tables/{table}/tickets", {})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "server.too_many_watchers")
    assert await (await cid.dial(spare)).closed() == TOO_MANY
    await (await ada.sit(table)).next()
    await cid.join(table)
    await (await cid.sit(table)).next()


@housed(watchers_per_table=8)
async def test_one_address_does_not_take_all_watchers_places(house: House) -> None:
    """It has a quarter of them, with how many names and links it may come; others have room left."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open", visibility="open")
    socket_limits = [Person(house, peer=f"2001:db8::{number}") for number in range(3)]
    spare = await socket_limits[2].ticket(table)
    lines = [await person.sit(table) for person in socket_limits[:2]]
    for line in lines:
        await line.next()
    bob = await house.guest("Bob")
    named = Person(house, bob.headers, "2001:db8::9").key(table.watch)
    refused = await named.ask("POST", f"/api/tables/{table}/tickets", {})
    code = refused.json()["error"]["code"]
    assert (refused.status_code, code) == (409, "server.too_many_watchers_here")
    assert await (await socket_limits[2].dial(spare)).closed() == TOO_MANY
    await (await Person(house, peer="2001:db8:1::1").sit(table)).next()
    await Person(house, bob.headers, "2001:db8::9").join(table)
    await (await Person(house, bob.headers, "2001:db8::9").sit(table)).next()
    await lines[0].hang_up()
    await (await socket_limits[2].sit(table)).next()


@housed()
async def test_a_store_that_cannot_be_read_closes_for_a_while(house: House) -> None:
    """The table has to be read and cannot be: try later, which is not a bad ticket."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    ticket = await ada.ticket(table)
    house.services.registry.evict(house.world.now + 1)
    house.store.close()
    assert await (await ada.dial(ticket)).closed() == TRY_LATER
    assert (await ada.ask("GET", f"/api/tables/{table}")).status_code == 503


@housed()
async def test_a_closed_chair_is_told_by_its_code(house: House) -> None:
    """The owner's own chair, too, if it is given to a computer; the owner stays the owner."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    chair, above = await ada.sit(table, 0), await ada.sit(table, watch=True)
    await above.next()
    await above.command("appoint", 0, chair=0, player="random")
    assert (await above.next())["type"] == "done"
    assert await chair.closed() == SEAT_LOST
    assert (await above.next())["view"]["chairs"][0]["sitter"] == "computer"


@housed()
async def test_who_goes_leaves_nothing_behind(house: House) -> None:
    """What a socket holds is free at once, and does not wait until somebody looks for garbage."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    line = await ada.sit(table)
    await line.next()
    live_table = house.services.registry.find_loaded(table.id)
    assert live_table is not None
    (send_queue,) = [weakref.ref(subscriber.send_queue) for subscriber in live_table.subscribers]
    gc.disable()
    try:
        await line.hang_up()
        await until(lambda: not live_table.subscribers)
        assert send_queue() is None
    finally:
        gc.enable()


def test_a_connection_that_is_lost_leaves_nothing_behind() -> None:
    """Nor does the protocol of a socket hold itself."""

    async def lose_one() -> "weakref.ref[ServerProtocol]":
        config = uvicorn.Config(lambda: None, ws=GuardedWebSocketProtocol)
        wire = GuardedWebSocketProtocol(config, ServerState(), {})
        wire.connection_made(_Transport())
        wire.connection_lost(None)
        return weakref.ref(wire.conn)

    gc.disable()
    try:
        assert asyncio.run(lose_one())() is None
    finally:
        gc.enable()


class _Transport(asyncio.Transport):
    """One that goes nowhere."""

    def close(self) -> None:
        """There is nothing to close."""
