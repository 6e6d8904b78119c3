"""Computer players at a server: always an answer, first where a game waits, and nothing hidden is told."""

import asyncio
import json
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from sanssouci.dealer import BulkGame
from sanssouci.editions import load_edition
from sanssouci.locale import LANGUAGES, UserError
from sanssouci.notation import write_turn, write_view
from sanssouci.players import Budget, eager_turn, fallback_turn, make_player
from sanssouci.review import Reason, hint, say_reason
from sanssouci.rules import Setup, Variant, View
from sanssouci.workers import HintResult, PoolConfig, StartProgress, WorkerPool, squares_of
from sanssouci.workers.answer import BadResponse
from sanssouci.workers.job import HintJob, SideJob, TurnJob, read_answer
from sanssouci.workers.worker import _prepare, answer
from sanssouci.workers.worker_process import WorkerProcess

from ..helpers import VARIANTS, odd_deal, random_states, stream
from .pools import KEY, SECRET, a_view, asked, at_work, pids, until, within

OTHER_KEY = bytes(32)


def test_the_same_key_is_the_same_turn() -> None:
    """In any worker, of any pool: what a player draws follows from key, turn and seat."""
    views = [a_view(turn) for turn in (3, 4, 9)]

    async def story() -> None:
        budget, others = Budget(rollouts=40), set[bool]()
        async with at_work(2, "random", "planner", budget=budget) as worker_pool:
            for view in views:
                keys = (KEY, KEY, OTHER_KEY)
                drawn = [await worker_pool.turn("random", view, key) for key in keys]
                assert drawn[0] == drawn[1] and drawn[0].fault is None
                own = BulkGame(KEY, view.turn).stream(view.to_move)
                assert drawn[0].choice == make_player("random", own).decide(view)
                others.add(drawn[2] == drawn[0])
            assert False in others, "another key is another turn"
            jobs = [worker_pool.turn("planner", views[0], KEY) for _ in range(4)]
            own = BulkGame(KEY, views[0].turn).stream(views[0].to_move)
            searched = make_player("planner", own, budget).decide(views[0])
            assert {found.choice for found in await asyncio.gather(*jobs)} == {searched}

    within(story())


def test_a_level_is_as_strong_on_any_machine() -> None:
    """However little time the others have: its rollouts are its own."""
    config = json.loads(PoolConfig(budget=Budget(seconds=1e-9)).line(frozenset({"level:4", "planner"})))

    def unhurried(name: str, view: View) -> bool:
        question = {"ask": "turn", "player": name, "view": write_view(view), "key": KEY.hex()}
        own = BulkGame(KEY, view.turn).stream(view.to_move)
        at_leisure = make_player(name, own, Budget(rollouts=400)).decide(view)
        return answer(question, config) == {"turn": write_turn(at_leisure)}

    views = [a_view(turn) for turn in range(2, 14)]
    assert all(unhurried("level:4", view) for view in views)
    assert not all(unhurried("planner", view) for view in views)


def test_a_side_is_picked_from_a_key_too(crew: Path) -> None:
    """R9: and one that is none becomes the first, with a fault."""
    boards = load_edition("ravensburger").boards.gardens[:2]
    view = Setup.with_gardens(Variant(2), boards).view(1)

    async def story() -> None:
        async with at_work(1, "random", "sided") as worker_pool:
            sides = [await worker_pool.side("random", view, bytes([n] * 32)) for n in range(12)]
            assert {found.choice for found in sides} == {0, 1}
            again = [await worker_pool.side("random", view, bytes([n] * 32)) for n in range(12)]
            assert again == sides and all(found.fault is None for found in sides)
            wrong = await worker_pool.side("sided", view, KEY)
            assert wrong.choice == 0 and wrong.fault is not None and wrong.fault.key == "workers.illegal"
            with pytest.raises(ValueError, match="nothing to pick"):
                await worker_pool.side("random", replace(view, picked=(True, True)), KEY)

    within(story())


def test_a_hint_can_be_said_in_every_language_and_drawn() -> None:
    """It is the review's own hint; the reasons come over whole, the others with what is expected of them."""
    view = a_view(7, VARIANTS.index(Variant(3, "imperial", True, True)))

    async def story() -> HintResult:
        async with at_work(1, "random", max_hints=1, hint_rollouts=400) as worker_pool:
            return await worker_pool.hint(view, KEY)

    given, expected = within(story()), hint(view, KEY, 400)
    assert given.turn == write_turn(expected.turn) and given.reasons == expected.reasons
    assert given.expected.games == expected.estimates[0].games and given.expected.level
    assert [other.turn for other in given.others] == [write_turn(p.turn) for p in expected.others()[:5]]
    assert given.others[0].value == expected.others()[0].value
    for language in LANGUAGES:
        assert all(say_reason(reason, "imperial", language) for reason in given.reasons)


def _spoil_hint(document: dict[str, Any], spoil: str) -> None:
    """Change one thing in a hint, so that it is none."""
    match spoil:
        case "illegal turn":
            document["turn"] = "*@0-a1"
        case "illegal other":
            document["others"][0]["turn"] = "*@0-a1"
        case "not finite":
            document["expected"]["score"] = float("nan")
        case "wrong type":
            document["expected"]["level"] = 1
        case "detail is text":
            document["reasons"][0]["details"]["points"] = "9"
        case "unknown field":
            document["expected"]["secret"] = 1
        case "unknown reason":
            document["reasons"][0]["key"] = "no_such_reason"


SPOILT_HINTS = (
    *("illegal turn", "illegal other", "not finite", "wrong type"),
    *("detail is text", "unknown field", "unknown reason"),
)


def test_a_hint_is_read_only_if_it_is_one() -> None:
    """Every turn in it is legal, every number finite, and every reason can be put into words."""
    view = a_view()

    async def story() -> None:
        job = HintJob(view, KEY)
        told = answer(job.question(), {"hint_rollouts": 400})
        given, expected = job.read(told), hint(view, KEY, 400)
        assert given.turn == write_turn(expected.turn) and given.reasons == expected.reasons
        for spoil in SPOILT_HINTS:
            spoilt = json.loads(json.dumps({"id": job.number, **told}))
            _spoil_hint(spoilt["hint"], spoil)
            with pytest.raises(BadResponse):
                read_answer(job, json.dumps(spoilt).encode())
        with pytest.raises(UserError, match="hint"):
            job.last_resort()

    within(story())


def test_a_worker_picks_sides_and_falls_back() -> None:
    """R9: a side from the key alone; a turn without its player is greedy's."""
    boards = load_edition("ravensburger").boards.gardens[:2]
    setup, view = Setup.with_gardens(Variant(2), boards).view(1), a_view()
    terms = json.loads(PoolConfig().line(frozenset({"random"})))

    async def story() -> None:
        jobs = [SideJob("random", setup, bytes([number] * 32)) for number in range(12)]
        picked = [answer(job.question(), terms) for job in jobs]
        assert {job.read(told).choice for job, told in zip(jobs, picked, strict=True)} == {0, 1}
        assert picked == [answer(job.question(), terms) for job in jobs]
        with pytest.raises(BadResponse):
            jobs[0].read({"side": 2})
        assert jobs[0].last_resort().choice == 0
        turn = TurnJob("random", view, KEY)
        turn.fault = UserError("workers.hung")
        assert turn.read(answer(turn.question(), terms)).choice == fallback_turn(view)

    within(story())


def test_a_worker_prepares_its_players_and_the_hints(crew: Path) -> None:
    """Each step is reported; a player that cannot be prepared is reported and stops nothing."""
    terms = {"allowed": ["random", "unprepared"], "hints": True}
    reports = [*_prepare(terms)]
    steps = [report["preparing"] for report in reports if "preparing" in report]
    assert steps == ["random", "unprepared", ""]
    assert [report["done"] for report in reports if "done" in report] == [0, 1, 2]
    assert [report["broken"] for report in reports if "broken" in report] == ["unprepared"]


@pytest.mark.parametrize(
    ("reason", "squares"),
    [
        (Reason.of("reward", 1, square=20, points=3), (20,)),
        (Reason.of("one_step", 1, square=20, ways=(3, 20), noble=2, points=1), (20, 3)),
        (Reason.of("row_grows", 1, row=2, built=5, points=9), tuple(range(9, 18))),
        (Reason.of("denies_column", 1, seat=1, column=4, points=9), (4, 13, 22, 31, 40, 49)),
        (Reason.of("mission_way", 1, noble=4, row=5, before=2), ()),
    ],
)
def test_a_reason_knows_its_squares(reason: Reason, squares: tuple[int, ...]) -> None:
    """Squares that it names, or the whole line that it is about; a row that is only a number is none."""
    assert squares_of(reason) == squares


@pytest.mark.parametrize(
    ("player", "fault"),
    [
        ("raising", "workers.raised"),
        ("interrupting", "workers.raised"),
        ("talking", "workers.wrong_kind"),
        ("cheating", "workers.illegal"),
        ("unmade", "workers.not_made"),
    ],
)
def test_what_a_player_does_wrong_is_told_and_greedy_plays(
    crew: Path, player: str, fault: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """R14: in every language, without what it said; where it happened is in the log, and its worker lives."""
    view = a_view()

    async def story() -> None:
        async with at_work(1, player) as worker_pool:
            found = await worker_pool.turn(player, view, KEY)
            assert found.choice == fallback_turn(view)
            assert found.fault is not None and found.fault.key == fault
            for language in LANGUAGES:
                assert SECRET not in found.fault.translate(language)
            assert worker_pool.statistics.failed == 1 and worker_pool.statistics.replaced == 0

    with capture_logs() as logs:
        within(story())
    (line,) = [line for line in logs if line["event"] == "player failed"]
    assert line["player"] == player and line["fault"] == fault
    inside = player not in ("talking", "cheating")
    assert ("crew_players.py" in line["trace"]) is inside
    assert SECRET not in repr(logs) and SECRET not in "".join(capfd.readouterr())


def test_a_worker_that_is_killed_is_replaced_and_its_job_done_elsewhere(crew: Path) -> None:
    """Nothing is told: it was not the player's fault."""
    view = a_view()

    async def story() -> None:
        async with at_work(1, "gated") as worker_pool:
            job = asyncio.create_task(worker_pool.turn("gated", view, KEY))
            await until(lambda: pids(crew))
            os.kill(pids(crew)[0], signal.SIGKILL)
            await until(lambda: len(pids(crew)) == 2)
            (crew / "gate").touch()
            found = await job
            assert found.choice == next(iter(view.options())) and found.fault is None
            assert len(set(pids(crew))) == 2 and worker_pool.statistics.replaced == 1
            assert worker_pool.statistics.done == 1 and worker_pool.statistics.failed == 0

    within(story())


@pytest.mark.parametrize("player", ["deadly", "leaving", "scribbling"])
def test_a_player_that_ends_its_workers_is_asked_twice(crew: Path, player: str) -> None:
    """Then greedy plays. So with one that writes on the pipe itself: its worker is not believed any more."""
    view = a_view()

    async def story() -> None:
        async with at_work(1, player, "first") as worker_pool:
            found = await worker_pool.turn(player, view, KEY)
            assert found.choice == fallback_turn(view)
            assert found.fault is not None and found.fault.key == "workers.died"
            assert len(asked(crew)) == 2 and worker_pool.statistics.replaced == 2
            assert (await worker_pool.turn("first", view, KEY)).fault is None

    within(story())


def test_a_player_that_hangs_is_not_asked_again(crew: Path) -> None:
    """Its worker is ended, greedy plays at once, and the others never noticed."""
    view = a_view()

    async def story() -> None:
        async with at_work(1, "hanging", "first", max_hints=1, job_timeout=1.0) as worker_pool:
            found = await worker_pool.turn("hanging", view, KEY)
            assert found.choice == fallback_turn(view)
            assert found.fault is not None and found.fault.key == "workers.hung"
            assert asked(crew) == ["Hanging"] and worker_pool.statistics.replaced == 1
            assert (await worker_pool.turn("first", view, KEY)).fault is None

    within(story())


def test_the_loop_goes_on_while_players_think(crew: Path) -> None:
    """Four slow turns on two workers: others run thousands of times before the first is answered."""

    async def story() -> None:
        async with at_work(2, "gated") as worker_pool:
            jobs = [asyncio.create_task(worker_pool.turn("gated", a_view(turn), KEY)) for turn in range(2, 6)]
            await until(lambda: len(asked(crew)) == 2)
            for _ in range(5000):
                await asyncio.sleep(0)
            assert not any(job.done() for job in jobs)
            figures = worker_pool.statistics
            assert (figures.running, figures.waiting, figures.done) == (2, 2, 0)
            (crew / "gate").touch()
            answers = await asyncio.gather(*jobs)
            assert [found.choice for found in answers] == [
                next(iter(a_view(turn).options())) for turn in range(2, 6)
            ]
            assert worker_pool.statistics.done == 4 and worker_pool.statistics.seconds > 0

    within(story())


def test_turns_come_before_hints_and_are_never_too_many(crew: Path) -> None:
    """While one worker is busy two hints may wait, a third is refused; twenty turns are not, and go first."""
    view, order = a_view(), list[str]()

    async def turn(worker_pool: WorkerPool) -> None:
        await worker_pool.turn("first", view, KEY)
        order.append("turn")

    async def advice(worker_pool: WorkerPool, guest: str) -> None:
        await worker_pool.hint(view, KEY, guest)
        order.append("hint")

    async def story() -> None:
        async with at_work(1, "gated", "first", max_hints=2, hint_rollouts=10) as worker_pool:
            busy = asyncio.create_task(worker_pool.turn("gated", view, KEY))
            await until(lambda: asked(crew))
            hints = [asyncio.create_task(advice(worker_pool, guest)) for guest in ("Ada", "Bob")]
            await until(lambda: worker_pool.statistics.waiting_hints == 2)
            with pytest.raises(UserError, match="too many hints"):
                await worker_pool.hint(view, KEY)
            turns = [asyncio.create_task(turn(worker_pool)) for _ in range(20)]
            await until(lambda: worker_pool.statistics.waiting == 20)
            (crew / "gate").touch()
            await asyncio.gather(busy, *turns, *hints)
            await worker_pool.hint(view, KEY)  # there is room again

    within(story())
    assert order == ["turn"] * 20 + ["hint"] * 2


def test_nobody_waits_for_a_job_whose_caller_is_gone(crew: Path) -> None:
    """One that waits is never begun; one that runs is finished, and its worker kept."""
    view = a_view()

    async def story() -> None:
        async with at_work(1, "gated", "first") as worker_pool:
            running = asyncio.create_task(worker_pool.turn("gated", view, KEY))
            await until(lambda: asked(crew))
            waiting = asyncio.create_task(worker_pool.turn("gated", view, KEY))
            await until(lambda: worker_pool.statistics.waiting == 1)
            for job in (running, waiting):
                job.cancel()
            await until(lambda: worker_pool.statistics.waiting == 0)
            (crew / "gate").touch()
            await worker_pool.turn("first", view, KEY)
            assert asked(crew) == ["Gated", "First"] and len(set(pids(crew))) == 1

    within(story())


def test_only_players_that_the_host_allows_are_made(crew: Path) -> None:
    """Neither others nor programs; the worker itself looks again."""
    view = a_view()

    async def story() -> None:
        async with at_work(1, "first") as worker_pool:
            for name in ("raising", "cmd:true", "first@3", ""):
                with pytest.raises(
                    UserError, match="does not play on this server; available players are first"
                ):
                    await worker_pool.turn(name, view, KEY)

    within(story())
    for name in ("cmd:true", "nobody", "planner@0"):
        with pytest.raises(UserError):
            WorkerPool(1, [name])
    config = json.loads(PoolConfig().line(frozenset({"gated", "cmd:true"})))
    for name in ("first", "cmd:true"):
        question = {"ask": "turn", "player": name, "view": write_view(view), "key": KEY.hex()}
        assert answer(question, config)["fault"] == "workers.not_made"
    assert asked(crew) == []


def test_a_worker_gets_what_the_seat_may_know_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """R11, R12: whatever the others hold and are to do, the same bytes go over the pipe."""
    sent: list[bytes] = []
    send = WorkerProcess.send

    def overheard(worker: WorkerProcess, line: bytes) -> None:
        sent.append(line)
        send(worker, line)

    monkeypatch.setattr(WorkerProcess, "send", overheard)
    state = random_states(odd_deal(VARIANTS[4], stream(1)), stream(2))[6]
    me, other = state.to_move, 1 - state.to_move
    held = list(state.hands)
    piled = list(state.piles)
    held[other], piled[other] = piled[other] & -piled[other], held[other] | piled[other] & (piled[other] - 1)
    missions = list(state.missions)
    missions[other] = missions[other][::-1]
    changed = replace(state, hands=tuple(held), piles=tuple(piled), missions=tuple(missions))
    assert changed != state and changed.view(me) == state.view(me)

    async def story() -> None:
        async with at_work(1, "random") as worker_pool:
            for game in (state, changed):
                await worker_pool.turn("random", game.view(me), KEY)
            with pytest.raises(AttributeError):
                await worker_pool.turn("random", state, KEY)  # type: ignore[arg-type]  # that is the point
            with pytest.raises(ValueError, match="not the turn of this seat"):
                await worker_pool.turn("random", state.view(other), KEY)
            with pytest.raises(ValueError, match="32 bytes"):
                await worker_pool.turn("random", state.view(me), b"")

    within(story())
    config, *questions = map(json.loads, sent)
    assert config == {
        "allowed": ["random"],
        "seconds": 1.0,
        "rollouts": None,
        "hints": False,
        "hint_rollouts": PoolConfig().hint_rollouts,
    }
    assert len(questions) == 2
    for question in questions:
        assert isinstance(question.pop("id"), int)
    expected = {"ask": "turn", "player": "random", "view": write_view(state.view(me)), "key": KEY.hex()}
    assert questions == [expected, expected]


def test_a_server_whose_workers_cannot_live_says_so(crew: Path) -> None:
    """It is not ready; and yet every turn is played, by the rules alone, and a hint is refused."""
    view, seen = a_view(), list[StartProgress]()

    async def story() -> None:
        worker_pool = WorkerPool(2, ["stillborn"], on_progress=seen.append)
        worker_pool.start()
        with pytest.raises(UserError, match="no process could be started"):
            await worker_pool.ready()
        found = await worker_pool.turn("stillborn", view, KEY)
        assert found.choice == eager_turn(view)
        assert found.fault is not None and found.fault.key == "workers.no_worker"
        with pytest.raises(UserError, match="no hint"):
            await worker_pool.hint(view, KEY)
        await worker_pool.close()

    within(story())
    assert seen[0] == StartProgress("stillborn", 0, 2, 0) and all(progress.ready == 0 for progress in seen)
