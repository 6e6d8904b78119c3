"""Misbehaving players for tests of the worker pool, a running pool, and waiting with a timeout."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import psutil

from sanssouci.rules import View
from sanssouci.workers import PoolConfig, WorkerPool
from tests.player_packages import install

from ..helpers import VARIANTS, odd_deal, random_states, stream

T = TypeVar("T")
KEY = bytes(range(32))
SECRET = "the hand is 36 and a"
TIMEOUT = 300.0
"""Seconds after which a wait has failed, even on a busy machine."""

PLAYERS = '''
    """Players that misbehave; they create files next to this file to show that they were asked."""

    import json
    import os
    import signal
    import subprocess
    import sys
    import time
    from pathlib import Path

    from sanssouci.players import RandomPlayer
    from sanssouci.rules import Turn

    HERE = Path(__file__).parent
    SECRET = BACKWARDS[::-1]  # so that a traceback that quotes this line does not contain it


    class First(RandomPlayer):
        """Plays the first legal turn; creates a file with its name and process."""

        def decide(self, view):
            number = len(list(HERE.glob("asked-*")))
            (HERE / f"asked-{number:03}-{type(self).__name__}-{os.getpid()}").touch()
            return next(iter(view.options()))


    class Gated(First):
        """Waits until the file ``gate`` exists."""

        def decide(self, view):
            turn = super().decide(view)
            while not (HERE / "gate").exists():
                time.sleep(0.005)
            return turn


    class Hanging(First):
        def decide(self, view):
            super().decide(view)
            while True:
                pass


    class Crashing(First):
        def decide(self, view):
            super().decide(view)
            os.kill(os.getpid(), signal.SIGKILL)


    class Exiting(First):
        def decide(self, view):
            super().decide(view)
            os._exit(0)


    class Parent(First):
        """Starts a child process, then hangs."""

        def decide(self, view):
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
            (HERE / "child").write_text(str(child.pid))
            super().decide(view)
            while True:
                time.sleep(1)


    class Raising(First):
        def decide(self, view):
            print(SECRET)
            os.write(2, SECRET.encode())
            raise LookupError(SECRET)


    class Interrupting(First):
        def decide(self, view):
            raise KeyboardInterrupt(SECRET)


    class WrongType(First):
        def decide(self, view):
            return SECRET


    class Cheating(First):
        def decide(self, view):
            turn = super().decide(view)
            return Turn(turn.card, turn.space, turn.square, turn.gardener, turn.boar, turn.square + 9)


    class WrongSide(First):
        def pick(self, view):
            return 7


    class Forging(First):
        """Writes a forged answer to every open file, including the pipe."""

        def decide(self, view):
            turn = super().decide(view)
            for file in range(3, 64):
                try:
                    os.write(file, b'{"id": 0, "turn": "36@2-g3/g3", "fault": null}\\n')
                except OSError:
                    pass
            return turn


    class Reporting(First):
        """Reports its environment and its open files."""

        def decide(self, view):
            found = {"environ": dict(os.environ), "pid": os.getpid()}
            found["files"] = [os.readlink(f"/proc/self/fd/{file}") for file in range(64) if _is_open(file)]
            (HERE / "report").write_text(json.dumps(found))
            return super().decide(view)


    class Stillborn(First):
        @classmethod
        def prepare(cls):
            os._exit(3)


    class Unprepared(First):
        @classmethod
        def prepare(cls):
            raise RuntimeError(SECRET)


    def unmakeable(stream, budget):
        raise RuntimeError(SECRET)


    def _is_open(file):
        try:
            os.fstat(file)
        except OSError:
            return False
        return True
'''.replace("BACKWARDS", repr(SECRET[::-1]))

CLASSES = (
    "First Gated Hanging Crashing Exiting Parent Raising Interrupting WrongType Cheating WrongSide Forging"
    " Reporting Stillborn Unprepared"
)


def install_players(folder: Path) -> Path:
    """Install the players above as a package."""
    names = {name.lower(): name for name in CLASSES.split()}
    return install(folder, "crew_players", PLAYERS, unmakeable="unmakeable", **names)


def make_view(turn: int = 5, variant: int = 0) -> View:
    """The view of the seat to move, in a turn of a random game."""
    state = random_states(odd_deal(VARIANTS[variant], stream(1)), stream(2))[turn]
    return state.view(state.to_move)


@asynccontextmanager
async def running_pool(workers: int, *allowed: str, **config: Any) -> AsyncIterator[WorkerPool]:
    """A pool whose workers are ready; without hints by default, so that it starts quickly."""
    worker_pool = WorkerPool(
        workers, allowed, PoolConfig(**{"max_hints": 0, "start_timeout": TIMEOUT, **config})
    )
    worker_pool.start()
    try:
        await until(lambda: worker_pool.progress.ready == workers)
        yield worker_pool
    finally:
        await worker_pool.close(grace=0)


async def until(condition: Callable[[], T]) -> T:
    """Wait until the condition returns a true value, and return that value."""
    async with asyncio.timeout(TIMEOUT):
        while not (found := condition()):
            await asyncio.sleep(0.005)
    return found


def run_with_timeout(scenario: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a new event loop; ``TimeoutError`` if it does not end."""

    async def run() -> T:
        async with asyncio.timeout(TIMEOUT):
            return await scenario

    return asyncio.run(run())


def asked_players(folder: Path) -> list[str]:
    """The classes of the players that were asked, in order."""
    return [path.name.split("-")[2] for path in sorted(folder.glob("asked-*"))]


def worker_pids(folder: Path) -> list[int]:
    """The worker processes in which players were asked, in order."""
    return [int(path.name.split("-")[3]) for path in sorted(folder.glob("asked-*"))]


def player_report(folder: Path) -> dict[str, Any]:
    """The report of the player ``reporting``."""
    found: dict[str, Any] = json.loads((folder / "report").read_text())
    return found


def process_exists(pid: int) -> bool:
    """Whether a process exists, including zombies."""
    return psutil.pid_exists(pid)
