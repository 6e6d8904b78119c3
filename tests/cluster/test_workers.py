"""Computer players in ``sanssouci worker``, through a real Redis."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from signal import SIGTERM
from typing import Any

import psutil
import pytest
from sqlalchemy import make_url
from structlog.testing import capture_logs

from sanssouci.locale import UserError
from sanssouci.notation import parse_view, read_record
from sanssouci.players.registry import _factory, _installed
from sanssouci.review import positions
from sanssouci.workers.answer import DIED, HUNG

from ..harness.server import InProcessServer
from ..playthrough import RECORDS
from ..workers.pools import KEY, install_players, make_view, run_with_timeout, until, worker_pids
from .programs import Redis, missing_redis

pytest.importorskip("streaq", reason="streaq is not installed: pip install 'sanssouci-game[cluster]'")

from sanssouci.workers import cluster_pool, redis_queue
from sanssouci.workers.queue_worker import RelayPool
from sanssouci.workers.redis_queue import JobMessage

from .worker_program import (
    ObservedPool,
    WorkerProgram,
    asked,
    cancelled,
    close_gate,
    connected_pool,
    open_gate,
)

FOREVER = 100_000_000
"""Rollouts of a review that never ends."""


@pytest.fixture(scope="module")
def players(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with misbehaving players, for this process and for workers."""
    folder = install_players(tmp_path_factory.mktemp("players"))
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        patch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
        _installed.cache_clear()
        _factory.cache_clear()
        yield folder
    sys.modules.pop("crew_players", None)
    _installed.cache_clear()
    _factory.cache_clear()


@pytest.fixture(scope="module")
def programs(shared_redis_server: Redis, players: Path) -> Iterator[list[WorkerProgram]]:
    """Two workers with one process each."""
    found = [WorkerProgram(shared_redis_server) for _ in range(2)]
    try:
        yield found
    finally:
        for program in found:
            program.remove()


@pytest.fixture
def folder(players: Path) -> Path:
    """The folder of the players, where nobody was asked yet and the gate is closed."""
    close_gate(players)
    return players


def run_workers(programs: list[WorkerProgram], count: int) -> list[WorkerProgram]:
    """Let exactly so many of them run."""
    for program in programs[count:]:
        program.stop()
    for program in programs[:count]:
        if not program.is_running:
            program.start()
    return programs[:count]


@asynccontextmanager
async def blocked(pool: ObservedPool, folder: Path) -> "AsyncIterator[asyncio.Task[Any]]":
    """A turn that a worker is working on, and does not finish before the gate is opened."""
    turn = asyncio.create_task(pool.turn("gated", make_view(), KEY))
    await asked(folder)
    try:
        yield turn
    finally:
        open_gate(folder)
        await cancelled(turn)


def test_a_game_is_played_by_two_workers(
    tmp_path: Path, shared_redis_server: Redis, programs: list[WorkerProgram], folder: Path
) -> None:
    """Two machines share the turns of one game, and the server's own process does nothing."""
    workers = run_workers(programs, 2)

    async def scenario() -> None:
        async with connected_pool(shared_redis_server, "level:1", processes=2) as pool:
            server = InProcessServer(tmp_path, ("level:1",), pool=pool)
            await server.open()
            try:
                ada = await server.guest()
                table = await ada.create_table("person", "level:1", first=0)
                view = await server.play_out(table, {0: ada})
                assert view["stage"] == "over"
            finally:
                await server.close()
            assert len(pool.done) >= 15 and all(job.remote for job in pool.done)

    before = [worker.jobs() for worker in workers]
    run_with_timeout(scenario())
    assert all(worker.jobs() > old for worker, old in zip(workers, before, strict=True))


def test_the_job_of_a_killed_worker_is_taken_over(
    shared_redis_server: Redis, programs: list[WorkerProgram], folder: Path
) -> None:
    """A worker is killed in the middle of a turn; another one plays it."""
    workers = run_workers(programs, 2)

    async def scenario() -> None:
        async with connected_pool(shared_redis_server, "gated", processes=2) as pool:
            async with blocked(pool, folder) as turn:
                (pid,) = worker_pids(folder)
                (victim,) = [worker for worker in workers if _is_child(pid, worker.pid)]
                victim.stop()
                await asked(folder, 2)
                open_gate(folder)
                assert (await turn).fault is None
            assert [job.remote for job in pool.done] == [True]
            assert len(set(worker_pids(folder))) == 2

    run_with_timeout(scenario())


def test_a_job_survives_any_number_of_workers(shared_redis_server: Redis) -> None:
    """The queue would otherwise drop it after a few dead workers, and the server would wait for a reply."""
    for lane in redis_queue.Lane:
        queue = redis_queue.RedisQueue(make_url(shared_redis_server.url), lane, cluster_pool._not_here)
        assert queue.run_job.max_tries is None


def test_jobs_are_taken_over_within_three_seconds() -> None:
    """By another worker, or by the server if there is none."""
    assert 2 * redis_queue.IDLE_TIMEOUT <= 1.5
    assert redis_queue.REPORT_TTL + cluster_pool.POLL_INTERVAL <= 2.5
    assert redis_queue.REPORT_TTL >= 2 * redis_queue.REPORT_INTERVAL


def test_play_goes_on_without_redis_and_without_workers(
    shared_redis_server: Redis, programs: list[WorkerProgram], folder: Path
) -> None:
    """Redis is killed, then all workers are: the server's own process plays, until a worker is back."""
    run_workers(programs, 1)

    async def scenario() -> None:
        async with connected_pool(shared_redis_server, "gated", "first") as pool:
            async with blocked(pool, folder) as turn:
                shared_redis_server.stop()
                await asked(folder, 2)
                open_gate(folder)
                assert (await turn).fault is None
            assert [job.remote for job in pool.done] == [False]
            shared_redis_server.start()
            await until(lambda: pool.remote_processes == 1)
            await pool.turn("first", make_view(), KEY)
            programs[0].stop()
            await until(lambda: pool.remote_processes == 0)
            await pool.turn("first", make_view(), KEY)
            await until(lambda: len(pool.done) == 3)
            assert pool.can_play and [job.remote for job in pool.done] == [False, True, False]

    run_with_timeout(scenario())


def test_turns_come_before_hints_and_preempt_reviews(
    shared_redis_server: Redis, programs: list[WorkerProgram], folder: Path
) -> None:
    """Jobs of two servers in Redis are served by priority; a review that is no longer wanted ends."""
    run_workers(programs, 1)
    record = read_record(RECORDS / "imperial-base-2.json")
    states, turns = positions(record)

    async def scenario() -> None:
        async with (
            connected_pool(shared_redis_server, "gated", "first", max_hints=4, review_rollouts=FOREVER) as a,
            connected_pool(shared_redis_server, "first") as b,
        ):
            review = asyncio.create_task(a.review_position(record, states[3], turns[3]))
            await until(lambda: a.remote_jobs.get("review") == 1)
            order: list[str] = []
            async with blocked(a, folder) as turn:
                hint = asyncio.create_task(a.hint(make_view(), KEY))
                hint.add_done_callback(lambda _: order.append("hint"))
                await until(lambda: a.remote_jobs.get("play") == 2)
                other = [asyncio.create_task(b.turn("first", make_view(), KEY)) for _ in range(2)]
                for one in other:
                    one.add_done_callback(lambda _: order.append("turn"))
                await until(lambda: a.remote_jobs.get("play") == 4)
                open_gate(folder)
                await asyncio.gather(turn, hint, *other)
            assert order == ["turn", "turn", "hint"] and not review.done()
            await cancelled(review)
            await until(lambda: a.remote_jobs.get("review") == 0)
            assert all(job.remote for job in (*a.done, *b.done))

    run_with_timeout(scenario())


def test_a_worker_that_is_stopped_gives_its_jobs_back(
    shared_redis_server: Redis, programs: list[WorkerProgram], folder: Path
) -> None:
    """SIGTERM ends a worker with status 0 in the middle of a review, which stays in the queue."""
    (program,) = run_workers(programs, 1)
    record = read_record(RECORDS / "imperial-base-2.json")
    states, turns = positions(record)

    async def scenario() -> None:
        async with connected_pool(shared_redis_server, "first", review_rollouts=FOREVER) as pool:
            review = asyncio.create_task(pool.review_position(record, states[3], turns[3]))
            await until(lambda: pool.remote_jobs.get("review") == 1)
            assert await asyncio.to_thread(program.stop, SIGTERM) == 0
            assert await until(lambda: pool.remote_processes == 0 and pool.remote_jobs) == {
                "play": 0,
                "review": 1,
            }
            await cancelled(review)

    run_with_timeout(scenario())
    assert "Traceback" not in program.log and "redis_away" not in program.log.rsplit("worker.ready")[-1]


def test_nothing_secret_is_in_redis(
    tmp_path: Path, shared_redis_server: Redis, programs: list[WorkerProgram], folder: Path
) -> None:
    """While a worker thinks, Redis holds the view of its seat and no seed, token or card of another seat."""
    run_workers(programs, 1)
    before = stored(shared_redis_server).keys()  # of other tests, which share the server

    async def scenario() -> None:
        async with connected_pool(shared_redis_server, "gated") as pool:
            server = InProcessServer(tmp_path, ("gated",), pool=pool)
            await server.open()
            try:
                ada = await server.guest()
                table = await ada.create_table("gated", "person", first=0, expansions=["rewards"])
                playing = asyncio.create_task(server.play_out(table, {1: ada}, commands=5))
                await asked(folder)
                contents = stored(shared_redis_server)
                (task,) = [contents[name] for name in contents.keys() - before if ":task:data:" in name]
                message: dict[str, Any] = json.loads(task)["a"][0]
                assert message.keys() == {"id", "reply_to", "request_id", "question"}
                question = message["question"]
                assert question.keys() == {"ask", "player", "view", "key"}
                live_table = server.services.registry.find_loaded(table.id)
                assert live_table is not None and live_table.table.state.game is not None
                assert parse_view(question["view"]) == live_table.table.state.game.view(0)
                everything = "\n".join(f"{name} {text}" for name, text in contents.items())
                secrets = [seed.hex() for seed in server.secrets.seeds] + [ada.headers["authorization"][7:]]
                assert len(secrets) >= 2 and not [one for one in secrets if one in everything]
            finally:
                open_gate(folder)
                await cancelled(playing)
                await server.close()

    run_with_timeout(scenario())


REPLIES: tuple[tuple[dict[str, Any], str | None], ...] = (
    ({"response": {"turn": "zz@9-a1/a1"}}, None),
    ({"response": {"id": 1}}, None),
    ({"response": None, "fault": ""}, None),
    ({"response": None, "fault": HUNG}, HUNG),
    ({"response": None, "fault": DIED}, DIED),
)
"""A reply, and the fault that everyone at the table sees."""


def test_replies_are_checked(shared_redis_server: Redis, programs: list[WorkerProgram], folder: Path) -> None:
    """An invalid reply, or one without a response, leaves the turn to the server's own process."""
    import redis

    (program,) = run_workers(programs, 1)
    before, seen = program.jobs(), list[object]()

    async def scenario() -> None:
        with redis.Redis(port=shared_redis_server.port) as client:
            async with connected_pool(shared_redis_server, "gated") as pool:
                for reply, fault in REPLIES:
                    close_gate(folder)
                    async with blocked(pool, folder) as turn:
                        (job,) = pool._replies
                        whole = {"id": job, "response": None, "fault": "", "seconds": 0.5, **reply}
                        client.publish(pool._channel, "nonsense")
                        client.publish(pool._channel, json.dumps(whole))
                        if fault is None:
                            await until(lambda: turn.done() or len(worker_pids(folder)) == 2)
                        open_gate(folder)
                        found = (await turn).fault
                    assert (found and found.key) == fault
                    seen.append(reply)
                    await until(lambda: program.jobs() - before == len(seen))
                assert len(pool.done) == len(REPLIES) and not any(job.remote for job in pool.done)

    run_with_timeout(scenario())


def test_a_hanging_player_is_reported_to_the_server(players: Path) -> None:
    """A worker does not replace the player of another machine: the server decides."""

    async def scenario() -> None:
        from sanssouci.workers.job import TurnJob
        from sanssouci.workers.pool_config import PoolConfig

        pool = RelayPool(1, ["hanging", "first"], PoolConfig(max_hints=0, job_timeout=1.0))
        pool.start()
        try:
            await pool.ready()
            question = TurnJob("hanging", make_view(), KEY).question()
            message = JobMessage(id="1", reply_to="x", request_id="", question=question)
            reply = await pool.relay(message)
            assert (reply["response"], reply["fault"]) == (None, HUNG)
        finally:
            await pool.close(grace=0)

    run_with_timeout(scenario())


def test_limits_of_hints_are_those_of_the_server(shared_redis_server: Redis) -> None:
    """One hint for each person, and no more than ``max_hints`` in all, as without Redis."""

    async def scenario() -> None:
        pool = ObservedPool(shared_redis_server, "random", max_hints=2)
        pool._set_processes(1)  # nobody answers
        waiting = [asyncio.create_task(pool.hint(make_view(), KEY, owner)) for owner in ("ada", "bob")]
        await until(lambda: pool.statistics.waiting_hints == 2)
        for owner, key in (("ada", "workers.hint_waits"), ("cid", "workers.busy")):
            with pytest.raises(UserError) as refused:
                await pool.hint(make_view(), KEY, owner)
            assert refused.value.key == key
        await cancelled(*waiting)
        assert pool.statistics.waiting_hints == 0

    run_with_timeout(scenario())


def test_a_redis_that_is_too_old_is_logged_once(players: Path) -> None:
    """The server plays with its own process; before version 7, Redis had no functions."""
    reason = missing_redis()
    if reason is not None:
        pytest.skip(reason)
    old = Redis("--rename-command", "FUNCTION", "")

    async def scenario() -> None:
        with capture_logs() as lines:
            pool = ObservedPool(old, "first")
            pool.start()
            try:
                await until(lambda: [line for line in lines if line["event"] == "job_queue_unusable"])
                assert (await pool.turn("first", make_view(), KEY)).fault is None
                assert not pool.remote_processes
            finally:
                await pool.close(grace=0)

    try:
        run_with_timeout(scenario())
    finally:
        old.remove()


def stored(server: Redis) -> dict[str, str]:
    """Everything in a Redis, as text."""
    import redis

    found: dict[str, str] = {}
    with redis.Redis(port=server.port, decode_responses=True) as client:
        for name in client.scan_iter():
            match client.type(name):
                case "string":
                    found[name] = str(client.get(name))
                case "set":
                    found[name] = str(client.smembers(name))
                case "zset":
                    found[name] = str(client.zrange(name, 0, -1))
                case "stream":
                    found[name] = str(client.xrange(name))
                case "none":
                    pass  # it was deleted meanwhile
                case kind:
                    raise AssertionError(f"{name} is a {kind}")
    return found


def _is_child(pid: int, parent: int) -> bool:
    return parent in (process.pid for process in psutil.Process(pid).parents())
