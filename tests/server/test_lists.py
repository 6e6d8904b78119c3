"""Lists of tables: those that anyone may join, and one's own."""

from .house import NONCE, House, housed


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
        {"sitter": "person", "name": "Ada", "player": None},
        {"sitter": "open", "name": "", "player": None},
    ]
    assert not {"hand", "seed", "token", "nonce"} & set(str(listed).split("'"))


@housed()
async def test_ones_own_tables_begin_with_those_that_wait(house: House) -> None:
    """First where it is one's turn, then where it is not; of each the one that moved last."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    waiting = await ada.open("person", "open")
    house.world.advance(1)
    ready = await ada.open("person", "open")
    await ada.do(ready, "ready", nonce=NONCE)
    house.world.advance(1)
    later = await ada.open("person", "open")
    house.world.advance(1)
    owned = await ada.open("open", "open", visibility="open")
    await bob.join(owned)
    own = (await ada.get("/api/me/tables"))["tables"]
    assert [(table["table"], table["your_turn"], table["your_chairs"], table["owner"]) for table in own] == [
        (later.id, True, [0], True),
        (waiting.id, True, [0], True),
        (owned.id, False, [], True),
        (ready.id, False, [0], True),
    ]
    theirs = (await bob.get("/api/me/tables"))["tables"]
    assert [(table["table"], table["your_turn"], table["owner"]) for table in theirs] == [
        (owned.id, True, False)
    ]


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
