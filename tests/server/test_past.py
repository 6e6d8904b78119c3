"""Looking back at a game that is played: by request, from each place, as it was told there."""

from sanssouci.server.limits.rate_limits import read_rates

from .house import House, Json, Person, housed


async def _past(person: Person, table: object, turn: int | str, chair: int | None = None) -> tuple[int, Json]:
    query = "" if chair is None else f"?chair={chair}"
    answer = await person.ask("GET", f"/api/tables/{table}/past/{turn}{query}")
    return answer.status_code, answer.json()


@housed()
async def test_everyone_looks_back_at_what_they_were_told(house: House) -> None:
    """Two seats by socket or link and a watcher, after each of some turns; a stranger finds no table."""
    ada, bob, eve = [await house.guest(name) for name in ("Ada", "Bob", "Eve")]
    table = await ada.open("person", "open")
    await bob.key(table.join).join(table)
    watcher = house.nobody().key(table.watch)
    people = {0: ada, 1: bob}
    course = []
    for commands in (4, 1, 1, 1):  # at first all are ready and pick
        await house.play_out(table.id, people, turns=commands)
        course.append([(await one.view(table))["game"] for one in (ada, bob, watcher)])
    for turn, told in enumerate(course):
        for one, game in zip((ada, bob, watcher), told, strict=True):
            assert await _past(one, table, turn) == (200, {"turn": turn, "last": 3, "game": game})
    hands = [game["hand"] for game in course[1]]
    assert hands[0] and hands[1] and hands[0] != hands[1] and hands[2] == []
    assert (await _past(bob, table, 1, chair=0))[1].get("game", {}).get("hand", []) == [], "not another's"
    assert (await _past(eve, table, 1))[0] == 404
    status, said = await _past(ada, table, 4)
    assert (status, said["error"]["code"]) == (422, "declined.no_such_turn")
    for bad in ("-1", "73", "x", "1.5"):
        assert (await _past(ada, table, bad))[0] == 400


@housed(rates=read_rates("read=3/minute"))
async def test_looking_back_counts_as_looking(house: House) -> None:
    """Who does it too often has to wait."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    assert [(await _past(ada, table, 0))[0] for _ in range(4)] == [422, 422, 422, 429]
