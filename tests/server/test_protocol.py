"""Whole games by the protocol: every message to seats and spectators matches the API description."""

import json

import pytest

from sanssouci.dealer import FAIR_3, FairDealer, commitment, deal_terms, parse_seed, prove
from sanssouci.dealer.stream import Stream
from sanssouci.notation import parse_record, verify
from sanssouci.rules import Variant
from sanssouci.server import bare_app

from ..harness.builders import NONCE, legal_command
from ..harness.client import Client, CreatedTable
from ..harness.description import DESCRIPTION, OPERATIONS
from ..harness.server import InProcessServer, with_server
from ..harness.sockets import Json, Socket
from ..helpers import VARIANTS, stream


async def act(socket: Socket, rng: Stream) -> int:
    """Give the command that the viewer of the socket is awaited for; the number of its event."""
    command = legal_command(socket.view, rng)
    assert command["type"] in socket.view["you"]["may"]
    return await socket.do(command.pop("type"), **command)


async def play(players: list[Socket], watchers: list[Socket], rng: Stream, until: str = "over") -> None:
    """Let the awaited player act until a stage is reached; all sockets receive all updates."""
    for socket in (*players, *watchers):
        await socket.catch_up(0)
    while players[0].view["stage"] != until:
        chairs = {socket.view["you"]["chair"]: socket for socket in players}
        awaited = [chair for chair in players[0].view["waiting"] if chair in chairs]
        if awaited:
            await chairs[awaited[0]].catch_up(players[0].view["seq"])
            seq = await act(chairs[awaited[0]], rng)
        else:
            seq = players[0].view["seq"] + 1  # a computer player plays
        for socket in (*players, *watchers):
            await socket.catch_up(seq)


@pytest.mark.parametrize("number", range(len(VARIANTS)), ids=[str(variant.seats) for variant in VARIANTS])
@with_server(described=True)
async def test_a_game_of_every_variant_matches_the_description(server: InProcessServer, number: int) -> None:
    """R1: a game with people, a computer and spectators, from the lobby to the record."""
    variant, owner = VARIANTS[number], await server.guest("Ada")
    opened = ["open"] * (variant.seats - 2)
    table = await owner.create_table(
        *("person", "random", *opened),
        edition=variant.edition,
        expansions=list(variant.expansions),
        visibility="open",
    )
    joined = [await server.guest(f"Guest {number}") for number in range(len(opened))]
    for guest in joined:
        await guest.join(table)
    players = [await guest.connect(table) for guest in (owner, *joined)]
    watchers = [await server.client().connect(table), await owner.connect(table, watch=True)]
    await play(players, watchers, stream(number))
    for socket in (*players, *watchers):
        check_end(socket, variant, table)
        await socket.close()
    for client in (owner, *joined, server.client()):
        await check_reads(client, table.id)
    await check_record(owner, table)


def check_end(socket: Socket, variant: Variant, table: CreatedTable) -> None:
    """The socket was sent every event once, and the seed is the one committed to."""
    view = socket.view
    assert [event["seq"] for event in socket.events] == list(range(view["seq"] + 1))
    turns = [event for event in socket.events if event["type"] == "play"]
    assert len(turns) == variant.turns
    own = [event for event in turns if "draw" in event]
    assert {event["chair"] for event in own} == ({view["you"]["chair"]} - {None})
    assert view["ending"]["manner"] == "played" and view["ending"]["winners"]
    seed, nonces = parse_seed(view["ending"]["fair"]["seed"]), view["ending"]["fair"]["nonces"]
    assert commitment(seed, table.id, FAIR_3) == table.commitment == view["commitment"]
    terms = deal_terms(variant, view["terms"]["boards"]["sha256"], view["terms"]["first"])
    dealer = FairDealer(seed, table.id, tuple(nonces), FAIR_3, terms)
    assert dealer.deal_commitment == view["deal_commitment"]


async def check_reads(client: Client, table: str) -> None:
    """Views, events and lists by HTTP agree with each other."""
    view = await client.view(table)
    update = await client.get(f"/api/tables/{table}/events?after=3")
    assert update["view"] == view and update["events"][0]["seq"] == 4
    await client.get("/api/tables")
    if "authorization" in client.headers:
        mine = (await client.get("/api/me/tables"))["tables"]
        assert [listed["table"] for listed in mine] == [table]


async def check_record(client: Client, table: CreatedTable) -> None:
    """The record is valid and proves its shuffle, and the server agrees."""
    response = await client.request("GET", f"/api/tables/{table}/record")
    record = parse_record(response.content)
    verify(record)
    prove(record)
    checked = await client.request("POST", "/api/records", content=response.content)
    assert checked.json() == {"turns": len(record.turns), "over": True, "proved": True}


@with_server(described=True)
async def test_every_event_matches_the_description(server: InProcessServer) -> None:
    """All kinds of events occur in these games and match the API description."""
    events = [
        *await three_people(server),
        *await one_person(server),
        *await with_a_clock(server),
        *await without_a_nonce(server),
    ]
    described = DESCRIPTION["components"]["schemas"]
    kinds = {
        kind
        for name, schema in described.items()
        if name.endswith("Event")
        for kind in schema["properties"]["type"].get("enum", [schema["properties"]["type"].get("const")])
    }
    assert {event["type"] for event in events} == kinds


async def three_people(server: InProcessServer) -> list[Json]:
    """People join, leave, vote, step away, make offers, abandon the game, then start a rematch."""
    ada, bob, eve = [await server.guest(name) for name in ("Ada", "Bob", "Eve")]
    table = await ada.create_table("person", "open", "open", expansions=["rewards"])
    watcher = await server.client().with_key(table.watch).connect(table)
    first = await ada.connect(table)
    await first.catch_up(0)
    await bob.with_key(table.join).join(table, 2, name="Bert")
    second = await bob.connect(table)
    await second.receive()
    await second.do("ready", nonce=NONCE)
    await second.do("unready")
    await second.do("rise")
    await first.catch_up(4)
    await first.do("appoint", chair=2, player="random")
    await first.do("wear", chair=2, colour="teal")
    await first.do("appoint", chair=2, player=None)
    for guest in (bob, eve):
        await guest.with_key(table.join).join(table)
    players = [first, *[await guest.connect(table) for guest in (bob, eve)]]
    await play(players, [watcher], stream(5), until="playing")
    server.clock.advance(200)
    awaited = first.view["waiting"][0]
    voters = [socket for socket in players if socket.view["you"]["chair"] != awaited]
    away = next(socket for socket in players if socket.view["you"]["chair"] == awaited)
    await voters[1].do("step_away")
    await voters[1].do("return")
    seq = await voters[0].do("vote", chair=awaited)
    for socket in players:
        await socket.catch_up(seq)
    seq = await away.do("return")
    await first.catch_up(seq)
    seq = await first.do("offer", what="pause")
    for socket, answer in ((players[1], "accept"), (players[2], "decline")):
        await socket.catch_up(seq)
        seq = await socket.do(answer, offer=1)
    for socket in (*voters, away):
        await socket.catch_up(seq)
        seq = await socket.do("abandon")
    await watcher.catch_up(seq)
    await first.catch_up(seq)
    assert watcher.view["ending"] == {**first.view["ending"], "manner": "abandoned", "winners": []}
    await watcher.catch_up(await first.do("rematch"))
    again = await ada.view(watcher.view["rematch"])
    assert again["stage"] == "lobby" and again["you"]["chair"] == 0
    return watcher.events


async def one_person(server: InProcessServer) -> list[Json]:
    """One person against a computer takes a turn back, then concedes."""
    ada = await server.guest("Ada")
    socket = await ada.connect(await ada.create_table("person", "random", first=0))
    await play([socket], [], stream(6), until="playing")
    await act(socket, stream(6))
    while "take_back" not in socket.view["you"]["may"] or socket.view["waiting"] != [0]:
        await socket.receive()
    await socket.do("take_back")
    await socket.receive()
    assert socket.view["taken_back"] == 1
    await socket.catch_up(await socket.do("concede"))
    assert socket.view["ending"]["manner"] == "conceded"
    return socket.events


async def with_a_clock(server: InProcessServer) -> list[Json]:
    """A person runs out of time, and a stand-in plays."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    clock = {"pace": "turn", "amount": 60}
    table = await ada.create_table("person", "open", clock=clock, visibility="open")
    await bob.join(table)
    players = [await guest.connect(table) for guest in (ada, bob)]
    await play(players, [], stream(7), until="playing")
    assert players[0].view["deadline"] == players[0].view["since"] + 60
    server.clock.advance(100)
    await server.services.scheduler.sweep()
    while not any(event["type"] == "time_out" for event in players[0].events):
        await players[0].receive()
    return players[0].events


async def without_a_nonce(server: InProcessServer) -> list[Json]:
    """A person does not reveal the nonce, and the shuffle is given up."""
    ada = await server.guest("Ada")
    socket = await ada.connect(await ada.create_table("person", "random"))
    await socket.receive()
    await socket.catch_up(await socket.do("ready", nonce=NONCE))
    assert socket.view["shuffling"] and socket.view["deadline"] == socket.view["since"] + 30
    server.clock.advance(31)
    await server.sweep()
    await socket.catch_up(2)
    assert socket.view["unanswered"] == ["Ada"] and "ready" in socket.view["you"]["may"]
    return socket.events


def test_openapi_contains_the_socket_messages() -> None:
    """All socket messages are schemas, every reference resolves, and every schema is used."""
    schemas, socket = DESCRIPTION["components"]["schemas"], DESCRIPTION["x-socket"]
    messages = [
        reference.rpartition("/")[2] for reference in (*socket["client_says"], *socket["server_says"])
    ]
    assert messages == [
        *("Hello", "SocketCommand", "Ping", "Nudge"),
        *("Update", "CommandDone", "CommandRefused", "Pong", "PresenceMessage", "NudgeMessage"),
    ]
    references = set(references_in(DESCRIPTION))
    assert {f"#/components/schemas/{name}" for name in schemas} >= references
    used = {reference.rpartition("/")[2] for reference in references} | set(messages)
    assert set(schemas) == used, "every schema is used"


def references_in(value: object) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return own + [found for item in value.values() for found in references_in(item)]
    return [found for item in value for found in references_in(item)] if isinstance(value, list) else []


def test_schemathesis_loads_the_description() -> None:
    """Schemathesis finds every route in the description."""
    import schemathesis  # takes a second
    from schemathesis.core.result import Ok

    loaded = schemathesis.openapi.from_dict(DESCRIPTION)
    found = [route.ok() for route in loaded.get_all_operations() if isinstance(route, Ok)]
    assert {(route.method.upper(), route.path) for route in found} == set(OPERATIONS)
    assert len(OPERATIONS) > 20


def test_openapi_is_deterministic_and_complete() -> None:
    """The description is the same every time, and every field has a description."""
    assert json.dumps(bare_app().openapi()) == json.dumps(DESCRIPTION)
    undescribed = [
        f"{name}.{field}"
        for name, schema in DESCRIPTION["components"]["schemas"].items()
        for field, described in schema.get("properties", {}).items()
        if field not in ("type", "scheme", "format") and not {"description", "$ref"} & set(described)
    ]
    assert undescribed == []
