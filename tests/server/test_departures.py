"""Those who go: sent away by the owner, risen, or forgotten; and how many chairs one may have."""

import asyncio
from typing import Any

import pytest

from sanssouci.server.socket import SEAT_LOST
from sanssouci.table import table_state

from .house import NONCE, House, Opened, Person, housed


async def _refused(person: Person, table: Opened | str, chair: int | None = None) -> tuple[int, str]:
    """How somebody is told that there is no chair."""
    answer = await person.ask("POST", f"/api/tables/{table}/seats", {"chair": chair})
    return answer.status_code, answer.json()["error"]["code"]


SENT_AWAY = 403, "server.sent_away"
ONE_CHAIR = 409, "server.one_chair"


@housed()
async def test_who_was_sent_away_does_not_sit_down_again(house: House) -> None:
    """Neither at once nor after a restart, by link or at an open table; others do."""
    ada, bob, cid = [await house.guest(name) for name in ("Ada", "Bob", "Cid")]
    for visibility in ("open", "link"):
        table = await ada.open("person", "open", visibility=visibility)
        await bob.key(table.join).join(table)
        await ada.do(table, "appoint", chair=1, player=None)
        assert await _refused(bob.key(table.join), table) == SENT_AWAY
        await house.restart()
        assert await _refused(bob.key(table.join), table, 1) == SENT_AWAY
        await cid.key(table.join).join(table)
        await ada.do(table, "appoint", chair=1, player="random")
        await ada.do(table, "appoint", chair=1, player=None)
        assert await _refused(cid.key(table.join), table) == SENT_AWAY


@housed()
async def test_a_new_join_link_forgives(house: House) -> None:
    """Who was sent away may join again, with the new link; a new watch link changes nothing."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", visibility="open")
    await bob.join(table)
    await ada.do(table, "appoint", chair=1, player=None)
    assert (await ada.ask("POST", f"/api/tables/{table}/links/watch")).status_code == 201
    assert await _refused(bob, table) == SENT_AWAY
    assert (await ada.ask("POST", f"/api/tables/{table}/links/join")).status_code == 201
    await bob.join(table)
    await ada.do(table, "appoint", chair=1, player=None)
    assert await _refused(bob, table) == SENT_AWAY


@housed()
async def test_owners_do_not_send_themselves_away(house: House) -> None:
    """An owner who has opened an own chair sits down there again; so does who has risen."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", visibility="open")
    await ada.do(table, "appoint", chair=0, player=None)
    await ada.join(table, 0)
    await bob.join(table, 1)
    await bob.do(table, "rise")
    await bob.join(table, 1)


@housed()
async def test_a_rematch_remembers_who_was_sent_away(house: House) -> None:
    """The old join link opens it, but not for them."""
    ada, bob, cid = [await house.guest(name) for name in ("Ada", "Bob", "Cid")]
    table = await ada.open("person", "open")
    await bob.key(table.join).join(table)
    await ada.do(table, "appoint", chair=1, player=None)
    await cid.key(table.join).join(table)
    for person in (ada, cid):
        await person.do(table, "ready", nonce=NONCE)
    await ada.do(table, "concede")
    await cid.do(table, "rematch")
    new = (await cid.view(table))["rematch"]
    await cid.do(new, "rise")
    assert await _refused(bob.key(table.join), new) == SENT_AWAY
    await cid.key(table.join).join(new)


@housed()
async def test_a_guest_has_one_chair_at_anothers_table(house: House) -> None:
    """However many are asked for at the same moment; the owner may have all."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("open", "open", "open", "open", visibility="open")
    asked = [bob.ask("POST", f"/api/tables/{table}/seats", {"chair": chair}) for chair in range(3)]
    answers = await asyncio.gather(*asked)
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409]
    assert await _refused(bob, table, 3) == ONE_CHAIR
    await bob.do(table, "rise")
    await bob.join(table, 2)
    for chair in (0, 1, 3):
        await ada.join(table, chair)
    assert {row[1:] for row in house.rows()["holding"] if row[1] != 2} == {
        (chair, _id(house, "Ada")) for chair in (-1, 0, 1, 3)
    }


def _id(house: House, name: str) -> str:
    """A guest as the store knows them."""
    return str(next(row[0] for row in house.rows()["guest"] if row[1] == name))


@housed()
async def test_who_asks_twice_and_is_sent_away_between_stays_away(house: House) -> None:
    """A request that came before waits at the table while the owner sends its guest away."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", "open", visibility="open")
    await bob.join(table, 1)
    live_table = house.services.registry.find_loaded(table.id)
    assert live_table is not None
    async with live_table.lock:
        kick = asyncio.create_task(ada.give(table, "appoint", chair=1, player=None))
        await _waits(live_table.lock, 1)
        again = asyncio.create_task(bob.ask("POST", f"/api/tables/{table}/seats", {"chair": 2}))
        await _waits(live_table.lock, 2)
    assert (await kick).status_code == 200
    assert (await again).json()["error"]["code"] == "server.sent_away"


async def _waits(lock: asyncio.Lock, many: int) -> None:
    """So many wait for a lock."""
    waiters: Any = lock
    while len(waiters._waiters or ()) < many:
        await asyncio.sleep(0.001)


@housed()
async def test_who_rises_leaves_the_others_ready(house: House) -> None:
    """The game starts as soon as the chair is taken by somebody who is ready."""
    ada, bob, cid = [await house.guest(name) for name in ("Ada", "Bob", "Cid")]
    table = await ada.open("person", "open", visibility="open")
    await bob.join(table)
    await ada.do(table, "ready", nonce=NONCE)
    await bob.do(table, "rise")
    assert [chair["ready"] for chair in (await ada.view(table))["chairs"]] == [True, False]
    await cid.join(table)
    assert (await ada.view(table))["stage"] == "lobby"
    await cid.do(table, "ready", nonce=NONCE)
    assert (await ada.view(table))["stage"] == "picking"


@housed()
async def test_the_seat_links_of_a_forgotten_guest_open_nothing(house: House) -> None:
    """In a lobby, in a game and after it, in memory or not; sockets that came by them are closed."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    tables, keys = [], {}
    for commands in ([], ["ready"], ["ready", "concede"]):
        table = await ada.open("person", "open")
        keys[table.id] = (await bob.key(table.join).join(table))["token"]
        for command in commands:
            for person in (ada, bob) if command == "ready" else (ada,):
                await person.do(table, command, **({"nonce": NONCE} if command == "ready" else {}))
        tables.append(table)
    lines = [await house.nobody().key(keys[table.id]).sit(table) for table in tables[:2]]
    own = await ada.sit(tables[1])
    assert (await bob.ask("DELETE", "/api/me")).status_code == 200
    assert [await line.closed() for line in lines] == [SEAT_LOST, SEAT_LOST]
    for table in tables:
        answer = await house.nobody().key(keys[table.id]).ask("GET", f"/api/tables/{table}")
        assert answer.status_code == 404
    await own.until("update")
    assert (await house.nobody().key(tables[1].seats[0]).view(tables[1]))["you"]["chair"] == 0


@housed()
async def test_a_forgotten_guest_leaves_chairs_that_others_can_go_on_with(house: House) -> None:
    """In a lobby the chair is open, and can be taken; in a game a stand-in plays, and the game ends."""
    ada, bob, cid = [await house.guest(name) for name in ("Ada", "Bob", "Cid")]
    lobby = await ada.open("person", "open", visibility="open")
    game = await ada.open("person", "open", visibility="open")
    for table in (lobby, game):
        await bob.join(table)
    await ada.do(lobby, "ready", nonce=NONCE)
    await house.play_out(game, {0: ada, 1: bob}, turns=5)
    assert (await bob.ask("DELETE", "/api/me")).status_code == 200
    chair = (await ada.view(lobby))["chairs"][1]
    assert (chair["sitter"], chair["name"]) == ("open", "")
    await cid.join(lobby)
    await cid.do(lobby, "ready", nonce=NONCE)
    assert (await ada.view(lobby))["stage"] == "picking"
    assert (await ada.view(game))["chairs"][1] | {"seat": 0} == {
        "chair": 1,
        "seat": 0,
        "sitter": "person",
        "name": "Bob",
        "player": None,
        "colour": "blue",
        "ready": True,
        "away": True,
        "conceded": False,
        "votes": [],
    }
    assert (await house.play_out(game, {0: ada}))["ending"]["manner"] == "played"


@housed()
async def test_a_restless_guest_is_forgotten_all_the_same(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who may undo nothing more leaves the chair, and the owner may still give it away."""
    monkeypatch.setattr(table_state, "MAX_UNDONE", 1)
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", visibility="open")
    await bob.join(table)
    await bob.do(table, "ready", nonce=NONCE)
    await bob.do(table, "unready")
    assert (await bob.give(table, "rise")).json()["error"]["code"] == "declined.undone_too_often"
    assert (await bob.ask("DELETE", "/api/me")).status_code == 200
    assert (await ada.view(table))["chairs"][1]["sitter"] == "open"
    await ada.do(table, "appoint", chair=1, player="random")


@housed()
async def test_a_guest_whose_disk_is_full_is_forgotten_later(house: House) -> None:
    """Nothing is half done: who could not be forgotten is still there, and asks again."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", visibility="open")
    await bob.join(table)
    with house.store.broken():
        assert (await bob.ask("DELETE", "/api/me")).status_code == 503
    assert (await bob.view(table))["you"]["chair"] == 1
    assert (await bob.ask("DELETE", "/api/me")).status_code == 200
    assert (await ada.view(table))["chairs"][1]["sitter"] == "open"


@housed()
async def test_an_owner_who_is_forgotten_leaves_the_table_to_the_others(house: House) -> None:
    """Their own chairs are open, the others stay, and whoever has the join link may come."""
    ada, bob, cid = [await house.guest(name) for name in ("Ada", "Bob", "Cid")]
    table = await ada.open("person", "person", "open")
    await bob.key(table.join).join(table)
    assert (await ada.ask("DELETE", "/api/me")).status_code == 200
    sitters = [chair["sitter"] for chair in (await bob.view(table))["chairs"]]
    assert sitters == ["open", "open", "person"]
    await cid.key(table.join).join(table)
    assert (await ada.key(table.seats[1]).ask("GET", f"/api/tables/{table}")).status_code == 404
