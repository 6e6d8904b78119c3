"""A guest's statistics: what came of each game, counted once, for its guest alone, and gone when deleted."""

from sanssouci.server.tables.live_table import OWNER
from sanssouci.store import PlayedRow

from .house import NONCE, House, Json, Opened, Person, housed


async def _finished(house: House, *people: Person, **terms: object) -> tuple[Opened, Json]:
    """A game of these people, one of them against a computer, and how it looks at its end."""
    table = await people[0].open("person", *["open"] * (len(people) - 1) or ["random"], **terms)
    for person in people[1:]:
        await person.key(table.join).join(table)
    for chair, person in enumerate(people):
        await person.do(table, "ready", at=chair, nonce=NONCE)
    return table, await house.play_out(table, dict(enumerate(people)))


async def _statistics(person: Person) -> Json:
    return await person.get("/api/me/statistics")


@housed()
async def test_a_game_counts_when_it_is_over(house: House) -> None:
    """With points by part, winners and opponents as the table shows them, and the garden of the best."""
    ada = await house.guest("Ada")
    assert await _statistics(ada) == {"games": [], "best": None}
    table, view = await _finished(house, ada, expansions=["rewards"])
    found = await _statistics(ada)
    (game,) = found["games"]
    seat = view["chairs"][0]["seat"]
    assert game["table"] == table.id and game["seat"] == seat and game["expansions"] == ["rewards"]
    assert game["score"] == view["game"]["scores"][seat]
    assert [one["total"] for one in game["seats"]] == [score["total"] for score in view["game"]["scores"]]
    assert [one["player"] for one in game["seats"]] == [None, "random"][:: -1 if seat else 1]
    assert game["winners"] == view["ending"]["winners"] and game["manner"] == "played"
    assert found["best"] == {"table": table.id, "garden": view["game"]["gardens"][seat]}
    await house.restart()
    assert await _statistics(ada) == found


@housed()
async def test_everyone_has_their_own(house: House) -> None:
    """Each sees the game from the own seat; who was not there has none of it."""
    ada, bob, eve = [await house.guest(name) for name in ("Ada", "Bob", "Eve")]
    _, view = await _finished(house, ada, bob)
    seats = [(await _statistics(person))["games"][0]["seat"] for person in (ada, bob)]
    assert seats == [chair["seat"] for chair in view["chairs"]]
    assert (await _statistics(eve))["games"] == []


@housed()
async def test_at_one_screen_nobody_is_counted(house: House) -> None:
    """A guest who holds two chairs may be either of them."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "person")
    for chair in (0, 1):
        await ada.do(table, "ready", at=chair, nonce=NONCE)
    view = await house.play_out(table, {0: ada, 1: ada})
    assert view["ending"] is not None and (await _statistics(ada))["games"] == []


@housed()
async def test_a_game_that_was_given_up_is_no_best_one(house: House) -> None:
    """It counts as a game that the computer has won; one without a result does not count at all."""
    ada = await house.guest("Ada")
    for command, counted in (("concede", 1), ("abandon", 1)):
        table = await ada.open("person", "random")
        await ada.do(table, "ready", nonce=NONCE)
        await house.play_out(table, {0: ada}, turns=4)
        await ada.do(table, command)
        found = await _statistics(ada)
        assert len(found["games"]) == counted and found["best"] is None
    (game,) = found["games"]
    assert game["conceded"] and game["manner"] == "conceded" and game["seat"] not in game["winners"]


@housed()
async def test_a_table_counts_once(house: House) -> None:
    """A rematch that is set up afterwards is another game, and not over."""
    ada = await house.guest("Ada")
    table, _ = await _finished(house, ada)
    await ada.do(table, "rematch")
    assert len((await _statistics(ada))["games"]) == 1


@housed()
async def test_deleted_means_deleted(house: House) -> None:
    """Nothing of it is in the file any more, nor of a guest who is forgotten; others keep theirs."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table, _ = await _finished(house, ada, bob)
    bodies = {row.body.encode() for row in _kept(house, table)}
    assert len(bodies) == 2 and all(body in on_disk(house) for body in bodies)
    assert (await ada.ask("DELETE", "/api/me/statistics")).json() == {"deleted": True}
    assert await _statistics(ada) == {"games": [], "best": None}
    (bobs,) = [row.body.encode() for row in _kept(house, table)]
    assert {body for body in bodies if body in on_disk(house)} == {bobs}
    await bob.ask("DELETE", "/api/me")
    assert bobs not in on_disk(house) and house.rows()["played"] == []
    await _finished(house, ada)
    assert len((await _statistics(ada))["games"]) == 1


def _kept(house: House, table: Opened) -> list[PlayedRow]:
    holders = {row.guest for row in house.store.holdings(table.id) if row.chair != OWNER}
    return [row for guest in sorted(holders) for row in house.store.played_by(guest)]


def on_disk(house: House) -> bytes:
    """All that is on the disk."""
    return b"".join(file.read_bytes() for file in house.path.parent.glob(f"{house.path.name}*"))
