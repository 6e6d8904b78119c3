"""Tables that continue from a record: created, refused, played, reloaded and audited."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sanssouci.notation import parse_record, verify
from sanssouci.server.ops.audit import audit
from sanssouci.store import Store

from ..harness.builders import new_table
from ..harness.client import CreatedTable
from ..harness.server import InProcessServer, running_server, with_server
from ..helpers import stream
from ..workers.pools import run_with_timeout
from .test_protocol import play

Json = dict[str, Any]
RECORD: Json = json.loads(
    (Path(__file__).parents[1] / "records" / "imperial-rewards-boar-4.json").read_bytes()
)
SEATS = ("person", "random", "random", "random")


def from_record(turn: int = 30, record: Json = RECORD) -> Json:
    """The setting that continues a game from a record."""
    return {"from": {"record": record, "turn": turn}}


def truncated_record(turn: int) -> Json:
    """The record as if the game had stopped after a turn."""
    record: Json = json.loads(json.dumps(RECORD))
    del record["result"]
    return {**record, "turns": record["turns"][:turn]}


@with_server(described=True)
async def test_a_continued_game_matches_the_description(server: InProcessServer) -> None:
    """All messages of a continued game, to a player and a spectator, match the API description."""
    owner = await server.guest("Ada")
    chairs = ("random", "person", "random", "random")
    table = await owner.create_table(*chairs, visibility="open", **from_record(31))
    assert table.commitment is None
    player, watcher = [await client.connect(table) for client in (owner, server.client())]
    await play([player], [watcher], stream(5))
    for socket in (player, watcher):
        assert socket.view["origin"] == {"turn": 31} and socket.view["ending"]["fair"] is None
        assert sum(event["type"] == "play" for event in socket.events) == 72 - 31
    record = await owner.get(f"/api/tables/{table}/record")
    assert verify(parse_record(json.dumps(record).encode())).over
    assert record["turns"][:31] == RECORD["turns"][:31] and "fair" not in record


@with_server()
async def test_a_continued_game_survives_a_restart(server: InProcessServer) -> None:
    """A continued game is restored from its events, can be finished, and passes the audit."""
    ada = await server.guest()
    table = await ada.create_table(*SEATS, **from_record())
    before = await server.play_out(table, {0: ada}, commands=3)
    await server.restart()
    assert await ada.view(table) == before
    after = await server.play_out(table, {0: ada})
    assert after["stage"] == "over"
    record = await ada.get(f"/api/tables/{table}/record")
    checked = await ada.request("POST", "/api/records", record)
    assert checked.json() == {"turns": 72, "over": True, "proved": None}
    game = server.store.game(table.id)
    assert game is not None and audit(server.store, game)[1] == []


@pytest.mark.parametrize(
    ("chairs", "turn", "code"),
    [
        (SEATS, 72, "server.malformed"),
        (SEATS, -1, "server.malformed"),
        (("person", "person", "random", "random"), 30, "terms.origin_chairs"),
        (("person", "open", "random", "random"), 30, "terms.origin_chairs"),
        (("person", "random"), 30, "terms.origin_chairs"),
    ],
)
@with_server()
async def test_invalid_continuations_are_refused(
    server: InProcessServer, chairs: tuple[str, ...], turn: int, code: str
) -> None:
    """A turn or chairs that do not fit the record are refused, and nothing is stored."""
    ada = await server.guest()
    answer = await ada.request("POST", "/api/tables", new_table(*chairs, **from_record(turn)))
    assert answer.status_code in (400, 422) and answer.json()["error"]["code"] == code, answer.text
    assert server.rows()["game"] == []


@with_server()
async def test_a_continued_record_must_be_legal(server: InProcessServer) -> None:
    """An illegal turn and a turn beyond the end of the record are refused with a message."""
    ada = await server.guest()
    wrong = truncated_record(4)
    wrong["turns"].append(RECORD["turns"][0])
    answer = await ada.request("POST", "/api/tables", new_table(*SEATS, **from_record(2, wrong)))
    assert answer.status_code == 422 and answer.json()["error"]["sentence"].startswith("turn 5")
    message = new_table(*SEATS, **from_record(5, truncated_record(4)))
    late = await ada.request("POST", "/api/tables", message, accept_language="de")
    assert late.status_code == 422 and "Zug 0 bis 4" in late.json()["error"]["sentence"]


@with_server()
async def test_a_continued_game_cannot_be_joined(server: InProcessServer) -> None:
    """Nobody can join a continued game; the watch link shows it without hidden information."""
    ada, bob = await server.guest(), await server.guest("Bob")
    table = await ada.create_table(*SEATS, **from_record())
    refused = await bob.with_key(table.join).request("POST", f"/api/tables/{table}/seats", {})
    assert refused.json()["error"]["code"] == "declined.not_in_lobby"
    seen = await bob.with_key(table.watch).view(table)
    assert seen["game"]["hand"] == [] and seen["game"]["missions"] == [None] * 4


def with_other_hidden_cards() -> Json:
    """The record with other cards and tiles where they are still hidden."""
    other = truncated_record(30)
    deck, tiles = other["setup"]["decks"][2], list(other["setup"]["tiles"])
    deck[16], deck[17] = deck[17], deck[16]
    at = next(place for place in range(len(tiles) - 2, 0, -1) if tiles[place] != tiles[-1])
    tiles[at], tiles[-1] = tiles[-1], tiles[at]
    other["setup"]["tiles"] = "".join(tiles)
    return other


async def play_and_read(server: InProcessServer, record: Json) -> list[bytes]:
    """All responses to the player and a spectator while a continued game is played."""
    ada, bob = await server.guest(), await server.guest("Bob")
    table = await ada.create_table(*SEATS, **from_record(30, record))
    return [
        answer
        for _ in range(4)
        for answer in await step_and_read(server, table, ada, bob.with_key(table.watch))
    ]


async def step_and_read(
    server: InProcessServer, table: CreatedTable, player: Any, watcher: Any
) -> list[bytes]:
    """Play one turn, then read everything as player and as spectator."""
    await server.play_out(table, {0: player}, commands=1)
    paths = (f"/api/tables/{table}", f"/api/tables/{table}/events", f"/api/tables/{table}/record")
    answers = [await client.request("GET", path) for path in paths for client in (player, watcher)]
    lists = [await player.request("GET", path) for path in ("/api/me/tables", "/api/tables")]
    return [answer.content for answer in (*answers, *lists)]


def test_hidden_information_of_the_record_stays_hidden(tmp_path: Path) -> None:
    """Records that differ only in hidden cards and tiles give the same bytes."""

    async def responses_in(folder: str, record: Json) -> list[bytes]:
        (tmp_path / folder).mkdir()
        async with running_server(tmp_path / folder) as server:
            return await play_and_read(server, record)

    async def both() -> None:
        one, two = (
            await responses_in("one", truncated_record(30)),
            await responses_in("other", with_other_hidden_cards()),
        )
        assert len(one) == 4 * 8 and one == two

    run_with_timeout(both())


def test_a_changed_origin_is_found_by_the_audit(tmp_path: Path) -> None:
    """The audit finds a changed card in the record from which a game continues."""
    opened: list[CreatedTable] = []

    async def scenario() -> None:
        async with running_server(tmp_path) as server:
            ada = await server.guest()
            opened.append(await ada.create_table(*SEATS, **from_record(60)))
            await server.play_out(opened[0], {0: ada})

    run_with_timeout(scenario())
    with closing(sqlite3.connect(tmp_path / "tables.db")) as file, file:
        ((body,),) = file.execute("SELECT body FROM event WHERE seq = 0").fetchall()
        document = json.loads(body)
        deck = document["command"]["origin"]["setup"]["decks"][1]
        deck[16], deck[17] = deck[17], deck[16]
        file.execute("UPDATE event SET body = ? WHERE seq = 0", (json.dumps(document),))
    with Store.open(tmp_path / "tables.db") as store:
        game = store.game(opened[0].id)
        assert game is not None
        keys = {fault.reason.key for fault in audit(store, game)[1]}
    assert keys == {"audit.chain", "table.not_from_record"}
