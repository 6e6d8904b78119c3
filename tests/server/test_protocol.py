"""Whole games by the protocol: all that the server says, to seats and spectators, is what it describes."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import httpx
import pytest

from sanssouci.dealer import commitment, parse_seed, prove
from sanssouci.dealer.stream import Stream
from sanssouci.notation import parse_record, verify
from sanssouci.rules import Variant

from ..helpers import VARIANTS, stream
from ..workers.pools import within
from .described_house import DESCRIPTION, OPERATIONS, House, open_house
from .wire import Wire

Json = dict[str, Any]


def any_turn(options: Json, chance: Stream) -> str:
    """A turn put together from the tables, as docs/protocol.md has it."""

    def one(things: Any) -> Any:
        return list(things)[chance.below(len(things))]

    card = one(options["cards"])
    space = one(options["cards"][card])
    tile = one(options["spaces"][str(space)])
    boar = f"~{one(options['boar'][tile])}" if tile in options["boar"] else ""
    stops = ["", *(f"/{stop}" for stop in options["stops"][tile])]
    return f"{card}@{space}-{tile}{boar}{one(stops)}"


async def act(wire: Wire, chance: Stream) -> int:
    """Do what a chair is awaited for, from the view alone; the event that it becomes."""
    may = wire.view["you"]["may"]
    if "ready" in may:
        return await wire.do("ready", nonce=f"{chance.below(1 << 30):016x}")
    if "pick" in may:
        return await wire.do("pick", side=chance.below(2))
    assert "play" in may
    return await wire.do("play", turn=any_turn(wire.view["options"], chance))


async def play(people: list[Wire], watchers: list[Wire], chance: Stream, until: str = "over") -> None:
    """Everyone acts when awaited, until a stage is reached; all hear everything."""
    for wire in (*people, *watchers):
        await wire.hear_until(0)
    while people[0].view["stage"] != until:
        chairs = {wire.view["you"]["chair"]: wire for wire in people}
        awaited = [chair for chair in people[0].view["waiting"] if chair in chairs]
        if awaited:
            await chairs[awaited[0]].hear_until(people[0].view["seq"])
            seq = await act(chairs[awaited[0]], chance)
        else:
            seq = people[0].view["seq"] + 1  # a computer player plays
        for wire in (*people, *watchers):
            await wire.hear_until(seq)


async def a_table(house: House, who: httpx.AsyncClient, sitters: str, **terms: Any) -> Json:
    """A table with chairs for p(eople), o(pen) and c(omputers)."""
    kinds = {
        "p": {"sitter": "person"},
        "o": {"sitter": "open"},
        "c": {"sitter": "computer", "player": "random"},
    }
    chairs = [kinds[sitter] for sitter in sitters]
    answer = await who.post("/api/tables", json={"chairs": chairs, **terms})
    document: Json = answer.json()
    assert answer.status_code == 201, document
    return document


def told(story: Callable[[House], Coroutine[Any, Any, None]], folder: Path, **settings: Any) -> None:
    """Let a story happen in a house of its own."""

    async def whole() -> None:
        async with open_house(folder, **settings) as house:
            await story(house)

    within(whole())


@pytest.mark.parametrize("number", range(len(VARIANTS)), ids=[str(variant.seats) for variant in VARIANTS])
def test_a_whole_game_of_every_variant_is_told_as_described(number: int, tmp_path: Path) -> None:
    """R1: by people, a computer player, and a spectator, from the lobby to the record."""
    told(lambda house: a_whole_game(house, VARIANTS[number], stream(number)), tmp_path)


async def a_whole_game(house: House, variant: Variant, chance: Stream) -> None:
    """Somebody sets a table up, others join, all play, one watches."""
    owner = await house.guest("Ada")
    sitters = "pc" if variant.seats == 2 else "pco" + "o" * (variant.seats - 3)
    made = await a_table(
        house, owner, sitters, edition=variant.edition, expansions=list(variant.expansions), visibility="open"
    )
    table = made["table"]
    joined = [await house.guest(f"Guest {number}") for number in range(sitters.count("o"))]
    for guest in joined:
        assert (await guest.post(f"/api/tables/{table}/seats", json={})).status_code == 201
    people = [await house.socket(guest, table) for guest in (owner, *joined)]
    watchers = [await house.socket(house.client(), table), await house.socket(owner, table, watch=True)]
    await play(people, watchers, chance)
    for wire in (*people, *watchers):
        await check_end(wire, variant, made)
    for who in (owner, *joined, house.client()):
        await look_on(who, table)
    await check_record(owner, table)


async def check_end(wire: Wire, variant: Variant, made: Json) -> None:
    """Everyone has heard of everything, once; and the seed is the one that was promised."""
    view = wire.view
    assert [event["seq"] for event in wire.events] == list(range(view["seq"] + 1))
    turns = [event for event in wire.events if event["type"] == "play"]
    assert len(turns) == variant.turns
    own = [event for event in turns if "draw" in event]
    assert {event["chair"] for event in own} == ({view["you"]["chair"]} - {None})
    assert view["ending"]["manner"] == "played" and view["ending"]["winners"]
    seed = parse_seed(view["ending"]["fair"]["seed"])
    assert commitment(seed, made["table"]) == made["commitment"] == view["commitment"]
    await wire.leave()


async def look_on(who: httpx.AsyncClient, table: str) -> None:
    """The same by HTTP: the view, the events, the lists."""
    view = (await who.get(f"/api/tables/{table}")).json()
    update = (await who.get(f"/api/tables/{table}/events", params={"after": 3})).json()
    assert update["view"] == view and update["events"][0]["seq"] == 4
    await who.get("/api/tables")
    if "authorization" in who.headers:
        mine = (await who.get("/api/me/tables")).json()["tables"]
        assert [listed["table"] for listed in mine] == [table]


async def check_record(who: httpx.AsyncClient, table: str) -> None:
    """The record replays, proves its shuffle, and the server says the same."""
    answer = await who.get(f"/api/tables/{table}/record")
    record = parse_record(answer.content)
    verify(record)
    prove(record)
    checked = (await who.post("/api/records", content=answer.content)).json()
    assert checked == {"turns": len(record.turns), "over": True, "proved": True}


def test_every_event_and_every_command_is_told_as_described(tmp_path: Path) -> None:
    """Chairs are given away and left, turns taken back, people step away, vote, concede and play again."""
    told(a_busy_day, tmp_path)


async def a_busy_day(house: House) -> None:
    """All kinds of commands, each with its event."""
    events = [*await at_a_lively_table(house), *await at_a_small_table(house), *await with_a_clock(house)]
    described = DESCRIPTION["components"]["schemas"]
    kinds = {
        kind
        for name, schema in described.items()
        if name.endswith("Event")
        for kind in schema["properties"]["type"].get("enum", [schema["properties"]["type"].get("const")])
    }
    assert {event["type"] for event in events} == kinds


async def at_a_lively_table(house: House) -> list[Json]:
    """Three people, who come and go, and agree that it leads nowhere; then play again."""
    ada, bob, eve = [await house.guest(name) for name in ("Ada", "Bob", "Eve")]
    made = await a_table(house, ada, "poo", expansions=["rewards"])
    table, key = made["table"], {"x-sanssouci-key": made["join"]}
    watcher = await house.socket(house.client(x_sanssouci_key=made["watch"]), table)
    first = await house.socket(ada, table)
    await first.hear_until(0)
    assert await bob.post(f"/api/tables/{table}/seats", json={"name": "Bert", "chair": 2}, headers=key)
    second = await house.socket(bob, table)
    await second.hear()
    await second.do("ready", nonce="00" * 8)
    await second.do("unready")
    await second.do("rise")
    await first.hear_until(4)
    await first.do("appoint", chair=2, player="random")
    await first.do("wear", chair=2, colour="teal")
    await first.do("appoint", chair=2, player=None)
    for guest in (bob, eve):
        await guest.post(f"/api/tables/{table}/seats", json={}, headers=key)
    people = [first, *[await house.socket(guest, table) for guest in (bob, eve)]]
    await play(people, [watcher], stream(5), until="playing")
    house.chances.at += 200
    awaited = first.view["waiting"][0]
    voters = [wire for wire in people if wire.view["you"]["chair"] != awaited]
    away = next(wire for wire in people if wire.view["you"]["chair"] == awaited)
    await voters[1].do("step_away")
    await voters[1].do("return")
    seq = await voters[0].do("vote", chair=awaited)
    for wire in people:
        await wire.hear_until(seq)
    seq = await away.do("return")
    for wire in (*voters, away):
        await wire.hear_until(seq)
        seq = await wire.do("abandon")
    await watcher.hear_until(seq)
    await first.hear_until(seq)
    assert watcher.view["ending"] == {**first.view["ending"], "manner": "abandoned", "winners": []}
    seq = await first.do("rematch")
    await watcher.hear_until(seq)
    again = (await ada.get(f"/api/tables/{watcher.view['rematch']}")).json()
    assert again["stage"] == "lobby" and again["you"]["chair"] == 0
    return watcher.events


async def at_a_small_table(house: House) -> list[Json]:
    """One person against a computer takes a turn back, and gives up."""
    ada = await house.guest("Ada")
    made = await a_table(house, ada, "pc", first=0)
    wire = await house.socket(ada, made["table"])
    chance = stream(6)
    await play([wire], [], chance, until="playing")
    await act(wire, chance)
    while "take_back" not in wire.view["you"]["may"] or wire.view["waiting"] != [0]:
        await wire.hear()
    await wire.do("take_back")
    await wire.hear()
    assert wire.view["taken_back"] == 1
    await wire.hear_until(await wire.do("concede"))
    assert wire.view["ending"]["manner"] == "conceded"
    return wire.events


async def with_a_clock(house: House) -> list[Json]:
    """A person takes too long; a stand-in plays, and the game goes on without an end."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    made = await a_table(house, ada, "po", clock={"pace": "turn", "amount": 60}, visibility="open")
    await bob.post(f"/api/tables/{made['table']}/seats", json={})
    people = [await house.socket(guest, made["table"]) for guest in (ada, bob)]
    await play(people, [], stream(7), until="playing")
    assert people[0].view["deadline"] == people[0].view["since"] + 60
    house.chances.at += 100
    await house.services.scheduler.sweep()
    while not any(event["type"] == "time_out" for event in people[0].events):
        await people[0].hear()
    return people[0].events


def test_openapi_names_the_messages_of_the_socket() -> None:
    """All that is said there, by either side, is among the schemas, and every reference leads somewhere."""
    schemas, socket = DESCRIPTION["components"]["schemas"], DESCRIPTION["x-socket"]
    said = [reference.rpartition("/")[2] for reference in (*socket["client_says"], *socket["server_says"])]
    assert said == ["Hello", "SocketCommand", "Ping", "Update", "CommandDone", "CommandRefused", "Pong"]
    references = set(references_in(DESCRIPTION))
    assert {f"#/components/schemas/{name}" for name in schemas} >= references
    used = {reference.rpartition("/")[2] for reference in references} | set(said)
    assert set(schemas) == used, "nothing is described that is nowhere used"


def references_in(value: object) -> list[str]:
    """All references of a document."""
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return own + [found for item in value.values() for found in references_in(item)]
    return [found for item in value for found in references_in(item)] if isinstance(value, list) else []


def test_openapi_is_loaded_by_other_programs() -> None:
    """Schemathesis finds every route in it."""
    import schemathesis
    from schemathesis.core.result import Ok

    loaded = schemathesis.openapi.from_dict(DESCRIPTION)
    found = [route.ok() for route in loaded.get_all_operations() if isinstance(route, Ok)]
    assert {(route.method.upper(), route.path) for route in found} == set(OPERATIONS)
    assert len(OPERATIONS) > 20


def test_openapi_is_the_same_every_time() -> None:
    """Word for word; and everything in it is described."""
    import json

    from sanssouci.server import bare_app

    assert json.dumps(bare_app().openapi()) == json.dumps(DESCRIPTION)
    bare = [
        f"{name}.{field}"
        for name, schema in DESCRIPTION["components"]["schemas"].items()
        for field, described in schema.get("properties", {}).items()
        if field not in ("type", "scheme", "format") and not {"description", "$ref"} & set(described)
    ]
    assert bare == []
