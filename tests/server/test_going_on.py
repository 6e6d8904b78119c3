"""Tables that go on from a record, by the protocol: set up, refused, played, read back, checked."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sanssouci.notation import parse_record, verify
from sanssouci.server.features.audit import audit
from sanssouci.store import Store

from ..helpers import stream
from ..workers.pools import within
from .described_house import House as DescribedHouse
from .house import House, Opened, a_house, housed, new_table
from .test_protocol import a_table, play, told

Json = dict[str, Any]
RECORD: Json = json.loads(
    (Path(__file__).parents[1] / "records" / "imperial-rewards-boar-4.json").read_bytes()
)
SEATS = ("person", "random", "random", "random")


def from_record(turn: int = 30, record: Json = RECORD) -> Json:
    """What is said to go on from a record."""
    return {"from": {"record": record, "turn": turn}}


def stopped(turn: int) -> Json:
    """The record, as it would be if the game had stopped after a turn."""
    record: Json = json.loads(json.dumps(RECORD))
    del record["result"]
    return {**record, "turns": record["turns"][:turn]}


def test_a_game_that_goes_on_is_told_as_described(tmp_path: Path) -> None:
    """From its first view to its record, to its player and to a spectator: every answer is as described."""

    async def story(house: DescribedHouse) -> None:
        owner = await house.guest("Ada")
        made = await a_table(house, owner, "cpcc", visibility="open", **from_record(31))
        assert made["commitment"] is None
        people = [await house.socket(owner, made["table"])]
        watchers = [await house.socket(house.client(), made["table"])]
        await play(people, watchers, stream(5))
        for wire in (*people, *watchers):
            assert wire.view["origin"] == {"turn": 31} and wire.view["ending"]["fair"] is None
            assert sum(event["type"] == "play" for event in wire.events) == 72 - 31
        record = (await owner.get(f"/api/tables/{made['table']}/record")).json()
        assert verify(parse_record(json.dumps(record).encode())).over
        assert record["turns"][:31] == RECORD["turns"][:31] and "fair" not in record

    told(story, tmp_path)


@housed()
async def test_such_a_table_survives_a_restart_and_is_sound(house: House) -> None:
    """It is read back from its events; the host's check finds nothing, and something once it was changed."""
    ada = await house.guest()
    table = await ada.open(*SEATS, **from_record())
    before = await house.play_out(table, {0: ada}, turns=3)
    await house.restart()
    assert await ada.view(table) == before
    after = await house.play_out(table, {0: ada})
    assert after["stage"] == "over"
    record = await ada.get(f"/api/tables/{table}/record")
    checked = await ada.ask("POST", "/api/records", record)
    assert checked.json() == {"turns": 72, "over": True, "proved": None}
    game = house.store.game(table.id)
    assert game is not None and audit(house.store, game)[1] == []


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
@housed()
async def test_what_cannot_be_gone_on_from_is_refused(
    house: House, chairs: tuple[str, ...], turn: int, code: str
) -> None:
    """With a sentence, and nothing is kept."""
    ada = await house.guest()
    answer = await ada.ask("POST", "/api/tables", new_table(*chairs, **from_record(turn)))
    assert answer.status_code in (400, 422) and answer.json()["error"]["code"] == code, answer.text
    assert house.rows()["game"] == []


@housed()
async def test_a_record_that_breaks_a_rule_is_refused_with_it(house: House) -> None:
    """As where it is checked: the turn, the rule and the reason; so is a turn that was never played."""
    ada = await house.guest()
    wrong = stopped(4)
    wrong["turns"].append(RECORD["turns"][0])
    answer = await ada.ask("POST", "/api/tables", new_table(*SEATS, **from_record(2, wrong)))
    assert answer.status_code == 422 and answer.json()["error"]["sentence"].startswith("turn 5")
    message = new_table(*SEATS, **from_record(5, stopped(4)))
    late = await ada.ask("POST", "/api/tables", message, accept_language="de")
    assert late.status_code == 422 and "Zug 0 bis 4" in late.json()["error"]["sentence"]


@housed()
async def test_nobody_joins_such_a_table(house: House) -> None:
    """Who has its links watches; there is no chair to take."""
    ada, bob = await house.guest(), await house.guest("Bob")
    table = await ada.open(*SEATS, **from_record())
    refused = await bob.key(table.join).ask("POST", f"/api/tables/{table}/seats", {})
    assert refused.json()["error"]["code"] == "declined.not_in_lobby"
    seen = await bob.key(table.watch).view(table)
    assert seen["game"]["hand"] == [] and seen["game"]["missions"] == [None] * 4


def swapped() -> Json:
    """The record, with two cards changed that nobody has drawn yet, and two tiles."""
    other = stopped(30)
    deck, tiles = other["setup"]["decks"][2], list(other["setup"]["tiles"])
    deck[16], deck[17] = deck[17], deck[16]
    at = next(place for place in range(len(tiles) - 2, 0, -1) if tiles[place] != tiles[-1])
    tiles[at], tiles[-1] = tiles[-1], tiles[at]
    other["setup"]["tiles"] = "".join(tiles)
    return other


async def all_that_is_seen(house: House, record: Json) -> list[bytes]:
    """Everything that the player and a watcher are answered, while a game goes on from a record."""
    ada, bob = await house.guest(), await house.guest("Bob")
    table = await ada.open(*SEATS, **from_record(30, record))
    return [answer for _ in range(4) for answer in await a_step(house, table, ada, bob.key(table.watch))]


async def a_step(house: House, table: Opened, player: Any, watcher: Any) -> list[bytes]:
    """One turn of the player, then what both can ask for."""
    await house.play_out(table, {0: player}, turns=1)
    paths = (f"/api/tables/{table}", f"/api/tables/{table}/events", f"/api/tables/{table}/record")
    answers = [await who.ask("GET", path) for path in paths for who in (player, watcher)]
    lists = [await player.ask("GET", path) for path in ("/api/me/tables", "/api/tables")]
    return [answer.content for answer in (*answers, *lists)]


def test_what_the_record_hides_stays_hidden(tmp_path: Path) -> None:
    """Two games from records that differ only in what is still face down are answered with the same bytes."""

    async def seen_in(folder: str, record: Json) -> list[bytes]:
        (tmp_path / folder).mkdir()
        async with a_house(tmp_path / folder) as house:
            return await all_that_is_seen(house, record)

    async def both() -> None:
        one, two = await seen_in("one", stopped(30)), await seen_in("other", swapped())
        assert len(one) == 4 * 8 and one == two

    within(both())


def test_a_data_file_that_was_changed_is_found(tmp_path: Path) -> None:
    """A card of the record that is drawn later: the audit names the event that does not follow."""
    opened: list[Opened] = []

    async def story() -> None:
        async with a_house(tmp_path) as house:
            ada = await house.guest()
            opened.append(await ada.open(*SEATS, **from_record(60)))
            await house.play_out(opened[0], {0: ada})

    within(story())
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
