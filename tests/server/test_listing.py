"""Lists of tables: open and running ones, and a guest's own."""

from itertools import chain
from urllib.parse import urlencode

import pytest

from sanssouci.server.routes import guests, tables

from ..harness.builders import NONCE
from ..harness.client import Client
from ..harness.server import InProcessServer, with_server


@with_server()
async def test_open_tables_are_listed_newest_first(server: InProcessServer) -> None:
    """Public tables in the lobby are listed; tables by link and started games are not."""
    ada = await server.guest("Ada")
    tables = []
    for _ in range(3):
        server.clock.advance(1)
        tables.append((await ada.create_table("person", "open", visibility="open")).id)
    await ada.create_table("person", "open", visibility="link")
    begun = await ada.create_table("person", "random", visibility="open")
    await ada.do(begun, "ready", nonce=NONCE)
    listed = (await server.client().get("/api/tables"))["tables"]
    assert [table["table"] for table in listed] == tables[::-1]
    assert listed[0]["chairs"] == [
        {"sitter": "person", "name": "Ada", "player": None, "away": False},
        {"sitter": "open", "name": "", "player": None, "away": False},
    ]
    assert not {"hand", "seed", "token", "nonce"} & set(str(listed).split("'"))


@with_server()
async def test_a_full_table_is_not_listed(server: InProcessServer) -> None:
    """A table without an open chair is not listed until a chair is free again."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    table = await ada.create_table("person", "open", visibility="open")
    await ada.create_table("person", "random", visibility="open")

    async def listed() -> list[str]:
        return [entry["table"] for entry in (await bob.get("/api/tables"))["tables"]]

    assert await listed() == [table.id]
    await bob.join(table)
    assert await listed() == []
    await bob.do(table, "rise")
    assert await listed() == [table.id]


@with_server()
async def test_running_games_are_listed_for_spectators(server: InProcessServer) -> None:
    """Public games are listed from start to end, without secrets."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "random", visibility="open", first=0)
    secret = await ada.create_table("person", "random", first=0)
    lobby = await ada.create_table("person", "open", visibility="open")

    async def listed() -> list[str]:
        found = (await server.client().get("/api/tables?begun=true"))["tables"]
        assert not {"hand", "seed", "token", "nonce"} & set(str(found).split("'"))
        return [entry["table"] for entry in found]

    assert await listed() == []
    for started in (table, secret):
        await server.play_out(started, {0: ada}, commands=1)
    assert await listed() == [table.id]
    assert (await server.client().get("/api/tables"))["tables"][0]["table"] == lobby.id
    await ada.do(table, "concede")
    assert await listed() == []


async def _pages(person: Client, path: str) -> list[list[str]]:
    """The tables on all pages of a list."""
    pages, query = [], ""
    while True:
        page = await person.get(path + query)
        pages.append([table["table"] for table in page["tables"]])
        if page["next"] is None:
            return pages
        query = "?" + urlencode({"after": page["next"]})


@with_server()
async def test_lists_have_pages(server: InProcessServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each table is on exactly one page, and a full last page has no successor."""
    monkeypatch.setattr(tables, "MAX_LISTED", 2)
    monkeypatch.setattr(guests, "MAX_OWN_TABLES", 3)
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    made = [(await ada.create_table("person", "open", visibility="open")).id for _ in range(6)]
    theirs = [(await bob.create_table("person", other)).id for other in ("open", "open", *["random"] * 4)]
    listed = await _pages(server.client(), "/api/tables")
    assert [len(page) for page in listed] == [2, 2, 2] and sorted(chain(*listed)) == sorted(made)
    own = await _pages(bob, "/api/me/tables")
    assert [len(page) for page in own] == [3, 3] and sorted(chain(*own)) == sorted(theirs)
    assert set(own[1][1:]) == set(theirs[:2]), "tables that do not await the guest come last"


@pytest.mark.parametrize("after", ["", "x", "0x1.0p+0", "0x1.0p+999~0123456789abcdef", "1~1~1"])
@with_server()
async def test_an_invalid_page_cursor_is_refused(server: InProcessServer, after: str) -> None:
    """A malformed cursor is a 400 in both lists."""
    ada = await server.guest("Ada")
    for path in ("/api/tables", "/api/me/tables"):
        refused = await ada.request("GET", f"{path}?{urlencode({'after': after})}")
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, "server.malformed")


@with_server()
async def test_own_tables_that_await_the_guest_come_first(server: InProcessServer) -> None:
    """Tables where it is the guest's turn come first, then by last update.

    A lobby with an open chair does not await the guest.
    """
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    waiting = await ada.create_table("person", "random")
    server.clock.advance(1)
    ready = await ada.create_table("person", "open")
    await ada.do(ready, "ready", nonce=NONCE)
    server.clock.advance(1)
    later = await ada.create_table("person", "random")
    server.clock.advance(1)
    unready = await ada.create_table("person", "open")
    server.clock.advance(1)
    owned = await ada.create_table("open", "open", visibility="open")
    await bob.join(owned)
    own = (await ada.get("/api/me/tables"))["tables"]
    assert [(table["table"], table["your_turn"], table["your_chairs"], table["owner"]) for table in own] == [
        (later.id, True, [0], True),
        (waiting.id, True, [0], True),
        (owned.id, False, [], True),
        (unready.id, False, [0], True),
        (ready.id, False, [0], True),
    ]
    theirs = (await bob.get("/api/me/tables"))["tables"]
    assert [(table["table"], table["your_turn"], table["owner"]) for table in theirs] == [
        (owned.id, False, False)
    ]
    pages = chain.from_iterable(await _pages(ada, "/api/me/tables"))
    assert list(pages) == [table["table"] for table in own]


@with_server()
async def test_a_list_shows_the_state_of_the_game(server: InProcessServer) -> None:
    """A list shows stage, round, whose turn it is, and the end of the game."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "random", first=0)
    await server.play_out(table, {0: ada}, commands=3)
    entry = (await ada.get("/api/me/tables"))["tables"][0]
    assert (entry["stage"], entry["round"], entry["your_turn"]) == ("playing", 2, True)
    await ada.do(table, "concede")
    entry = (await ada.get("/api/me/tables"))["tables"][0]
    assert (entry["stage"], entry["your_turn"]) == ("over", False)


@with_server()
async def test_a_list_shows_the_deadline(server: InProcessServer) -> None:
    """A list shows the deadline; after a timeout it shows the player as away and no deadline."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "random", first=0, clock={"pace": "days", "amount": 2})
    await server.play_out(table, {0: ada}, commands=3)
    entry = (await ada.get("/api/me/tables"))["tables"][0]
    assert (entry["deadline"], entry["your_turn"]) == (server.clock.now + 2 * 86400, True)
    server.clock.advance(2 * 86400)
    await server.sweep()
    entry = (await ada.get("/api/me/tables"))["tables"][0]
    assert [chair["away"] for chair in entry["chairs"]] == [True, False]
    assert (entry["deadline"], entry["your_turn"]) == (None, False)
