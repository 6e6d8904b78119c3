"""Sockets: hello, close codes, slow readers, and limits."""

import asyncio
import gc
import json
import weakref
from hashlib import sha256

import pytest
import uvicorn
from limits import parse
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs
from uvicorn.server import ServerState
from websockets.server import ServerProtocol

from sanssouci.server import socket
from sanssouci.server.rate_limits import Limit, read_rates
from sanssouci.server.socket import BAD_MESSAGE, NO_HELLO, TOO_MANY, TRY_LATER
from sanssouci.server.tables.live_table import SEAT_LOST, TOO_SLOW
from sanssouci.server.transport.websocket_guard import GuardedWebSocketProtocol

from ..harness.builders import NONCE, legal_command
from ..harness.client import Client, CreatedTable
from ..harness.server import InProcessServer, with_server
from ..harness.settings import RATES
from ..harness.sockets import Json, Socket
from ..harness.transports import HOST, AsgiConnection, Closed
from ..workers.pools import until

SECRET = sha256(b"looks like a token").hexdigest()[:32]


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
@with_server()
async def test_the_first_message_must_be_a_hello(server: InProcessServer, message: str | bytes) -> None:
    """Anything else than a hello in text as the first message closes the socket."""
    ws = await server.client().open_socket()
    await ws.send(message)
    assert await ws.close_code() == BAD_MESSAGE


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
@with_server()
async def test_an_unreadable_command_closes_the_socket(server: InProcessServer, message: str | bytes) -> None:
    """A message that is not a command, or has no valid id, closes the socket without any change."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    before = server.rows()
    ws = await ada.connect(table)
    await ws.receive()
    await ws.send(message)
    assert await ws.close_code() == BAD_MESSAGE
    assert server.rows() == before


@with_server()
async def test_a_ping_is_answered(server: InProcessServer) -> None:
    """A ping is answered by a pong, is not rate-limited as a command, and changes nothing."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    before = server.rows()
    ws = await ada.connect(table)
    await ws.receive()
    for _ in range(300):  # more than the limit of commands in a minute
        await ws.send('{"type":"ping"}')
        assert await ws.receive() == {"type": "pong"}
        await asyncio.sleep(0)
    assert server.rows() == before
    await ws.send('{"type":"ping","more":1}')
    assert await ws.close_code() == BAD_MESSAGE


@with_server()
async def test_a_burst_of_messages_does_not_delay_others(server: InProcessServer) -> None:
    """Another client is answered before the last of many messages that have arrived at once."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    flood, other = [await ada.connect(table) for _ in range(2)]
    for socket_ in (flood, other):
        await socket_.receive()
    for number in range(100):
        await flood.send({"type": "command", "command_id": f"{number}"})
    await other.send('{"type":"ping"}')
    assert await other.receive() == {"type": "pong"}
    assert not flood.asgi.is_idle
    for number in range(100):
        assert (await flood.receive())["command_id"] == f"{number}"


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"command": {"type": "time_out", "chair": 0}}, "command"),
        ({"command": {"type": "sit", "chair": 1, "name": "x"}}, "command"),
        ({"command": {"type": "play", "turn": "36@2"}}, "command.play.turn"),
        ({"command": {"type": "reveal"}}, "command.reveal.nonce"),
        ({"command": {"type": "ready", "commitment": "x"}}, "command.ready.commitment"),
        ({"command": {"type": "concede", "why": "x"}}, "command.concede.why"),
        ({"command": []}, "command"),
        ({"command": None}, "command"),
        ({"expected_seq": True}, "expected_seq"),
        ({"expected_seq": "0"}, "expected_seq"),
        ({"chair": 0}, "chair"),
    ],
)
@with_server()
async def test_a_malformed_command_is_refused(server: InProcessServer, wrong: Json, where: str) -> None:
    """A malformed command with an id is refused with the bad field, and the socket stays open."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    before = server.rows()
    ws = await ada.connect(table)
    await ws.receive()
    good = {"type": "command", "command_id": "a", "expected_seq": 0, "command": {"type": "concede"}}
    await ws.send({**good, **wrong})
    refused = await ws.receive()
    assert (refused["type"], refused["command_id"], refused["retry_after"]) == ("refused", "a", None)
    assert refused["error"]["code"] == "server.malformed"
    assert refused["error"]["sentence"] == f"this request is malformed at {where}"
    assert server.rows() == before
    await ws.send_command("ready", 0, "a", nonce=NONCE)
    assert (await ws.receive())["type"] == "done", "the id was not used up"


@with_server(rates=read_rates("command=2/minute"), address_factor=1)
async def test_malformed_commands_count_as_commands(server: InProcessServer) -> None:
    """Malformed commands count towards the rate limit of commands."""
    ada = await server.guest("Ada")
    ws = await ada.connect(await ada.create_table("person", "open"))
    await ws.receive()
    for _ in range(3):
        await ws.send({"type": "command", "command_id": "a"})
    codes = [(await ws.receive())["error"]["code"] for _ in range(3)]
    assert codes == ["server.malformed", "server.malformed", "server.too_often"]


@with_server()
async def test_a_socket_without_hello_is_closed(
    server: InProcessServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A socket is closed if the hello does not arrive in time."""
    monkeypatch.setattr(socket, "_HELLO_TIMEOUT", 0.01)
    assert await (await server.client().open_socket()).close_code() == NO_HELLO


@with_server()
async def test_a_reconnecting_client_gets_the_missed_events(server: InProcessServer) -> None:
    """The first update contains the events after the client's last one; a number too high gives none."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "random", first=0)
    await server.play_out(table, {0: ada}, commands=3)
    seq = (await ada.view(table))["seq"]
    for known in (-1, 0, seq - 1, seq, seq + 5):
        ws = await ada.connect(table, seq=known)
        update = await ws.receive()
        assert [event["seq"] for event in update["events"]] == list(range(known + 1, seq + 1))
        assert update["view"] == await ada.view(table)
        assert update == await ada.get(f"/api/tables/{table}/events?after={known}")
        await ws.close()


async def _make_events(ada: Client, table: CreatedTable, times: int) -> None:
    """Make events in the lobby."""
    for number in range(times):
        await ada.do(table, "unready" if number % 2 else "ready", **({} if number % 2 else {"nonce": NONCE}))


@with_server(outbox_messages=3)
async def test_a_slow_reader_is_dropped_and_resumes(server: InProcessServer) -> None:
    """A slow reader is dropped without delaying others, and gets the missed events when it returns."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    table = await ada.create_table("person", "open", visibility="open")
    slow, quick = await bob.connect(table), await bob.connect(table)
    last_seq = (await slow.receive())["seq"]
    await quick.receive()
    slow.asgi.pause()
    await _make_events(ada, table, 8)
    assert [(await quick.receive())["seq"] for _ in range(8)] == list(range(1, 9))
    live_table = server.services.registry.find_loaded(table.id)
    assert live_table is not None
    await until(lambda: len(live_table.subscribers) == 1)
    slow.asgi.resume()
    messages, code = await _receive_all(slow)
    assert code == TOO_SLOW
    last_seq = max([last_seq, *(message["seq"] for message in messages)])
    again = await bob.connect(table, seq=last_seq)
    update = await again.receive()
    assert [event["seq"] for event in update["events"]] == list(range(last_seq + 1, 9))
    metrics = server.services.metrics.render().decode()
    assert "sanssouci_slow_readers_total 1.0" in metrics


async def _receive_all(socket: Socket) -> tuple[list[Json], int]:
    """All messages until the socket is closed, and the close code."""
    messages: list[Json] = []
    while True:
        try:
            messages.append(await socket.receive())
        except Exception as closed:
            return messages, int(str(closed))


@with_server(outbox_messages=2)
async def test_a_client_that_ignores_the_close_is_disconnected(
    server: InProcessServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If not even the close message is read, the connection is aborted and freed."""
    monkeypatch.setattr(socket, "_CLOSE_TIMEOUT", 0.01)
    cut = asyncio.Event()
    monkeypatch.setattr(socket, "hang_up", lambda scope: cut.set())
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    table = await ada.create_table("person", "open", visibility="open")
    stalled = await bob.connect(table)
    await stalled.receive()
    stalled.asgi.pause()
    await _make_events(ada, table, 5)
    await cut.wait()
    await until(lambda: len(server.services.socket_limits) == 0)


@with_server(sockets=2)
async def test_total_limit_of_sockets(server: InProcessServer) -> None:
    """Above the total limit a socket is refused with 503 before the upgrade."""
    sockets = [await server.client().open_socket() for _ in range(2)]
    with pytest.raises(Closed) as refused:
        await server.client().open_socket()
    assert refused.value.code == 503
    await sockets[0].close()
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    assert (await (await ada.connect(table)).receive())["type"] == "update"


@with_server(sockets_per_guest=2)
async def test_limit_of_sockets_per_guest(server: InProcessServer) -> None:
    """Above the limit a guest gets no ticket and an old ticket fails; other guests are not affected."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    table = await ada.create_table("person", "open", visibility="open")
    spare = await ada.ticket(table)
    sockets = [await ada.connect(table) for _ in range(2)]
    for ws in sockets:
        await ws.receive()
    refused = await ada.request("POST", f"/api/tables/{table}/tickets", {})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "server.too_many_own_sockets")
    assert await (await ada.connect_with(spare)).close_code() == TOO_MANY
    await (await bob.connect(table)).receive()
    await sockets[0].close()
    await (await ada.connect(table)).receive()


@with_server(sockets_per_guest=1, rates={**RATES, Limit.READ: parse("1/minute")})
async def test_limits_of_a_shared_link_count_by_address(server: InProcessServer) -> None:
    """Clients with the same watch link count separately by address."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    here, there = (server.client(peer=peer).with_key(table.watch) for peer in ("2001:db8::1", "192.0.2.1"))
    same = server.client(here.headers, "2001:db8::2")
    await (await here.connect(table)).receive()
    await here.view(table)
    refused = [
        await same.request("POST", f"/api/tables/{table}/tickets", {}),
        await same.request("GET", f"/api/tables/{table}"),
    ]
    assert [answer.status_code for answer in refused] == [409, 429]
    await (await there.connect(table)).receive()
    await there.view(table)


@with_server(sockets_per_address=2)
async def test_limit_of_sockets_per_address(server: InProcessServer) -> None:
    """Above the limit an address gets a 429 before the upgrade, one log line a minute, and a metric."""
    here, there = server.client(), server.client(peer="192.0.2.1")
    sockets = [await here.open_socket() for _ in range(2)]
    with capture_logs() as lines:
        for _ in range(3):
            with pytest.raises(Closed) as refused:
                await here.open_socket()
            assert refused.value.code == 429
    warned = [line for line in lines if line["event"] == "too_many_sockets"]
    assert [(line["log_level"], line["address"], line["here"]) for line in warned] == [
        ("warning", "127.0.0.1", 2)
    ]
    metrics = server.services.metrics.render().decode()
    assert 'sanssouci_refused_sockets_total{limit="sockets_per_address"} 3.0' in metrics
    await there.open_socket()
    await sockets[0].close()
    ws = await here.open_socket()
    await ws.send("")
    assert await ws.close_code() == BAD_MESSAGE


@with_server(sockets_per_address=1)
async def test_a_refused_socket_gets_a_response(server: InProcessServer) -> None:
    """The refusal has a code, a sentence in the client's language, and Retry-After."""
    await server.client().open_socket()
    connection = AsgiConnection(server.app, {"host": HOST, "accept-language": "fr"})
    connection.start()
    await connection.close()
    start, body = connection.messages
    assert (start["status"], dict(start["headers"])[b"retry-after"]) == (429, b"2")
    error = json.loads(body["body"])["error"]
    assert (error["code"], "adresse" in error["sentence"]) == ("server.too_many_sockets_here", True)


@with_server(watchers_per_table=1)
async def test_limit_of_spectators_per_table(server: InProcessServer) -> None:
    """Spectators of a table are limited; players and the owner do not count."""
    ada, bob, cid = [await server.guest(name) for name in ("Ada", "Bob", "Cid")]
    table = await ada.create_table("open", "open", visibility="open")
    spare = await cid.ticket(table)
    first = await bob.connect(table)
    await first.receive()
    refused = await cid.request("POST", f"/api/tables/{table}/tickets", {})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "server.too_many_watchers")
    assert await (await cid.connect_with(spare)).close_code() == TOO_MANY
    await (await ada.connect(table)).receive()
    await cid.join(table)
    await (await cid.connect(table)).receive()


@with_server(watchers_per_table=8)
async def test_limit_of_spectators_per_address(server: InProcessServer) -> None:
    """One address gets at most a quarter of the places of spectators."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open", visibility="open")
    clients = [server.client(peer=f"2001:db8::{number}") for number in range(3)]
    spare = await clients[2].ticket(table)
    sockets = [await person.connect(table) for person in clients[:2]]
    for ws in sockets:
        await ws.receive()
    bob = await server.guest("Bob")
    named = server.client(bob.headers, "2001:db8::9").with_key(table.watch)
    refused = await named.request("POST", f"/api/tables/{table}/tickets", {})
    code = refused.json()["error"]["code"]
    assert (refused.status_code, code) == (409, "server.too_many_watchers_here")
    assert await (await clients[2].connect_with(spare)).close_code() == TOO_MANY
    await (await server.client(peer="2001:db8:1::1").connect(table)).receive()
    await server.client(bob.headers, "2001:db8::9").join(table)
    await (await server.client(bob.headers, "2001:db8::9").connect(table)).receive()
    await sockets[0].close()
    await (await clients[2].connect(table)).receive()


@with_server()
async def test_a_socket_is_told_to_try_later_while_the_store_fails(server: InProcessServer) -> None:
    """If the table cannot be read the socket is closed with ``TRY_LATER``."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    ticket = await ada.ticket(table)
    server.services.registry.evict(server.clock.now + 1)
    server.store.close()
    assert await (await ada.connect_with(ticket)).close_code() == TRY_LATER
    assert (await ada.request("GET", f"/api/tables/{table}")).status_code == 503


@with_server()
async def test_a_lost_chair_closes_its_socket(server: InProcessServer) -> None:
    """If the owner's chair is given to a computer its socket is closed, and the owner stays the owner."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    chair, owner = await ada.connect(table, 0), await ada.connect(table, watch=True)
    await owner.receive()
    await owner.send_command("appoint", 0, chair=0, player="random")
    assert (await owner.receive())["type"] == "done"
    assert await chair.close_code() == SEAT_LOST
    assert (await owner.receive())["view"]["chairs"][0]["sitter"] == "computer"


@pytest.mark.parametrize("keeps_up", [False, True])
@with_server()
async def test_a_closed_socket_is_freed_at_once(
    server: InProcessServer, monkeypatch: pytest.MonkeyPatch, keeps_up: bool
) -> None:
    """A closed socket leaves no reference cycle, whether or not its messages ever had to wait."""
    if keeps_up:
        monkeypatch.setattr(socket, "text_writer", lambda scope: lambda text: True)
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    ws = await ada.connect(table)
    live_table = server.services.registry.find_loaded(table.id)
    assert live_table is not None
    await until(lambda: bool(live_table.subscribers))
    (send_queue,) = [weakref.ref(subscriber.send_queue) for subscriber in live_table.subscribers]
    gc.disable()
    try:
        await ws.close()
        await until(lambda: not live_table.subscribers)
        assert send_queue() is None
    finally:
        gc.enable()


def test_a_lost_connection_is_freed_at_once() -> None:
    """A lost connection leaves no reference cycle."""

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
    def close(self) -> None:
        """There is nothing to close."""


@with_server()
async def test_a_command_is_followed_in_the_log_by_its_id(
    server: InProcessServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser's command id is the request id of its log line and of the computer player's turn."""
    monkeypatch.setattr(socket, "_SLOW_COMMAND", 0.0)
    ada = await server.guest()
    table = await ada.create_table("person", "random", first=0)
    while (view := await ada.view(table, 0))["stage"] != "playing":
        await ada.do(table, at=0, **legal_command(view))
    ws = await ada.connect(table)
    await ws.receive()
    command = legal_command(ws.view)
    with capture_logs(processors=[merge_contextvars]) as lines:
        await ws.send_command(command.pop("type"), ws.view["seq"], "0123456789abcdef", **command)
        await until(lambda: [line for line in lines if line["event"] == "command"])
        await server.settle()
    (line,) = [line for line in lines if line["event"] == "command"]
    assert line["request_id"] == "0123456789abcdef" != line["socket"] and line["outcome"] == "done"
    assert server.players.request_ids[-1] == "0123456789abcdef"


@with_server()
async def test_a_command_id_that_looks_like_a_secret_is_not_logged(server: InProcessServer) -> None:
    """The command gets a new request id, as a request from an untrusted client does."""
    table, ada, _ = await server.two_players()
    ws = await ada.connect(table)
    await ws.receive()
    with capture_logs(processors=[merge_contextvars]) as lines:
        await ws.send_command("ready", ws.view["seq"], SECRET, nonce=NONCE)
        await until(lambda: [line for line in lines if line["event"] == "command"])
    assert SECRET not in json.dumps(lines)
