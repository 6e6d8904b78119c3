"""A guest's statistics: each game counted once, private, and deletable."""

from sanssouci.server.tables.live_table import OWNER
from sanssouci.store import PlayedRow

from ..harness.builders import NONCE
from ..harness.client import Client, CreatedTable
from ..harness.server import InProcessServer, with_server
from ..harness.sockets import Json


async def _finish_game(
    server: InProcessServer, *people: Client, **settings: object
) -> tuple[CreatedTable, Json]:
    """Play a game of these people, or of one person against a computer, to its end."""
    table = await people[0].create_table("person", *["open"] * (len(people) - 1) or ["random"], **settings)
    for person in people[1:]:
        await person.with_key(table.join).join(table)
    for chair, person in enumerate(people):
        await person.do(table, "ready", at=chair, nonce=NONCE)
    return table, await server.play_out(table, dict(enumerate(people)))


async def _statistics(person: Client) -> Json:
    return await person.get("/api/me/statistics")


@with_server()
async def test_a_game_counts_when_it_is_over(server: InProcessServer) -> None:
    """A finished game counts, with scores, winners and opponents as in its view, and the best garden."""
    ada = await server.guest("Ada")
    assert await _statistics(ada) == {"games": [], "best": None}
    table, view = await _finish_game(server, ada, expansions=["rewards"])
    found = await _statistics(ada)
    (game,) = found["games"]
    seat = view["chairs"][0]["seat"]
    assert game["table"] == table.id and game["seat"] == seat and game["expansions"] == ["rewards"]
    assert game["score"] == view["game"]["scores"][seat]
    assert [seat_result["total"] for seat_result in game["seats"]] == [
        score["total"] for score in view["game"]["scores"]
    ]
    assert [seat_result["player"] for seat_result in game["seats"]] == [None, "random"][:: -1 if seat else 1]
    assert game["winners"] == view["ending"]["winners"] and game["manner"] == "played"
    assert found["best"] == {"table": table.id, "garden": view["game"]["gardens"][seat]}
    await server.restart()
    assert await _statistics(ada) == found


@with_server()
async def test_each_player_has_separate_statistics(server: InProcessServer) -> None:
    """Each player's statistics show the game from that player's seat; other guests have none."""
    ada, bob, eve = [await server.guest(name) for name in ("Ada", "Bob", "Eve")]
    _, view = await _finish_game(server, ada, bob)
    seats = [(await _statistics(person))["games"][0]["seat"] for person in (ada, bob)]
    assert seats == [chair["seat"] for chair in view["chairs"]]
    assert (await _statistics(eve))["games"] == []


@with_server()
async def test_a_guest_with_two_chairs_is_not_counted(server: InProcessServer) -> None:
    """A game in which one guest holds two chairs does not count."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "person")
    for chair in (0, 1):
        await ada.do(table, "ready", at=chair, nonce=NONCE)
    view = await server.play_out(table, {0: ada, 1: ada})
    assert view["ending"] is not None and (await _statistics(ada))["games"] == []


@with_server()
async def test_a_conceded_game_is_not_the_best(server: InProcessServer) -> None:
    """A conceded game counts as lost but not as the best game; an abandoned game does not count."""
    ada = await server.guest("Ada")
    for command, counted in (("concede", 1), ("abandon", 1)):
        table = await ada.create_table("person", "random")
        await ada.do(table, "ready", nonce=NONCE)
        await server.play_out(table, {0: ada}, commands=4)
        await ada.do(table, command)
        found = await _statistics(ada)
        assert len(found["games"]) == counted and found["best"] is None
    (game,) = found["games"]
    assert game["conceded"] and game["manner"] == "conceded" and game["seat"] not in game["winners"]


@with_server()
async def test_a_table_counts_once(server: InProcessServer) -> None:
    """A rematch is a separate game and does not count before it is over."""
    ada = await server.guest("Ada")
    table, _ = await _finish_game(server, ada)
    await ada.do(table, "rematch")
    assert len((await _statistics(ada))["games"]) == 1


@with_server()
async def test_deleted_statistics_are_erased(server: InProcessServer) -> None:
    """Deleted statistics, and those of a forgotten guest, are erased from the disk; others stay."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    table, _ = await _finish_game(server, ada, bob)
    bodies = {row.body.encode() for row in _stored_results(server, table)}
    assert len(bodies) == 2 and all(body in bytes_on_disk(server) for body in bodies)
    assert (await ada.request("DELETE", "/api/me/statistics")).json() == {"deleted": True}
    assert await _statistics(ada) == {"games": [], "best": None}
    (bobs,) = [row.body.encode() for row in _stored_results(server, table)]
    assert {body for body in bodies if body in bytes_on_disk(server)} == {bobs}
    await bob.request("DELETE", "/api/me")
    assert bobs not in bytes_on_disk(server) and server.rows()["played"] == []
    await _finish_game(server, ada)
    assert len((await _statistics(ada))["games"]) == 1


def _stored_results(server: InProcessServer, table: CreatedTable) -> list[PlayedRow]:
    holders = {row.guest for row in server.store.holdings(table.id) if row.chair != OWNER}
    return [row for guest in sorted(holders) for row in server.store.played_by(guest)]


def bytes_on_disk(server: InProcessServer) -> bytes:
    """All bytes of the data file and its companion files."""
    return b"".join(file.read_bytes() for file in server.path.parent.glob(f"{server.path.name}*"))
