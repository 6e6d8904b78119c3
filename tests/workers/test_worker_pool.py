"""The worker pool: every request is answered, turns come before hints, and secrets stay secret."""

import asyncio
import json
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from sanssouci.dealer import BulkGame
from sanssouci.editions import load_edition
from sanssouci.locale import LANGUAGES, UserError
from sanssouci.network import NetworkError, network_file, network_name
from sanssouci.notation import write_turn, write_view
from sanssouci.players import Budget, fallback_turn, greedy_points_turn, make_player
from sanssouci.review import Reason, hint, say_reason
from sanssouci.rules import Setup, Variant, View
from sanssouci.workers import HintResult, PoolConfig, StartProgress, WorkerPool, squares_of, worker_process
from sanssouci.workers.answer import BadResponse
from sanssouci.workers.job import HintJob, SideJob, TurnJob, read_answer
from sanssouci.workers.worker import _prepare, answer
from sanssouci.workers.worker_process import WorkerProcess

from ..helpers import VARIANTS, odd_deal, random_states, stream, user_error
from .pools import KEY, SECRET, asked_players, make_view, run_with_timeout, running_pool, until, worker_pids

OTHER_KEY = bytes(32)


def test_the_same_key_gives_the_same_turn() -> None:
    """A player's random numbers depend only on key, turn and seat, in any worker of any pool."""
    views = [make_view(turn) for turn in (3, 4, 9)]

    async def scenario() -> None:
        budget, others = Budget(rollouts=40), set[bool]()
        async with running_pool(2, "random", "planner", budget=budget) as worker_pool:
            for view in views:
                keys = (KEY, KEY, OTHER_KEY)
                drawn = [await worker_pool.turn("random", view, key) for key in keys]
                assert drawn[0] == drawn[1] and drawn[0].fault is None
                own = BulkGame(KEY, view.turn).stream(view.to_move)
                assert drawn[0].choice == make_player("random", own).decide(view)
                others.add(drawn[2] == drawn[0])
            assert False in others, "another key gives another turn"
            jobs = [worker_pool.turn("planner", views[0], KEY) for _ in range(4)]
            own = BulkGame(KEY, views[0].turn).stream(views[0].to_move)
            searched = make_player("planner", own, budget).decide(views[0])
            assert {found.choice for found in await asyncio.gather(*jobs)} == {searched}

    run_with_timeout(scenario())


def test_a_level_ignores_the_time_budget() -> None:
    """A level always uses its own number of rollouts, unlike the planner."""
    config = json.loads(PoolConfig(budget=Budget(seconds=1e-9)).line(frozenset({"level:4", "planner"})))

    def ignores_budget(name: str, view: View) -> bool:
        question = {"ask": "turn", "player": name, "view": write_view(view), "key": KEY.hex()}
        own = BulkGame(KEY, view.turn).stream(view.to_move)
        expected = make_player(name, own, Budget(rollouts=400)).decide(view)
        return answer(question, config) == {"turn": write_turn(expected)}

    views = [make_view(turn) for turn in range(2, 14)]
    assert all(ignores_budget("level:4", view) for view in views)
    assert not all(ignores_budget("planner", view) for view in views)


def test_a_side_is_picked_by_key(player_folder: Path) -> None:
    """R9: a side depends only on the key; an illegal side is replaced by the first, with a fault."""
    boards = load_edition("ravensburger").boards.gardens[:2]
    view = Setup.with_gardens(Variant(2), boards).view(1)

    async def scenario() -> None:
        async with running_pool(1, "random", "wrongside") as worker_pool:
            sides = [await worker_pool.side("random", view, bytes([n] * 32)) for n in range(12)]
            assert {found.choice for found in sides} == {0, 1}
            again = [await worker_pool.side("random", view, bytes([n] * 32)) for n in range(12)]
            assert again == sides and all(found.fault is None for found in sides)
            wrong = await worker_pool.side("wrongside", view, KEY)
            assert wrong.choice == 0 and wrong.fault is not None and wrong.fault.key == "workers.illegal"
            with pytest.raises(ValueError, match="nothing to pick"):
                await worker_pool.side("random", replace(view, picked=(True, True)), KEY)

    run_with_timeout(scenario())


def test_a_hint_equals_the_hint_of_the_review() -> None:
    """A hint from a worker has the turn, reasons and estimates of the review's hint, in every language."""
    view = make_view(7, VARIANTS.index(Variant(3, "imperial", True, True)))

    async def scenario() -> HintResult:
        async with running_pool(1, "random", max_hints=1, hint_rollouts=400) as worker_pool:
            return await worker_pool.hint(view, KEY)

    given, expected = run_with_timeout(scenario()), hint(view, KEY, 400)
    assert given.turn == write_turn(expected.turn) and given.reasons == expected.reasons
    best, *others = expected.outlooks
    assert given.expected["score"] == round(best.score.mean, 1) and given.expected["level"]
    assert [other["turn"] for other in given.others] == [write_turn(other.turn) for other in others]
    assert given.others[0]["share"] == round(others[0].share.mean, 2)
    for language in LANGUAGES:
        assert all(say_reason(reason, "imperial", language) for reason in given.reasons)


def _corrupt_hint(document: dict[str, Any], error: str) -> None:
    """Make one value of a hint invalid."""
    match error:
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


HINT_ERRORS = (
    *("illegal turn", "illegal other", "not finite", "wrong type"),
    *("detail is text", "unknown field", "unknown reason"),
)


def test_an_invalid_hint_is_rejected() -> None:
    """A hint with an illegal turn, a bad number or an unknown reason is a bad response."""
    view = make_view()

    async def scenario() -> None:
        job = HintJob(view, KEY)
        response = answer(job.question(), {"hint_rollouts": 400})
        given, expected = job.read(response), hint(view, KEY, 400)
        assert given.turn == write_turn(expected.turn) and given.reasons == expected.reasons
        for error in HINT_ERRORS:
            corrupted = json.loads(json.dumps({"id": job.number, **response}))
            _corrupt_hint(corrupted["hint"], error)
            with pytest.raises(BadResponse):
                read_answer(job, json.dumps(corrupted).encode())
        with user_error("workers.no_hint"):
            job.result_without_worker()

    run_with_timeout(scenario())


def test_a_worker_answers_with_sides_and_fallback_turns() -> None:
    """R9: a side depends only on the key; a job with a fault gets the fallback turn."""
    boards = load_edition("ravensburger").boards.gardens[:2]
    setup, view = Setup.with_gardens(Variant(2), boards).view(1), make_view()
    config = json.loads(PoolConfig().line(frozenset({"random"})))

    async def scenario() -> None:
        jobs = [SideJob("random", setup, bytes([number] * 32)) for number in range(12)]
        picked = [answer(job.question(), config) for job in jobs]
        assert {job.read(response).choice for job, response in zip(jobs, picked, strict=True)} == {0, 1}
        assert picked == [answer(job.question(), config) for job in jobs]
        with pytest.raises(BadResponse):
            jobs[0].read({"side": 2})
        assert jobs[0].result_without_worker().choice == 0
        turn = TurnJob("random", view, KEY)
        turn.fault = UserError("workers.hung")
        assert turn.read(answer(turn.question(), config)).choice == fallback_turn(view)

    run_with_timeout(scenario())


def test_a_worker_prepares_players_and_hints(player_folder: Path) -> None:
    """Each step is reported, also a player that cannot be prepared."""
    config = {"allowed": ["random", "unprepared"], "hints": True}
    reports = [*_prepare(config)]
    steps = [report["preparing"] for report in reports if "preparing" in report]
    assert steps == ["random", "unprepared", ""]
    assert [report["done"] for report in reports if "done" in report] == [0, 1, 2]
    (broken,) = [report for report in reports if "broken" in report]
    assert (broken["broken"], broken["fault"]) == ("unprepared", "player.not_made")
    assert "crew_players.py" in broken["trace"] and "RuntimeError" in broken["trace"]
    assert SECRET not in repr(reports), "the text of third-party exceptions is not passed on"


def test_an_unusable_network_is_logged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every worker reports it; the planner plays instead."""

    def refuse(seats: int) -> None:
        raise NetworkError("network.too_new", name=network_name(seats))

    monkeypatch.setattr(network_file, "shipped_network", refuse)
    reports = [*_prepare({"allowed": [], "hints": False})]
    assert [report["unusable"] for report in reports] == [
        str(NetworkError("network.too_new", name=network_name(seats))) for seats in (2, 3)
    ]

    async def scenario() -> None:
        pool = WorkerPool(1, ["random"])
        with capture_logs() as logs:
            for report in (*reports, *reports):
                assert not pool._handle_report(report)
        assert [log["event"] for log in logs] == ["network_unusable"] * 2

    run_with_timeout(scenario())


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
def test_squares_of_a_reason(reason: Reason, squares: tuple[int, ...]) -> None:
    """A reason has the squares that it names or those of its whole line; a mission's row has none."""
    assert squares_of(reason) == squares


@pytest.mark.parametrize(
    ("player", "fault"),
    [
        ("raising", "workers.raised"),
        ("interrupting", "workers.raised"),
        ("wrongtype", "workers.wrong_kind"),
        ("cheating", "workers.illegal"),
        ("unmakeable", "workers.not_made"),
    ],
)
def test_a_faulty_player_is_replaced_by_the_fallback(
    player_folder: Path, player: str, fault: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """R14: the fault is reported without the player's output and logged with its trace; the worker lives."""
    view = make_view()

    async def scenario() -> None:
        async with running_pool(1, player) as worker_pool:
            found = await worker_pool.turn(player, view, KEY)
            assert found.choice == fallback_turn(view)
            assert found.fault is not None and found.fault.key == fault
            for language in LANGUAGES:
                assert SECRET not in found.fault.translate(language)
            assert worker_pool.statistics.failed == 1 and worker_pool.statistics.replaced == 0

    with capture_logs() as logs:
        run_with_timeout(scenario())
    (line,) = [line for line in logs if line["event"] == "player_failed"]
    assert line["player"] == player and line["fault"] == fault
    inside = player not in ("wrongtype", "cheating")
    assert ("crew_players.py" in line["trace"]) is inside
    assert SECRET not in repr(logs) and SECRET not in "".join(capfd.readouterr())


def test_the_job_of_a_killed_worker_is_repeated(player_folder: Path) -> None:
    """A killed worker is replaced and its job repeated, without a fault of the player."""
    view = make_view()

    async def scenario() -> None:
        async with running_pool(1, "gated") as worker_pool:
            job = asyncio.create_task(worker_pool.turn("gated", view, KEY))
            await until(lambda: worker_pids(player_folder))
            os.kill(worker_pids(player_folder)[0], signal.SIGKILL)
            await until(lambda: len(worker_pids(player_folder)) == 2)
            (player_folder / "gate").touch()
            found = await job
            assert found.choice == next(iter(view.options())) and found.fault is None
            assert len(set(worker_pids(player_folder))) == 2 and worker_pool.statistics.replaced == 1
            assert worker_pool.statistics.done == 1 and worker_pool.statistics.failed == 0

    run_with_timeout(scenario())


@pytest.mark.parametrize("player", ["crashing", "exiting", "forging"])
def test_a_player_that_ends_its_worker_is_asked_twice(player_folder: Path, player: str) -> None:
    """After two lost workers the fallback plays; a worker with forged output on its pipe counts as lost."""
    view = make_view()

    async def scenario() -> None:
        async with running_pool(1, player, "first") as worker_pool:
            found = await worker_pool.turn(player, view, KEY)
            assert found.choice == fallback_turn(view)
            assert found.fault is not None and found.fault.key == "workers.died"
            assert len(asked_players(player_folder)) == 2 and worker_pool.statistics.replaced == 2
            assert (await worker_pool.turn("first", view, KEY)).fault is None

    run_with_timeout(scenario())


def test_a_player_that_hangs_is_not_asked_again(player_folder: Path) -> None:
    """A hanging player's worker is killed and the fallback plays; other players are not affected."""
    view = make_view()

    async def scenario() -> None:
        async with running_pool(1, "hanging", "first", max_hints=1, job_timeout=1.0) as worker_pool:
            found = await worker_pool.turn("hanging", view, KEY)
            assert found.choice == fallback_turn(view)
            assert found.fault is not None and found.fault.key == "workers.hung"
            assert asked_players(player_folder) == ["Hanging"] and worker_pool.statistics.replaced == 1
            assert (await worker_pool.turn("first", view, KEY)).fault is None

    run_with_timeout(scenario())


def test_the_event_loop_is_not_blocked(player_folder: Path) -> None:
    """The event loop keeps running while two workers are busy and two turns wait."""

    async def scenario() -> None:
        async with running_pool(2, "gated") as worker_pool:
            jobs = [
                asyncio.create_task(worker_pool.turn("gated", make_view(turn), KEY)) for turn in range(2, 6)
            ]
            await until(lambda: len(asked_players(player_folder)) == 2)
            for _ in range(5000):
                await asyncio.sleep(0)
            assert not any(job.done() for job in jobs)
            figures = worker_pool.statistics
            assert (figures.running, figures.waiting, figures.done) == (2, 2, 0)
            (player_folder / "gate").touch()
            answers = await asyncio.gather(*jobs)
            assert [found.choice for found in answers] == [
                next(iter(make_view(turn).options())) for turn in range(2, 6)
            ]
            assert worker_pool.statistics.done == 4 and worker_pool.statistics.seconds > 0

    run_with_timeout(scenario())


def test_turns_are_unlimited_and_come_before_hints(player_folder: Path) -> None:
    """With a busy worker a third hint is refused, but twenty turns are accepted and served first."""
    view, order = make_view(), list[str]()

    async def turn(worker_pool: WorkerPool) -> None:
        await worker_pool.turn("first", view, KEY)
        order.append("turn")

    async def ask_hint(worker_pool: WorkerPool, guest: str) -> None:
        await worker_pool.hint(view, KEY, guest)
        order.append("hint")

    async def scenario() -> None:
        async with running_pool(1, "gated", "first", max_hints=2, hint_rollouts=10) as worker_pool:
            busy = asyncio.create_task(worker_pool.turn("gated", view, KEY))
            await until(lambda: asked_players(player_folder))
            hints = [asyncio.create_task(ask_hint(worker_pool, guest)) for guest in ("Ada", "Bob")]
            await until(lambda: worker_pool.statistics.waiting_hints == 2)
            with user_error("workers.busy"):
                await worker_pool.hint(view, KEY)
            turns = [asyncio.create_task(turn(worker_pool)) for _ in range(20)]
            await until(lambda: worker_pool.statistics.waiting == 20)
            (player_folder / "gate").touch()
            await asyncio.gather(busy, *turns, *hints)
            await worker_pool.hint(view, KEY)  # there is room again

    run_with_timeout(scenario())
    assert order == ["turn"] * 20 + ["hint"] * 2


def test_cancelled_jobs(player_folder: Path) -> None:
    """A waiting job that is cancelled is never started; a running one finishes and its worker is kept."""
    view = make_view()

    async def scenario() -> None:
        async with running_pool(1, "gated", "first") as worker_pool:
            running = asyncio.create_task(worker_pool.turn("gated", view, KEY))
            await until(lambda: asked_players(player_folder))
            waiting = asyncio.create_task(worker_pool.turn("gated", view, KEY))
            await until(lambda: worker_pool.statistics.waiting == 1)
            for job in (running, waiting):
                job.cancel()
            await until(lambda: worker_pool.statistics.waiting == 0)
            (player_folder / "gate").touch()
            await worker_pool.turn("first", view, KEY)
            assert (
                asked_players(player_folder) == ["Gated", "First"]
                and len(set(worker_pids(player_folder))) == 1
            )

    run_with_timeout(scenario())


def test_only_allowed_players_are_made(player_folder: Path) -> None:
    """Players that are not allowed and external programs are refused, by the pool and by the worker."""
    view = make_view()

    async def scenario() -> None:
        async with running_pool(1, "first") as worker_pool:
            for name in ("raising", "cmd:true", "first@3", ""):
                with user_error("workers.not_allowed", name=name, allowed="first"):
                    await worker_pool.turn(name, view, KEY)

    run_with_timeout(scenario())
    for name in ("cmd:true", "nobody", "planner@0"):
        with pytest.raises(UserError):
            WorkerPool(1, [name])
    config = json.loads(PoolConfig().line(frozenset({"gated", "cmd:true"})))
    for name in ("first", "cmd:true"):
        question = {"ask": "turn", "player": name, "view": write_view(view), "key": KEY.hex()}
        assert answer(question, config)["fault"] == "workers.not_made"
    assert asked_players(player_folder) == []


def test_a_worker_receives_only_the_view_of_the_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """R11, R12: a change of hidden cards or missions does not change the bytes sent to the worker."""
    sent: list[bytes] = []
    send = WorkerProcess.send

    def record_send(worker: WorkerProcess, line: bytes) -> None:
        sent.append(line)
        send(worker, line)

    monkeypatch.setattr(WorkerProcess, "send", record_send)
    state = random_states(odd_deal(VARIANTS[4], stream(1)), stream(2))[6]
    me, other = state.to_move, 1 - state.to_move
    held = list(state.hands)
    piled = list(state.piles)
    held[other], piled[other] = piled[other] & -piled[other], held[other] | piled[other] & (piled[other] - 1)
    missions = list(state.missions)
    missions[other] = missions[other][::-1]
    changed = replace(state, hands=tuple(held), piles=tuple(piled), missions=tuple(missions))
    assert changed != state and changed.view(me) == state.view(me)

    async def scenario() -> None:
        async with running_pool(1, "random") as worker_pool:
            for game in (state, changed):
                await worker_pool.turn("random", game.view(me), KEY)
            with pytest.raises(AttributeError):
                await worker_pool.turn("random", state, KEY)  # type: ignore[arg-type]  # a state is refused
            with pytest.raises(ValueError, match="not the turn of this seat"):
                await worker_pool.turn("random", state.view(other), KEY)
            with pytest.raises(ValueError, match="32 bytes"):
                await worker_pool.turn("random", state.view(me), b"")

    run_with_timeout(scenario())
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


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import os; os._exit(3)", "it exited with status 3"),
        ("import os; os.kill(os.getpid(), 9)", "it was killed by signal 9"),
        ("print('no report', flush=True)", "it sent an invalid report"),
        (None, "the process could not be started: there is no such file or folder"),
    ],
)
def test_a_worker_that_cannot_start_logs_the_reason(
    code: str | None, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log says why: the status, the signal, or the error of the system."""
    if code is None:
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
    else:
        monkeypatch.setattr(worker_process, "_MAIN", code)
    lines = _log_of_a_failed_start()
    assert [line["reason"] for line in lines if line["event"] == "worker_not_ready"] == [reason]


def test_a_worker_that_fails_while_it_prepares_logs_the_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log has the class and the source lines of the exception, but not its text."""
    code = f"from sanssouci.workers import worker; worker.prepare = lambda: {{}}['{SECRET}']; worker.main()"
    monkeypatch.setattr(worker_process, "_MAIN", code)
    lines = _log_of_a_failed_start()
    failed = next(line for line in lines if line["event"] == "worker_start_failed")
    assert failed["error"] == "KeyError" and "_prepare" in failed["trace"]
    assert SECRET not in str(lines)
    assert next(line["reason"] for line in lines if line["event"] == "worker_not_ready").endswith("status 1")


def _log_of_a_failed_start() -> list[Any]:
    async def scenario() -> None:
        worker_pool = WorkerPool(1, ["random"])
        worker_pool.start()
        with user_error("workers.no_worker"):
            await worker_pool.ready()
        await worker_pool.close()

    with capture_logs() as lines:
        run_with_timeout(scenario())
    return list(lines)


def test_a_pool_whose_workers_cannot_start(player_folder: Path) -> None:
    """``ready`` fails, turns are played by the rules alone with a fault, and hints are refused."""
    view, seen = make_view(), list[StartProgress]()

    async def scenario() -> None:
        worker_pool = WorkerPool(2, ["stillborn"], on_progress=seen.append)
        worker_pool.start()
        with user_error("workers.no_worker"):
            await worker_pool.ready()
        found = await worker_pool.turn("stillborn", view, KEY)
        assert found.choice == greedy_points_turn(view)
        assert found.fault is not None and found.fault.key == "workers.no_worker"
        with user_error("workers.no_hint"):
            await worker_pool.hint(view, KEY)
        await worker_pool.close()

    run_with_timeout(scenario())
    assert seen[0] == StartProgress("stillborn", 0, 2, 0) and all(progress.ready == 0 for progress in seen)
