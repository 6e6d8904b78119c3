"""The daily garden by network: the same deal for everyone, another one tomorrow."""

from datetime import UTC, datetime

from sanssouci.server import audit
from sanssouci.table import OPPONENT

from .house import NONCE, House, Json, Person, housed

DAY = 86_400


async def _open(person: Person, nonce: str = NONCE) -> tuple[str, Json]:
    """Somebody plays the daily garden, and takes the first sides."""
    answer = await person.ask("POST", "/api/daily")
    assert answer.status_code == 201, answer.text
    table = str(answer.json()["table"])
    await person.do(table, "ready", nonce=nonce)
    await person.house.quiet()
    return table, await person.view(table)


def _same(view: Json) -> Json:
    """What must be alike at all tables of a day."""
    seats = [chair["seat"] for chair in view["chairs"]]
    return {"setup": view["setup"], "seats": seats, "commitment": view["commitment"], "terms": view["terms"]}


@housed(players=(OPPONENT, "random"))
async def test_two_guests_get_the_same_deal(house: House) -> None:
    """Whatever nonces they add; the missions and all that is dealt later too, and tomorrow it is another."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    (one, ada_sees), (other, bob_sees) = await _open(ada), await _open(bob, "ff" * 16)
    assert one != other and _same(ada_sees) == _same(bob_sees)
    ends = [await house.play_out(table, {0: person}) for table, person in ((one, ada), (other, bob))]
    assert ends[0]["game"]["missions"] == ends[1]["game"]["missions"]
    today = datetime.fromtimestamp(house.world.now, UTC).date().isoformat()
    for table, person in ((one, ada), (other, bob)):
        record = await person.get(f"/api/tables/{table}/record")
        assert record["fair"]["game"] == f"daily-{today}"
        game = house.store.game(table)
        assert game is not None and audit(house.store, game)[1] == []
    house.world.advance(DAY)
    _, tomorrow = await _open(ada)
    assert _same(tomorrow)["commitment"] != _same(ada_sees)["commitment"]


@housed(players=(OPPONENT,))
async def test_what_is_played_today_is_told(house: House) -> None:
    """Also to whoever is no guest yet; the table is what was told."""
    told = await house.nobody().get("/api/daily")
    assert told["day"] == datetime.fromtimestamp(house.world.now, UTC).date().isoformat()
    assert 0 < told["until"] - house.world.now <= DAY and told["until"] % DAY == 0
    ada = await house.guest("Ada")
    _, view = await _open(ada)
    assert view["terms"]["daily"] == told["day"] and not view["terms"]["hints"]
    assert view["terms"]["edition"] == told["edition"] and view["terms"]["expansions"] == told["expansions"]
    assert [chair["player"] for chair in view["chairs"]] == [None, told["opponent"]]


@housed(players=(OPPONENT,))
async def test_a_table_of_a_day_is_read_back(house: House) -> None:
    """After a restart it goes on with the same deal, and nothing hidden is in what was told."""
    ada = await house.guest("Ada")
    table, _ = await _open(ada)
    await house.play_out(table, {0: ada}, turns=4)
    before = await ada.view(table)
    await house.restart()
    assert await ada.view(table) == before
    assert (await house.play_out(table, {0: ada}))["ending"]["manner"] == "played"


@housed(players=("random",))
async def test_a_host_without_the_opponent_has_no_daily_garden(house: House) -> None:
    """It is said, and nothing is set up."""
    ada = await house.guest("Ada")
    answer = await ada.ask("POST", "/api/daily")
    assert answer.json()["error"]["code"] == "server.player_not_allowed"
    assert house.rows()["game"] == []
