"""The daily garden by HTTP: the same deal for everyone, another one tomorrow."""

from datetime import UTC, datetime

from sanssouci.server import audit
from sanssouci.table import OPPONENT

from ..harness.builders import NONCE
from ..harness.client import Client
from ..harness.server import InProcessServer, with_server
from ..harness.sockets import Json

DAY = 86_400


async def _start_daily(server: InProcessServer, person: Client, nonce: str = NONCE) -> tuple[str, Json]:
    """Create and start the daily game of a guest."""
    answer = await person.request("POST", "/api/daily")
    assert answer.status_code == 201, answer.text
    table = str(answer.json()["table"])
    await person.do(table, "ready", nonce=nonce)
    await server.settle()
    return table, await person.view(table)


def _shared_part(view: Json) -> Json:
    """The part of a view that is the same at all tables of a day."""
    seats = [chair["seat"] for chair in view["chairs"]]
    return {"setup": view["setup"], "seats": seats, "commitment": view["commitment"], "terms": view["terms"]}


@with_server(players=(OPPONENT, "random"))
async def test_two_guests_get_the_same_deal(server: InProcessServer) -> None:
    """Two guests get the same deal whatever their nonces, and another one the next day."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    (ada_table, ada_sees), (bob_table, bob_sees) = (
        await _start_daily(server, ada),
        await _start_daily(server, bob, "ff" * 16),
    )
    assert ada_table != bob_table and _shared_part(ada_sees) == _shared_part(bob_sees)
    ends = [
        await server.play_out(table, {0: person}) for table, person in ((ada_table, ada), (bob_table, bob))
    ]
    assert ends[0]["game"]["missions"] == ends[1]["game"]["missions"]
    today = datetime.fromtimestamp(server.clock.now, UTC).date().isoformat()
    for table, person in ((ada_table, ada), (bob_table, bob)):
        record = await person.get(f"/api/tables/{table}/record")
        assert record["fair"]["game"] == f"daily-{today}"
        game = server.store.game(table)
        assert game is not None and audit(server.store, game)[1] == []
    server.clock.advance(DAY)
    _, tomorrow = await _start_daily(server, ada)
    assert _shared_part(tomorrow)["commitment"] != _shared_part(ada_sees)["commitment"]


@with_server(players=(OPPONENT,))
async def test_the_daily_game_is_announced(server: InProcessServer) -> None:
    """Anyone can read day, end and settings of the daily game, and its table has these settings."""
    daily = await server.client().get("/api/daily")
    assert daily["day"] == datetime.fromtimestamp(server.clock.now, UTC).date().isoformat()
    assert 0 < daily["until"] - server.clock.now <= DAY and daily["until"] % DAY == 0
    ada = await server.guest("Ada")
    _, view = await _start_daily(server, ada)
    assert view["terms"]["daily"] == daily["day"] and not view["terms"]["hints"]
    assert view["terms"]["edition"] == daily["edition"] and view["terms"]["expansions"] == daily["expansions"]
    assert [chair["player"] for chair in view["chairs"]] == [None, daily["opponent"]]


@with_server(players=(OPPONENT,))
async def test_a_daily_game_survives_a_restart(server: InProcessServer) -> None:
    """A daily game continues with the same deal after a restart."""
    ada = await server.guest("Ada")
    table, _ = await _start_daily(server, ada)
    await server.play_out(table, {0: ada}, commands=4)
    before = await ada.view(table)
    await server.restart()
    assert await ada.view(table) == before
    assert (await server.play_out(table, {0: ada}))["ending"]["manner"] == "played"


@with_server(players=("random",))
async def test_no_daily_game_without_the_opponent(server: InProcessServer) -> None:
    """If the host does not allow the opponent, the daily game is refused and nothing is stored."""
    ada = await server.guest("Ada")
    answer = await ada.request("POST", "/api/daily")
    assert answer.json()["error"]["code"] == "server.player_not_allowed"
    assert server.rows()["game"] == []
