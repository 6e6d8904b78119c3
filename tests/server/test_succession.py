"""When an owner is forgotten: somebody else owns the table, or it is closed; a rematch has no ghosts."""

from sanssouci.server.features.audit import audit_parcel

from .house import NONCE, House, Person, housed


async def _forgotten(person: Person) -> None:
    assert (await person.ask("DELETE", "/api/me")).status_code == 200


def _faults(house: House) -> list[object]:
    """What the host's check would say of all games."""
    games = [house.store.game(row[0]) for row in house.rows()["game"]]
    return [
        fault
        for game in games
        if game is not None
        for fault in audit_parcel(house.store.checked_game_export(game))
    ]


@housed()
async def test_a_lobby_goes_to_the_next_in_the_order_of_the_chairs(house: House) -> None:
    """Who hears of it at once on an open socket, and arranges the table by it; it is that one's own."""
    ada, bob, cid = [await house.guest(name) for name in ("Ada", "Bob", "Cid")]
    table = await ada.open("open", "person", "open", visibility="open")
    await cid.join(table, 2)
    await bob.join(table, 0)
    line, other = await bob.sit(table), await cid.sit(table)
    assert not (await line.next())["view"]["you"]["owner"]
    await _forgotten(ada)
    update = await line.until("update")
    while not update["view"]["you"]["owner"]:
        update = await line.until("update")
    assert update["events"] == [] and "appoint" in update["view"]["you"]["may"]
    await line.command("appoint", update["seq"], chair=1, player="random")
    assert (await line.until("done"))["seq"] == update["seq"] + 1
    assert not (await cid.view(table))["you"]["owner"]
    assert (await bob.get("/api/me/tables"))["tables"][0]["owner"]
    assert (await bob.ask("POST", f"/api/tables/{table}/links/join")).status_code == 201
    assert house.services.registry.live_tables()[0].owner != "" and not _faults(house)
    await other.hang_up()
    await house.restart()
    assert (await bob.view(table))["you"]["owner"]


@housed()
async def test_a_lobby_in_which_nobody_is_left_is_closed(house: House) -> None:
    """It stands in no list any more; another's does."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    alone = await ada.open("person", "open", "random", visibility="open")
    other = await bob.open("open", "open", visibility="open")
    await _forgotten(ada)
    assert (await house.nobody().view(alone))["ending"]["manner"] == "abandoned"
    assert [table["table"] for table in (await house.nobody().get("/api/tables"))["tables"]] == [other.id]
    assert not _faults(house)


@housed()
async def test_a_game_goes_to_another_and_is_played_again(house: House) -> None:
    """The rematch has an owner, and an open chair where the one was who is gone; it can be played."""
    ada, bob, cid = [await house.guest(name) for name in ("Ada", "Bob", "Cid")]
    table = await ada.open("person", "open", visibility="open")
    await bob.join(table)
    await house.play_out(table, {0: ada, 1: bob}, turns=6)
    await _forgotten(ada)
    assert (await bob.view(table))["you"]["owner"]
    await bob.do(table, "concede")
    await bob.do(table, "rematch")
    again = (await bob.view(table))["rematch"]
    view = await bob.view(again)
    assert [chair["sitter"] for chair in view["chairs"]] == ["open", "person"]
    assert (view["you"]["chair"], view["you"]["owner"]) == (1, True)
    await cid.join(again)
    for person in (bob, cid):
        await person.do(again, "ready", nonce=NONCE)
    assert (await bob.view(again))["stage"] == "picking" and not _faults(house)


@housed()
async def test_who_is_forgotten_after_the_game_leaves_no_ghost_in_the_rematch(house: House) -> None:
    """Neither as the owner nor on a chair."""
    ada, bob, cid = [await house.guest(name) for name in ("Ada", "Bob", "Cid")]
    table = await ada.open("person", "open", "open", visibility="open")
    await bob.join(table)
    await cid.join(table)
    for person in (ada, bob, cid):
        await person.do(table, "ready", nonce=NONCE)
    for person in (ada, bob):
        await house.quiet()
        await person.do(table, "concede")
    await _forgotten(ada)
    await bob.do(table, "rematch")
    view = await cid.view((await bob.view(table))["rematch"])
    assert [chair["sitter"] for chair in view["chairs"]] == ["open", "person", "person"]
    assert not view["you"]["owner"] and (await bob.view(view["table"]))["you"]["owner"]
    assert not _faults(house)
