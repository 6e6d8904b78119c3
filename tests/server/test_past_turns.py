"""Past turns of a running game by HTTP, as each seat saw them at that time."""

from sanssouci.server.rate_limits import read_rates

from ..harness.client import Client
from ..harness.server import InProcessServer, with_server
from ..harness.sockets import Json


async def _past(person: Client, table: object, turn: int | str, chair: int | None = None) -> tuple[int, Json]:
    query = "" if chair is None else f"?chair={chair}"
    answer = await person.request("GET", f"/api/tables/{table}/past/{turn}{query}")
    return answer.status_code, answer.json()


@with_server()
async def test_past_turns_are_the_views_of_that_time(server: InProcessServer) -> None:
    """Each seat and a spectator get the views that they had after each turn; strangers get a 404."""
    ada, bob, eve = [await server.guest(name) for name in ("Ada", "Bob", "Eve")]
    table = await ada.create_table("person", "open")
    await bob.with_key(table.join).join(table)
    watcher = server.client().with_key(table.watch)
    people = {0: ada, 1: bob}
    history = []
    for commands in (4, 1, 1, 1):  # at first all are ready and pick
        await server.play_out(table.id, people, commands=commands)
        history.append([(await viewer.view(table))["game"] for viewer in (ada, bob, watcher)])
    for turn, games in enumerate(history):
        for viewer, game in zip((ada, bob, watcher), games, strict=True):
            assert await _past(viewer, table, turn) == (200, {"turn": turn, "last": 3, "game": game})
    hands = [game["hand"] for game in history[1]]
    assert hands[0] and hands[1] and hands[0] != hands[1] and hands[2] == []
    assert (await _past(bob, table, 1, chair=0))[1].get("game", {}).get("hand", []) == [], (
        "not another seat's hand"
    )
    assert (await _past(eve, table, 1))[0] == 404
    status, response = await _past(ada, table, 4)
    assert (status, response["error"]["code"]) == (422, "declined.no_such_turn")
    for bad in ("-1", "73", "x", "1.5"):
        assert (await _past(ada, table, bad))[0] == 400


@with_server(rates=read_rates("read=3/minute"))
async def test_past_turns_count_as_reads(server: InProcessServer) -> None:
    """Requests for past turns count towards the rate limit of reads."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    assert [(await _past(ada, table, 0))[0] for _ in range(4)] == [422, 422, 422, 429]
