"""Lists of tables: those that anyone may join, and one's own."""

from itertools import chain
from urllib.parse import urlencode

import pytest

from sanssouci.server.routes import guests, tables

from .house import NONCE, House, Person, housed


@housed()
async def test_open_tables_are_listed_the_newest_first(house: House) -> None:
    """Those that wait for people and are open to all; a table by link is nowhere, nor one that has begun."""
    ada = await house.guest("Ada")
    tables = []
    for _ in range(3):
        house.world.advance(1)
        tables.append((await ada.open("person", "open", visibility="open")).id)
    await ada.open("person", "open", visibility="link")
    begun = await ada.open("person", "random", visibility="open")
    await ada.do(begun, "ready", nonce=NONCE)
    listed = (await house.nobody().get("/api/tables"))["tables"]
    assert [table["table"] for table in listed] == tables[::-1]
    assert listed[0]["chairs"] == [
        {"sitter": "person", "name": "Ada", "player": None, "away": False},
        {"sitter": "open", "name": "", "player": None, "away": False},
    ]
    assert not {"hand", "seed", "token", "nonce"} & set(str(listed).split("'"))


@housed()
async def test_a_table_without_an_open_chair_is_not_looked_for(house: House) -> None:
    """As long as there is none: when somebody rises it is listed again."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", visibility="open")
    await ada.open("person", "random", visibility="open")

    async def listed() -> list[str]:
        return [entry["table"] for entry in (await bob.get("/api/tables"))["tables"]]

    assert await listed() == [table.id]
    await bob.join(table)
    assert await listed() == []
    await bob.do(table, "rise")
    assert await listed() == [table.id]


@housed()
async def test_a_game_that_goes_on_is_listed_for_those_who_watch(house: House) -> None:
    """If it is open to all, from its beginning to its end; nothing is told of it but who plays."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "random", visibility="open", first=0)
    secret = await ada.open("person", "random", first=0)
    lobby = await ada.open("person", "open", visibility="open")

    async def listed() -> list[str]:
        found = (await house.nobody().get("/api/tables?begun=true"))["tables"]
        assert not {"hand", "seed", "token", "nonce"} & set(str(found).split("'"))
        return [entry["table"] for entry in found]

    assert await listed() == []
    for one in (table, secret):
        await house.play_out(one, {0: ada}, turns=1)
    assert await listed() == [table.id]
    assert (await house.nobody().get("/api/tables"))["tables"][0]["table"] == lobby.id
    await ada.do(table, "concede")
    assert await listed() == []


async def _pages(person: Person, path: str) -> list[list[str]]:
    """The tables on all pages of a list."""
    pages, query = [], ""
    while True:
        page = await person.get(path + query)
        pages.append([table["table"] for table in page["tables"]])
        if page["next"] is None:
            return pages
        query = "?" + urlencode({"after": page["next"]})


@housed()
async def test_lists_have_pages(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every table stands on one of them, those of the same moment too; a full last page is the last."""
    monkeypatch.setattr(tables, "MAX_LISTED", 2)
    monkeypatch.setattr(guests, "MAX_OWN_TABLES", 3)
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    made = [(await ada.open("person", "open", visibility="open")).id for _ in range(6)]
    theirs = [(await bob.open("person", other)).id for other in ("open", "open", *["random"] * 4)]
    listed = await _pages(house.nobody(), "/api/tables")
    assert [len(page) for page in listed] == [2, 2, 2] and sorted(chain(*listed)) == sorted(made)
    own = await _pages(bob, "/api/me/tables")
    assert [len(page) for page in own] == [3, 3] and sorted(chain(*own)) == sorted(theirs)
    assert set(own[1][1:]) == set(theirs[:2]), "those that do not wait come last"


@pytest.mark.parametrize("after", ["", "x", "0x1.0p+0", "0x1.0p+999~0123456789abcdef", "1~1~1"])
@housed()
async def test_what_is_no_page_is_refused(house: House, after: str) -> None:
    """By its form, in both lists."""
    ada = await house.guest("Ada")
    for path in ("/api/tables", "/api/me/tables"):
        refused = await ada.ask("GET", f"{path}?{urlencode({'after': after})}")
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, "server.malformed")


@housed()
async def test_ones_own_tables_begin_with_those_that_wait(house: House) -> None:
    """First where it is one's turn, then where it is not; of each the one that moved last.

    A lobby with an open chair waits for others.
    """
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    waiting = await ada.open("person", "random")
    house.world.advance(1)
    ready = await ada.open("person", "open")
    await ada.do(ready, "ready", nonce=NONCE)
    house.world.advance(1)
    later = await ada.open("person", "random")
    house.world.advance(1)
    unready = await ada.open("person", "open")
    house.world.advance(1)
    owned = await ada.open("open", "open", visibility="open")
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


@housed()
async def test_a_list_follows_the_game(house: House) -> None:
    """Whose turn it is, in which round, and that it is over."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "random", first=0)
    await house.play_out(table, {0: ada}, turns=3)
    entry = (await ada.get("/api/me/tables"))["tables"][0]
    assert (entry["stage"], entry["round"], entry["your_turn"]) == ("playing", 2, True)
    await ada.do(table, "concede")
    entry = (await ada.get("/api/me/tables"))["tables"][0]
    assert (entry["stage"], entry["your_turn"]) == ("over", False)


@housed()
async def test_a_list_says_when_the_clock_runs_out(house: House) -> None:
    """While people are awaited; then that a stand-in plays for them, and nobody is called."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "random", first=0, clock={"pace": "days", "amount": 2})
    await house.play_out(table, {0: ada}, turns=3)
    entry = (await ada.get("/api/me/tables"))["tables"][0]
    assert (entry["deadline"], entry["your_turn"]) == (house.world.now + 2 * 86400, True)
    house.world.advance(2 * 86400)
    await house.attend()
    entry = (await ada.get("/api/me/tables"))["tables"][0]
    assert [chair["away"] for chair in entry["chairs"]] == [True, False]
    assert (entry["deadline"], entry["your_turn"]) == (None, False)
