"""Time controls: timeouts, stand-ins and returning players, also across restarts and days."""

import asyncio
from typing import Any

import pytest
from structlog.testing import capture_logs

from sanssouci.server import audit
from sanssouci.server.ops.clocks import SETTLING_TIME, ServerClock
from sanssouci.server.tables import scheduler
from sanssouci.table.stand_ins import VOTE_DELAY

from ..harness.builders import NONCE
from ..harness.client import Client, CreatedTable
from ..harness.fakes import FakeClock
from ..harness.server import InProcessServer, with_server
from ..workers.pools import until

TURN = {"pace": "turn", "amount": 30}
DAYS = {"pace": "days", "amount": 2}
DAY = 86_400.0


async def _start_game(server: InProcessServer, clock: dict[str, Any]) -> tuple[Client, Client, CreatedTable]:
    """A game of two people in which the first player's full time has just started."""
    table, ada, bob = await server.two_players(visibility="open", first=0, clock=clock)
    await server.play_out(table, {0: ada, 1: bob}, commands=4)
    return ada, bob, table


@pytest.mark.parametrize(("clock", "time"), [(TURN, 30.0), (DAYS, 2 * DAY)])
@with_server()
async def test_a_stand_in_plays_when_time_runs_out(
    server: InProcessServer, clock: dict[str, Any], time: float
) -> None:
    """A stand-in plays exactly when the time has run out, and the game goes on."""
    ada, bob, table = await _start_game(server, clock)
    view = await ada.view(table)
    assert (view["waiting"], view["deadline"]) == ([0], server.clock.now + time)
    server.clock.advance(time - 0.5)
    await server.sweep()
    assert (await ada.view(table))["seq"] == view["seq"]
    server.clock.advance(0.5)
    await server.sweep()
    later = await bob.view(table)
    assert later["chairs"][0]["away"] is True
    assert later["waiting"] == [1]
    events = (await bob.get(f"/api/tables/{table}/events?after={view['seq']}"))["events"]
    assert [(event["type"], event["house"]) for event in events] == [("time_out", True), ("play", True)]


@with_server()
async def test_a_returning_person_takes_over_from_the_stand_in(server: InProcessServer) -> None:
    """The stand-in plays every turn until the person returns, and none afterwards."""
    ada, bob, table = await _start_game(server, TURN)
    server.clock.advance(30)
    await server.sweep()
    await server.play_out(table, {1: bob}, commands=1)
    assert (await bob.view(table))["waiting"] == [1], "the stand-in has played again"
    assert (await ada.command(table, "play", turn="36@2-g3/g3")).json()["error"]["code"] in (
        "declined.stand_in_plays",
        "refusal.not_your_turn",
    )
    await ada.do(table, "return")
    await server.play_out(table, {1: bob}, commands=1)
    view = await ada.view(table)
    assert (view["waiting"], view["chairs"][0]["away"]) == ([0], False)
    assert view["deadline"] == server.clock.now + 30
    await server.play_out(table, {0: ada}, commands=1)


@pytest.mark.parametrize(("clock", "grace"), [(TURN, 30.0), (DAYS, scheduler.RESTART_GRACE)])
@with_server()
async def test_a_clock_that_ran_out_while_the_server_was_down(
    server: InProcessServer, clock: dict[str, Any], grace: float
) -> None:
    """A clock that ran out during a shutdown takes effect only after a grace period."""
    _, bob, table = await _start_game(server, clock)
    await server.close()
    server.clock.advance(3 * DAY)
    await server.open()
    await server.services.scheduler.sweep()
    for _ in range(10):  # a timeout without a grace period would have started by then
        await asyncio.sleep(0)
    await until(lambda: not server.services.registry._running)
    view = await bob.view(table)
    assert (view["waiting"], view["chairs"][0]["away"]) == ([0], False)
    server.clock.advance(grace)
    await server.sweep()
    assert (await bob.view(table))["waiting"] == [1]


@with_server()
async def test_a_timeout_needs_no_request(server: InProcessServer) -> None:
    """A scheduled timeout fires by itself."""
    ada, bob, table = await _start_game(server, TURN)
    live_table = server.services.registry.find_loaded(table.id)
    assert live_table is not None and live_table.timeout_task is not None
    server.clock.advance(29.99)
    server.services.scheduler.schedule(live_table)  # as after any event
    server.clock.advance(1)
    await until(lambda: live_table.table.state.waiting == (1,))
    await server.settle()
    assert (await ada.view(table))["chairs"][0]["away"] is True
    assert (await bob.view(table))["waiting"] == [1]


@with_server()
async def test_all_awaited_people_time_out_together(server: InProcessServer) -> None:
    """Two people who should pick time out together; the game then waits until one of them returns."""
    table, ada, bob = await server.two_players(visibility="open", clock=TURN)
    for person in (ada, bob):
        await person.do(table, "ready", nonce=NONCE)
    server.clock.advance(31)
    await server.sweep()
    view = await ada.view(table)
    assert [chair["away"] for chair in view["chairs"]] == [True, True]
    assert (view["stage"], view["deadline"]) == ("picking", None), "no stand-in plays among stand-ins"
    await bob.do(table, "return")
    await server.sweep()
    assert (await ada.view(table))["waiting"] == [1], "the stand-in of the first has picked"


@pytest.mark.parametrize("clock", [None, TURN])
@with_server()
async def test_a_game_without_present_people_pauses(
    server: InProcessServer, clock: dict[str, Any] | None
) -> None:
    """The game against a computer pauses without a deadline; ``return`` resumes it with full time."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "random", first=0, **({"clock": clock} if clock else {}))
    before = await server.play_out(table, {0: ada}, commands=3)
    if clock is None:
        await ada.do(table, "step_away")
    server.clock.advance(100)
    await server.sweep()
    view = await ada.view(table)
    events = (await ada.get(f"/api/tables/{table}/events?after={before['seq']}"))["events"]
    assert [event["type"] for event in events] == ["time_out" if clock else "step_away"]
    assert (view["waiting"], view["deadline"], view["chairs"][0]["away"]) == ([0], None, True)
    await ada.do(table, "return")
    back = await ada.view(table)
    assert back["deadline"] == (server.clock.now + 30 if clock else None) and "play" in back["you"]["may"]


@with_server()
async def test_a_timeout_is_retried_while_the_store_fails(
    server: InProcessServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A timeout that cannot be stored is retried until the store works again."""
    monkeypatch.setattr(scheduler, "RETRY_DELAY", 0.01)
    _, bob, table = await _start_game(server, TURN)
    live_table = server.services.registry.find_loaded(table.id)
    assert live_table is not None
    seq = live_table.table.seq
    server.clock.advance(31)
    with server.store.broken():
        await server.services.scheduler.sweep()
        for _ in range(3):
            assert (await bob.view(table))["seq"] == seq
    await server.settle()
    assert (await bob.view(table))["waiting"] == [1]


@with_server()
async def test_a_clock_of_days_survives_eviction(server: InProcessServer) -> None:
    """An evicted table is loaded again when its deadline is due."""
    _, bob, table = await _start_game(server, DAYS)
    server.clock.advance(DAY)
    await server.sweep()
    assert len(server.services.registry) == 0
    server.clock.advance(DAY)
    await server.sweep()
    assert (await bob.view(table))["chairs"][0]["away"] is True


@pytest.mark.parametrize("jump", [-DAY, DAY])
@pytest.mark.parametrize("restarts", [False, True])
@with_server()
async def test_the_wall_clock_jumps(server: InProcessServer, jump: float, restarts: bool) -> None:
    """A wall clock that is set back or forward by a day changes neither a running clock nor later ones.

    After a restart only the wall clock is known: set forward, the server seems to have been down for a day.
    """
    ada, bob, table = await _start_game(server, DAYS)
    server.clock.advance(DAY / 2)
    server.clock.set_by += jump
    if restarts:
        await server.restart()
    left = (2 if restarts and jump < 0 else 0.5 if restarts else 1.5) * DAY
    await server.services.scheduler.sweep()
    view = await ada.view(table)
    assert view["deadline"] == pytest.approx(_server_time(server) + left, abs=0.02 * DAY)
    server.clock.advance(left - 0.05 * DAY)
    await server.sweep()
    assert (await ada.view(table))["waiting"] == [0], "there is time left"
    server.clock.advance(0.1 * DAY)
    await server.sweep()
    assert (await bob.view(table))["chairs"][0]["away"] is True
    await server.play_out(table, {1: bob}, commands=1)
    server.clock.advance(2.1 * DAY)
    await server.sweep()
    assert (await bob.view(table))["chairs"][1]["away"] is True
    live_table = await server.services.registry.table(table.id)
    times = [live_table.table.event(seq).at for seq in range(live_table.table.seq + 1)]
    assert times == sorted(times)
    game = server.store.game(table.id)
    assert game is not None and audit(server.store, game)[1] == []


def _server_time(server: InProcessServer) -> float:
    return server.services.registry.dependencies.now()


@with_server()
async def test_a_clock_goes_on_after_the_wall_clock_was_set_back(server: InProcessServer) -> None:
    """Nobody waits until the wall clock has caught up; the sweep finds the table after a restart too."""
    _, bob, table = await _start_game(server, TURN)
    server.clock.set_by -= DAY
    server.clock.advance(31)
    await server.sweep()
    assert (await bob.view(table))["waiting"] == [1]
    await server.restart()
    server.clock.advance(31)
    await server.sweep()
    view = await bob.view(table)
    assert view["chairs"][1]["away"] is True


@with_server()
async def test_a_computer_plays_after_the_wall_clock_was_set_back(server: InProcessServer) -> None:
    """A computer's turn that was due when the server was stopped is played, although its time is ahead."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "random", first=1)
    server.players.hold()
    await ada.do(table, "ready", nonce=NONCE)
    await server.close()
    server.clock.set_by -= DAY
    server.players.release()
    await server.open()
    await server.sweep()
    assert len(server.players.asked) > 1 and (await ada.view(table))["waiting"] == [0]


@with_server()
async def test_a_suspended_machine_leaves_time_to_return(server: InProcessServer) -> None:
    """A clock that ran out while the machine was suspended takes effect only after a grace period."""
    _, bob, table = await _start_game(server, DAYS)
    server.clock.suspend(3 * DAY)
    server.clock.set_by = 0
    await server.services.scheduler.sweep()
    for _ in range(10):
        await asyncio.sleep(0)
    await until(lambda: not server.services.registry._running)
    assert (await bob.view(table))["waiting"] == [0]
    server.clock.advance(scheduler.RESTART_GRACE)
    await server.sweep()
    assert (await bob.view(table))["waiting"] == [1]


@with_server()
async def test_a_vote_opens_after_the_wall_clock_was_set_back(server: InProcessServer) -> None:
    """Two minutes of real time after the wait began, also across a restart."""
    ada, bob, table = await _start_game(server, {"pace": "none"})
    await server.close()
    server.clock.set_by -= DAY
    await server.open()
    assert (await bob.command(table, "vote", chair=0)).json()["error"]["code"] == "declined.not_absent"
    view = await bob.view(table)
    assert view["vote_from"] == pytest.approx(_server_time(server) + VOTE_DELAY, abs=5)
    server.clock.advance(VOTE_DELAY + 5)
    await bob.do(table, "vote", chair=0)
    assert (await ada.view(table))["chairs"][0]["away"] is True


def test_a_clock_that_is_set_is_logged_once() -> None:
    """The line says by how much, and how far server time is from it; small corrections are not logged."""
    fake = FakeClock()
    clock = ServerClock(lambda: fake.wall, lambda: fake.now)
    with capture_logs() as lines:
        for set_by in (2.0, -DAY, 0.0, 2 * DAY):
            fake.advance(SETTLING_TIME)
            fake.set_by += set_by
            clock.now()
            fake.advance(60)
            clock.now()
    assert [(line["event"], line["by"]) for line in lines] == [("clock_set", -DAY), ("clock_set", 2 * DAY)]
    assert lines[0]["server_time_off_by"] == pytest.approx(DAY, abs=60)
    assert lines[1]["server_time_off_by"] == pytest.approx(-DAY, abs=60)


def test_server_time() -> None:
    """It follows small corrections, approaches a wall clock that was set, and never goes back."""
    fake = FakeClock()
    clock = ServerClock(lambda: fake.wall, lambda: fake.now)
    fake.set_by = 5.0
    assert clock.now() == fake.wall, "set right after the start: adopted"
    fake.advance(SETTLING_TIME)
    assert clock.now() == fake.wall
    fake.set_by += 1.0
    fake.advance(100)
    assert clock.now() == fake.wall, "within the slew"
    fake.set_by -= DAY
    before = clock.now()
    assert clock.now() == before
    fake.advance(100)
    assert clock.now() == pytest.approx(before + 98)
    fake.set_by += 3 * DAY
    fake.advance(100)
    assert clock.now() == pytest.approx(before + 98 + 102)
    fake.advance(10_000 * DAY)
    assert clock.now() == fake.wall
