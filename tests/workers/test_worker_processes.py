"""The processes themselves: alone with their pipes, hard to stop by accident, and never left behind."""

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

from sanssouci.locale import UserError
from sanssouci.notation import parse_turn, write_turn
from sanssouci.workers import PoolConfig, StartProgress, WorkerPool
from sanssouci.workers.answer import BadResponse
from sanssouci.workers.job import TurnJob, read_answer
from tests.processes import LINUX_ONLY

from .pools import KEY, LONG, a_view, alive, asked, at_work, pids, told, until, within


@LINUX_ONLY
def test_a_worker_has_nothing_of_its_parents(crew: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No socket, no file, no setting of the server; and every library computes in one thread."""
    monkeypatch.setenv("SANSSOUCI_SECRET", "hush")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)

    async def story() -> None:
        with socket.socket() as server, (crew / "data").open("w") as data:
            server.set_inheritable(True)
            os.set_inheritable(data.fileno(), True)
            async with at_work(1, "telling") as worker_pool:
                await worker_pool.turn("telling", a_view(), KEY)

    within(story())
    found = told(crew)
    assert "SANSSOUCI_SECRET" not in found["environ"] and found["environ"]["PATH"] == os.environ["PATH"]
    for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
        assert found["environ"][f"{library}_NUM_THREADS"] == "1"
    kinds = sorted(name.split(":")[0] for name in found["files"] if not name.startswith("/proc"))
    assert kinds == ["/dev/null"] * 3 + ["pipe"] * 2


def test_signals_that_are_meant_for_the_server_end_no_worker(crew: Path) -> None:
    """Ctrl-C, or a service manager that tells the whole group to stop: the parent decides."""

    async def story() -> None:
        async with at_work(1, "gated") as worker_pool:
            job = asyncio.create_task(worker_pool.turn("gated", a_view(), KEY))
            await until(lambda: pids(crew))
            for number in (signal.SIGINT, signal.SIGTERM):
                os.kill(pids(crew)[0], number)
            assert os.getsid(pids(crew)[0]) == pids(crew)[0], "the terminal's signals do not even reach it"
            (crew / "gate").touch()
            assert (await job).fault is None
            assert worker_pool.statistics.replaced == 0 and len(asked(crew)) == 1

    within(story())


def test_a_worker_gives_way_to_the_server(crew: Path) -> None:
    """People who play against each other do not wait while a computer thinks."""

    async def story() -> None:
        async with at_work(1, "first") as worker_pool:
            await worker_pool.turn("first", a_view(), KEY)
            worker, server = (os.getpriority(os.PRIO_PROCESS, pid) for pid in (pids(crew)[0], 0))
            assert worker > server or worker == 19, "there is nothing nicer than that"

    within(story())


def test_a_worker_that_dies_idle_is_replaced_at_once(crew: Path) -> None:
    """Not only when the next turn would need it; the turn is then asked for once."""

    async def story() -> None:
        async with at_work(1, "first") as worker_pool:
            await worker_pool.turn("first", a_view(), KEY)
            os.kill(pids(crew)[0], signal.SIGKILL)
            await until(lambda: worker_pool.statistics.replaced == 1 and worker_pool.progress.ready == 1)
            assert (await worker_pool.turn("first", a_view(), KEY)).fault is None
            assert len(set(pids(crew))) == len(pids(crew)) == 2

    within(story())


def test_a_worker_is_replaced_when_it_has_worked_long_enough(crew: Path) -> None:
    """Seven jobs at three each: three workers, all jobs done once, none of the old ones left."""

    async def story() -> None:
        async with at_work(1, "first", max_jobs=3) as worker_pool:
            for _ in range(7):
                assert (await worker_pool.turn("first", a_view(), KEY)).fault is None
            assert [pids(crew).count(pid) for pid in dict.fromkeys(pids(crew))] == [3, 3, 1]
            assert worker_pool.statistics.replaced == 2
            assert [alive(pid) for pid in dict.fromkeys(pids(crew))] == [False, False, True]

    within(story())


def test_closing_lets_finish_what_runs(crew: Path) -> None:
    """What waits is refused, what comes is refused, and no process is left, not even a dead one."""

    async def story() -> None:
        async with at_work(2, "gated") as worker_pool:
            jobs = [asyncio.create_task(worker_pool.turn("gated", a_view(turn), KEY)) for turn in range(2, 5)]
            await until(lambda: len(asked(crew)) == 2)
            closing = asyncio.create_task(worker_pool.close(grace=LONG))
            with pytest.raises(UserError, match="server is stopping"):
                await jobs[2]
            with pytest.raises(UserError, match="server is stopping"):
                await worker_pool.turn("gated", a_view(), KEY)
            assert not closing.done()
            (crew / "gate").touch()
            assert [(await job).fault for job in jobs[:2]] == [None, None]
            await closing
            assert not any(map(alive, pids(crew))), "no zombie remains"

    within(story())


def test_closing_waits_no_longer_than_it_should(crew: Path) -> None:
    """One that hangs is ended with all that it has started; its caller is told."""

    async def story() -> None:
        async with at_work(1, "parent") as worker_pool:
            job = asyncio.create_task(worker_pool.turn("parent", a_view(), KEY))
            await until(lambda: pids(crew))
            child = psutil.Process(int((crew / "child").read_text()))
            await worker_pool.close(grace=0.01)
            with pytest.raises(UserError, match="server is stopping"):
                await job
            assert not alive(pids(crew)[0])
            await until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)

    within(story())


def test_closing_before_anyone_is_ready_leaves_nobody(crew: Path) -> None:
    """Also a process that was only just started is ended; whoever waits for readiness is let go."""

    async def story() -> None:
        before = {child.pid for child in psutil.Process().children()}
        worker_pool = WorkerPool(2, ["first"])
        worker_pool.start()
        waiting = asyncio.create_task(worker_pool.ready())
        await asyncio.sleep(0)
        await worker_pool.close()
        await waiting
        assert {child.pid for child in psutil.Process().children()} <= before

    within(story())


SERVER = """
import asyncio
from sanssouci.workers import PoolConfig, WorkerPool
from tests.workers.pools import KEY, a_view

async def serve():
    pool = WorkerPool(2, ["hanging", "parent"], PoolConfig(max_hints=0))
    pool.start()
    await asyncio.gather(*(pool.turn(name, a_view(), KEY) for name in ("hanging", "parent")))

asyncio.run(serve())
"""


def test_no_worker_outlives_a_server_that_is_killed(crew: Path) -> None:
    """kill -9 in the middle of two endless turns: both workers end, and what one of them had started."""
    server = subprocess.Popen([sys.executable, "-c", SERVER], cwd=Path(__file__).parents[2])
    try:
        within(until(lambda: len(pids(crew)) == 2))
        processes = [psutil.Process(pid) for pid in (*pids(crew), int((crew / "child").read_text()))]
    finally:
        server.kill()
        server.wait()
    _, left = psutil.wait_procs(processes, timeout=LONG)
    assert [process for process in left if process.status() != psutil.STATUS_ZOMBIE] == []


def test_the_first_worker_prepares_for_all_and_it_can_be_watched(crew: Path) -> None:
    """Step by step; a player that cannot be prepared stops nobody."""
    seen: list[StartProgress] = []
    jobs: list[tuple[str, float]] = []

    async def story() -> None:
        worker_pool = WorkerPool(
            2, ["first", "unprepared"], PoolConfig(max_hints=0), seen.append, lambda *job: jobs.append(job)
        )
        worker_pool.start()
        await worker_pool.ready()
        assert worker_pool.progress.ready == 1, "one is enough to begin with"
        await until(lambda: worker_pool.progress.ready == 2)
        assert (await worker_pool.turn("first", a_view(), KEY)).fault is None
        await worker_pool.close()

    within(story())
    assert seen[:3] == [
        StartProgress("first", 0, 2, 0),
        StartProgress("unprepared", 1, 2, 0),
        StartProgress(ready=1),
    ]
    ((kind, seconds),) = jobs
    assert kind == "turn" and 0 < seconds < LONG


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
def test_what_no_worker_says_is_never_an_answer(line: bytes) -> None:
    """Neither nonsense, nor an answer to another question, nor a turn that the rules refuse."""
    view = a_view()
    first = next(iter(view.options()))
    illegal = replace(first, noble=53)
    assert parse_turn(write_turn(illegal)) == illegal and illegal not in view.options()
    words = {b"TURN": write_turn(first).encode(), b"ILLEGAL": write_turn(illegal).encode()}

    async def story() -> None:
        job = TurnJob("first", view, KEY)
        words[b"NUMBER"] = str(job.number).encode()

        def said(pattern: bytes) -> bytes:
            for word, value in words.items():
                pattern = pattern.replace(word, value)
            return pattern

        assert read_answer(job, said(b'{"id": NUMBER, "turn": "TURN"}'))[0].choice == first
        with pytest.raises(BadResponse):
            read_answer(job, said(line))

    within(story())


def test_a_worker_loads_no_server() -> None:
    """It passes the front page of the room on its way in: what is heavy there would be in every worker."""
    heavy = {"fastapi", "uvicorn", "sqlalchemy", "numba", "numpy"}
    script = f"import sanssouci.workers.worker, sys; print(*({heavy!r} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.split() == []
