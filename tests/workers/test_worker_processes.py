"""Worker processes: isolated from the server, replaced when they die, and never left behind."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from sanssouci.notation import parse_turn, write_turn
from sanssouci.workers import DoneJob, PoolConfig, StartProgress, WorkerPool
from sanssouci.workers.answer import BadResponse
from sanssouci.workers.job import TurnJob, read_answer
from tests.processes import LINUX_ONLY

from ..helpers import user_error
from .pools import (
    KEY,
    TIMEOUT,
    asked_players,
    make_view,
    player_report,
    process_exists,
    run_with_timeout,
    running_pool,
    until,
    worker_pids,
)


@LINUX_ONLY
def test_a_worker_inherits_no_files_or_settings(player_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker has no socket, file or setting of the server, and its libraries use one thread."""
    monkeypatch.setenv("SANSSOUCI_SECRET", "hush")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)

    async def scenario() -> None:
        with socket.socket() as server, (player_folder / "data").open("w") as data:
            server.set_inheritable(True)
            os.set_inheritable(data.fileno(), True)
            async with running_pool(1, "reporting") as worker_pool:
                await worker_pool.turn("reporting", make_view(), KEY)

    run_with_timeout(scenario())
    found = player_report(player_folder)
    assert "SANSSOUCI_SECRET" not in found["environ"] and found["environ"]["PATH"] == os.environ["PATH"]
    for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
        assert found["environ"][f"{library}_NUM_THREADS"] == "1"
    kinds = sorted(name.split(":")[0] for name in found["files"] if not name.startswith("/proc"))
    assert kinds == ["/dev/null"] * 3 + ["pipe"] * 2


def test_a_worker_ignores_interrupt_and_terminate(player_folder: Path) -> None:
    """SIGINT and SIGTERM do not end a worker, and it is in a session without the terminal."""

    async def scenario() -> None:
        async with running_pool(1, "gated") as worker_pool:
            job = asyncio.create_task(worker_pool.turn("gated", make_view(), KEY))
            await until(lambda: worker_pids(player_folder))
            for number in (signal.SIGINT, signal.SIGTERM):
                os.kill(worker_pids(player_folder)[0], number)
            assert os.getsid(worker_pids(player_folder)[0]) == worker_pids(player_folder)[0], (
                "signals of the terminal do not reach it"
            )
            (player_folder / "gate").touch()
            assert (await job).fault is None
            assert worker_pool.statistics.replaced == 0 and len(asked_players(player_folder)) == 1

    run_with_timeout(scenario())


def test_a_worker_has_lower_priority_than_the_server(player_folder: Path) -> None:
    """A worker has a higher nice value than the server."""

    async def scenario() -> None:
        async with running_pool(1, "first") as worker_pool:
            await worker_pool.turn("first", make_view(), KEY)
            worker, server = (
                os.getpriority(os.PRIO_PROCESS, pid) for pid in (worker_pids(player_folder)[0], 0)
            )
            assert worker > server or worker == 19, "19 is the maximum"

    run_with_timeout(scenario())


def test_an_idle_worker_that_dies_is_replaced_at_once(player_folder: Path) -> None:
    """The worker is replaced before the next turn needs it, and that turn is asked for once."""

    async def scenario() -> None:
        async with running_pool(1, "first") as worker_pool:
            await worker_pool.turn("first", make_view(), KEY)
            os.kill(worker_pids(player_folder)[0], signal.SIGKILL)
            await until(lambda: worker_pool.statistics.replaced == 1 and worker_pool.progress.ready == 1)
            assert (await worker_pool.turn("first", make_view(), KEY)).fault is None
            assert len(set(worker_pids(player_folder))) == len(worker_pids(player_folder)) == 2

    run_with_timeout(scenario())


def test_a_worker_is_replaced_after_max_jobs(player_folder: Path) -> None:
    """Seven jobs at three per worker use three processes, and only the last is left."""

    async def scenario() -> None:
        async with running_pool(1, "first", max_jobs=3) as worker_pool:
            for _ in range(7):
                assert (await worker_pool.turn("first", make_view(), KEY)).fault is None
            assert [
                worker_pids(player_folder).count(pid) for pid in dict.fromkeys(worker_pids(player_folder))
            ] == [3, 3, 1]
            assert worker_pool.statistics.replaced == 2
            assert [process_exists(pid) for pid in dict.fromkeys(worker_pids(player_folder))] == [
                False,
                False,
                True,
            ]

    run_with_timeout(scenario())


def test_closing_waits_for_running_jobs(player_folder: Path) -> None:
    """Running jobs finish, waiting and new jobs are refused, and no process is left, not even a zombie."""

    async def scenario() -> None:
        async with running_pool(2, "gated") as worker_pool:
            jobs = [
                asyncio.create_task(worker_pool.turn("gated", make_view(turn), KEY)) for turn in range(2, 5)
            ]
            await until(lambda: len(asked_players(player_folder)) == 2)
            closing = asyncio.create_task(worker_pool.close(grace=TIMEOUT))
            with user_error("workers.closed"):
                await jobs[2]
            with user_error("workers.closed"):
                await worker_pool.turn("gated", make_view(), KEY)
            assert not closing.done()
            (player_folder / "gate").touch()
            assert [(await job).fault for job in jobs[:2]] == [None, None]
            await closing
            assert not any(map(process_exists, worker_pids(player_folder))), "no zombie remains"

    run_with_timeout(scenario())


def test_closing_kills_workers_after_the_grace_period(player_folder: Path) -> None:
    """A hanging worker is killed with its child process, and its job fails."""

    async def scenario() -> None:
        async with running_pool(1, "parent") as worker_pool:
            job = asyncio.create_task(worker_pool.turn("parent", make_view(), KEY))
            await until(lambda: worker_pids(player_folder))
            child = psutil.Process(int((player_folder / "child").read_text()))
            await worker_pool.close(grace=0.01)
            with user_error("workers.closed"):
                await job
            assert not process_exists(worker_pids(player_folder)[0])
            await until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)

    run_with_timeout(scenario())


def test_closing_during_start_leaves_no_process(player_folder: Path) -> None:
    """Processes that are just starting are ended too, and ``ready`` returns."""

    async def scenario() -> None:
        before = {child.pid for child in psutil.Process().children()}
        worker_pool = WorkerPool(2, ["first"])
        worker_pool.start()
        waiting = asyncio.create_task(worker_pool.ready())
        await asyncio.sleep(0)
        await worker_pool.close()
        await waiting
        assert {child.pid for child in psutil.Process().children()} <= before

    run_with_timeout(scenario())


SERVER = """
import asyncio
from sanssouci.workers import PoolConfig, WorkerPool
from tests.workers.pools import KEY, make_view

async def serve():
    pool = WorkerPool(2, ["hanging", "parent"], PoolConfig(max_hints=0))
    pool.start()
    await asyncio.gather(*(pool.turn(name, make_view(), KEY) for name in ("hanging", "parent")))

asyncio.run(serve())
"""


def test_workers_end_when_the_server_is_killed(player_folder: Path) -> None:
    """After kill -9 of the server its busy workers end, as does a process started by one of them."""
    server = subprocess.Popen([sys.executable, "-c", SERVER], cwd=Path(__file__).parents[2])
    try:
        run_with_timeout(until(lambda: len(worker_pids(player_folder)) == 2))
        processes = [
            psutil.Process(pid)
            for pid in (*worker_pids(player_folder), int((player_folder / "child").read_text()))
        ]
    finally:
        server.kill()
        server.wait()
    _, left = psutil.wait_procs(processes, timeout=TIMEOUT)
    assert [process for process in left if process.status() != psutil.STATUS_ZOMBIE] == []


def test_start_progress_is_reported(player_folder: Path) -> None:
    """Each step is reported, and a player that cannot be prepared does not stop the start."""
    seen: list[StartProgress] = []
    jobs: list[DoneJob] = []

    async def scenario() -> None:
        worker_pool = WorkerPool(
            2, ["first", "unprepared"], PoolConfig(max_hints=0), seen.append, jobs.append
        )
        worker_pool.start()
        await worker_pool.ready()
        assert worker_pool.progress.ready == 1, "one worker is enough"
        await until(lambda: worker_pool.progress.ready == 2)
        assert (await worker_pool.turn("first", make_view(), KEY)).fault is None
        await worker_pool.close()

    run_with_timeout(scenario())
    assert seen[:3] == [
        StartProgress("first", 0, 2, 0),
        StartProgress("unprepared", 1, 2, 0),
        StartProgress(ready=1),
    ]
    (job,) = jobs
    assert job.kind == "turn" and 0 < job.seconds < TIMEOUT and 0 <= job.waited < TIMEOUT


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"[]\n",
        b"7\n",
        b"\xff\xfe\n",
        b"[" * 100_000 + b"\n",
        b'{"id": NUMBER}\n',
        b'{"id": NUMBER, "turn": 7}\n',
        b'{"id": NUMBER, "turn": "36@2-g3/g3/g3"}\n',
        b'{"id": NUMBER, "turn": "TURN", "fault": "hint.turn"}\n',
        b'{"id": NUMBER, "turn": "TURN", "fault": ["a"]}\n',
        b'{"id": 0, "turn": "TURN"}\n',
        b'{"id": NUMBER, "turn": "ILLEGAL"}\n',
    ],
)
def test_an_invalid_response_is_rejected(line: bytes) -> None:
    """Malformed lines, answers to another job and illegal turns are bad responses."""
    view = make_view()
    first = next(iter(view.options()))
    illegal = replace(first, noble=53)
    assert parse_turn(write_turn(illegal)) == illegal and illegal not in view.options()
    values = {b"TURN": write_turn(first).encode(), b"ILLEGAL": write_turn(illegal).encode()}

    async def scenario() -> None:
        job = TurnJob("first", view, KEY)
        values[b"NUMBER"] = str(job.number).encode()

        def fill(pattern: bytes) -> bytes:
            for word, value in values.items():
                pattern = pattern.replace(word, value)
            return pattern

        assert read_answer(job, fill(b'{"id": NUMBER, "turn": "TURN"}'))[0].choice == first
        with pytest.raises(BadResponse):
            read_answer(job, fill(line))

    run_with_timeout(scenario())


def test_a_worker_does_not_import_heavy_packages() -> None:
    """A worker process imports neither the web server nor the database nor Numba."""
    heavy = {"fastapi", "uvicorn", "sqlalchemy", "numba", "numpy"}
    script = f"import sanssouci.workers.worker, sys; print(*({heavy!r} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.split() == []
