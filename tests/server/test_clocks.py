"""Clocks: time runs out, a stand-in plays, the person comes back; also over a restart, and over days."""

import asyncio
from typing import Any

import pytest

from sanssouci.server.tables import scheduler

from ..workers.pools import until
from .house import NONCE, House, Opened, Person, housed

TURN = {"pace": "turn", "amount": 30}
DAYS = {"pace": "days", "amount": 2}
DAY = 86_400.0


async def _playing(house: House, clock: dict[str, Any]) -> tuple[Person, Person, Opened]:
    """Two people; it is the turn of the first, who has all the time there is."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", visibility="open", first=0, clock=clock)
    await bob.join(table)
    await house.play_out(table, {0: ada, 1: bob}, turns=4)
    return ada, bob, table


@pytest.mark.parametrize(("clock", "time"), [(TURN, 30.0), (DAYS, 2 * DAY)])
@housed()
async def test_when_time_is_out_a_stand_in_plays(house: House, clock: dict[str, Any], time: float) -> None:
    """Not a second before; then the house plays for the one who is away, and the game goes on."""
    ada, bob, table = await _playing(house, clock)
    view = await ada.view(table)
    assert (view["waiting"], view["deadline"]) == ([0], house.world.now + time)
    house.world.advance(time - 0.5)
    await house.attend()
    assert (await ada.view(table))["seq"] == view["seq"]
    house.world.advance(0.5)
    await house.attend()
    later = await bob.view(table)
    assert later["chairs"][0]["away"] is True
    assert later["waiting"] == [1]
    told = (await bob.get(f"/api/tables/{table}/events?after={view['seq']}"))["events"]
    assert [(event["type"], event["house"]) for event in told] == [("time_out", True), ("play", True)]


@housed()
async def test_the_person_comes_back_and_decides_again(house: House) -> None:
    """Until then every turn is the stand-in's; after it none is."""
    ada, bob, table = await _playing(house, TURN)
    house.world.advance(30)
    await house.attend()
    await house.play_out(table, {1: bob}, turns=1)
    assert (await bob.view(table))["waiting"] == [1], "the stand-in has played again"
    assert (await ada.give(table, "play", turn="36@2-g3/g3")).json()["error"]["code"] in (
        "declined.stand_in_plays",
        "refusal.not_your_turn",
    )
    await ada.do(table, "return")
    await house.play_out(table, {1: bob}, turns=1)
    view = await ada.view(table)
    assert (view["waiting"], view["chairs"][0]["away"]) == ([0], False)
    assert view["deadline"] == house.world.now + 30
    await house.play_out(table, {0: ada}, turns=1)


@pytest.mark.parametrize(("clock", "grace"), [(TURN, 30.0), (DAYS, scheduler.RESTART_GRACE)])
@housed()
async def test_a_clock_that_ran_out_while_the_server_was_down(
    house: House, clock: dict[str, Any], grace: float
) -> None:
    """People have to come back first: it is heard some time after the server is up again."""
    _, bob, table = await _playing(house, clock)
    await house.close()
    house.world.advance(3 * DAY)
    await house.open()
    await house.services.scheduler.sweep()
    for _ in range(10):  # an alarm that rings at once has begun its command by then
        await asyncio.sleep(0)
    await until(lambda: not house.services.registry._running)
    view = await bob.view(table)
    assert (view["waiting"], view["chairs"][0]["away"]) == ([0], False)
    house.world.advance(grace)
    await house.attend()
    assert (await bob.view(table))["waiting"] == [1]


@housed()
async def test_a_clock_rings_though_nobody_looks(house: House) -> None:
    """The alarm is set when it is near, for the time of the machine; here that is no time at all."""
    ada, bob, table = await _playing(house, TURN)
    live_table = house.services.registry.find_loaded(table.id)
    assert live_table is not None and live_table.timeout_task is not None
    house.world.advance(29.99)
    house.services.scheduler.schedule(live_table)  # as after any event
    house.world.advance(1)
    await until(lambda: live_table.table.state.waiting() == (1,))
    await house.quiet()
    assert (await ada.view(table))["chairs"][0]["away"] is True
    assert (await bob.view(table))["waiting"] == [1]


@housed()
async def test_everyone_who_is_awaited_is_timed_out(house: House) -> None:
    """Two people are to pick at the same time: both are away then, and the game waits for one of them."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", visibility="open", clock=TURN)
    await bob.join(table)
    for person in (ada, bob):
        await person.do(table, "ready", nonce=NONCE)
    house.world.advance(31)
    await house.attend()
    view = await ada.view(table)
    assert [chair["away"] for chair in view["chairs"]] == [True, True]
    assert (view["stage"], view["deadline"]) == ("picking", None), "no stand-in plays among stand-ins"
    await bob.do(table, "return")
    await house.attend()
    assert (await ada.view(table))["waiting"] == [1], "the other one's stand-in has picked"


@pytest.mark.parametrize("clock", [None, TURN])
@housed()
async def test_a_game_alone_with_the_computer_rests(house: House, clock: dict[str, Any] | None) -> None:
    """No turn follows, ``return`` is carried out at once, and the clock is wound anew."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "random", first=0, **({"clock": clock} if clock else {}))
    before = await house.play_out(table, {0: ada}, turns=3)
    if clock is None:
        await ada.do(table, "step_away")
    house.world.advance(100)
    await house.attend()
    view = await ada.view(table)
    told = (await ada.get(f"/api/tables/{table}/events?after={before['seq']}"))["events"]
    assert [event["type"] for event in told] == ["time_out" if clock else "step_away"]
    assert (view["waiting"], view["deadline"], view["chairs"][0]["away"]) == ([0], None, True)
    await ada.do(table, "return")
    back = await ada.view(table)
    assert back["deadline"] == (house.world.now + 30 if clock else None) and "play" in back["you"]["may"]


@housed()
async def test_a_clock_waits_for_the_disk(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time is out while nothing can be written: no turn is lost, and it goes on when there is room."""
    monkeypatch.setattr(scheduler, "RETRY_DELAY", 0.01)
    _, bob, table = await _playing(house, TURN)
    live_table = house.services.registry.find_loaded(table.id)
    assert live_table is not None
    seq = live_table.table.seq
    house.world.advance(31)
    with house.store.broken():
        await house.services.scheduler.sweep()
        for _ in range(3):
            assert (await bob.view(table))["seq"] == seq
    await house.quiet()
    assert (await bob.view(table))["waiting"] == [1]


@housed()
async def test_a_day_passes_and_the_table_is_not_in_memory(house: House) -> None:
    """A clock of days is kept by the store alone; the table is read again when it is due."""
    _, bob, table = await _playing(house, DAYS)
    house.world.advance(DAY)
    await house.attend()
    assert len(house.services.registry) == 0
    house.world.advance(DAY)
    await house.attend()
    assert (await bob.view(table))["chairs"][0]["away"] is True
