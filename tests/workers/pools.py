"""Players that try a worker pool, and a pool to try them with."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import psutil

from sanssouci.rules import View
from sanssouci.workers import PoolConfig, WorkerPool
from tests.plugins import install

from ..helpers import VARIANTS, odd_deal, random_states, stream

T = TypeVar("T")
KEY = bytes(range(32))
SECRET = "the hand is 36 and a"
LONG = 300.0
"""Seconds after which something has failed that should have happened long ago."""

PLAYERS = '''
    """They leave marks beside this file, and do what is wrong."""

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
    SAID = BACKWARDS[::-1]  # so that the line itself does not tell


    class First(RandomPlayer):
        """The first turn there is; it marks that it was asked, and by whom."""

        def decide(self, view):
            number = len(list(HERE.glob("asked-*")))
            (HERE / f"asked-{number:03}-{type(self).__name__}-{os.getpid()}").touch()
            return next(iter(view.options()))


    class Gated(First):
        """Waits until it is let through."""

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


    class Deadly(First):
        def decide(self, view):
            super().decide(view)
            os.kill(os.getpid(), signal.SIGKILL)


    class Leaving(First):
        def decide(self, view):
            super().decide(view)
            os._exit(0)


    class Parent(First):
        """Starts a program that would outlive it."""

        def decide(self, view):
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
            (HERE / "child").write_text(str(child.pid))
            super().decide(view)
            while True:
                time.sleep(1)


    class Raising(First):
        def decide(self, view):
            print(SAID)
            os.write(2, bSAID)
            raise LookupError(SAID)


    class Interrupting(First):
        def decide(self, view):
            raise KeyboardInterrupt(SAID)


    class Talking(First):
        def decide(self, view):
            return SAID


    class Cheating(First):
        def decide(self, view):
            turn = super().decide(view)
            return Turn(turn.card, turn.space, turn.square, turn.gardener, turn.boar, turn.square + 9)


    class Sided(First):
        def pick(self, view):
            return 7


    class Scribbling(First):
        """Finds every pipe there is, and writes what looks like an answer to it."""

        def decide(self, view):
            turn = super().decide(view)
            for file in range(3, 64):
                try:
                    os.write(file, b'{"id": 0, "turn": "36@2-g3/g3", "fault": null}\\n')
                except OSError:
                    pass
            return turn


    class Telling(First):
        """Writes down what it finds around it."""

        def decide(self, view):
            found = {"environ": dict(os.environ), "pid": os.getpid()}
            found["files"] = [os.readlink(f"/proc/self/fd/{file}") for file in range(64) if _is_open(file)]
            (HERE / "told").write_text(json.dumps(found))
            return super().decide(view)


    class Stillborn(First):
        @classmethod
        def prepare(cls):
            os._exit(3)


    class Unprepared(First):
        @classmethod
        def prepare(cls):
            raise RuntimeError("no data")


    def unmade(stream, budget):
        raise RuntimeError(SAID)


    def _is_open(file):
        try:
            os.fstat(file)
        except OSError:
            return False
        return True
'''.replace("BACKWARDS", repr(SECRET[::-1]))

CLASSES = (
    "First Gated Hanging Deadly Leaving Parent Raising Interrupting Talking Cheating Sided Scribbling Telling"
    " Stillborn Unprepared"
)


def install_crew(folder: Path) -> Path:
    """The players above."""
    names = {name.lower(): name for name in CLASSES.split()}
    return install(folder, "crew_players", PLAYERS, unmade="unmade", **names)


def a_view(turn: int = 5, variant: int = 0) -> View:
    """What the seat to move sees in a turn of a random game."""
    state = random_states(odd_deal(VARIANTS[variant], stream(1)), stream(2))[turn]
    return state.view(state.to_move)


@asynccontextmanager
async def at_work(workers: int, *allowed: str, **config: Any) -> AsyncIterator[WorkerPool]:
    """A pool that is ready; without hints, unless they are asked for, it starts in no time."""
    worker_pool = WorkerPool(
        workers, allowed, PoolConfig(**{"max_hints": 0, "start_timeout": LONG, **config})
    )
    worker_pool.start()
    try:
        await until(lambda: worker_pool.progress.ready == workers)
        yield worker_pool
    finally:
        await worker_pool.close(grace=0)


async def until(there: Callable[[], T]) -> T:
    """What is there in the end."""
    async with asyncio.timeout(LONG):
        while not (found := there()):
            await asyncio.sleep(0.005)
    return found


def within(story: Coroutine[Any, Any, T]) -> T:
    """Let a story happen, in a loop of its own, and be told if it does not end."""

    async def told() -> T:
        async with asyncio.timeout(LONG):
            return await story

    return asyncio.run(told())


def asked(folder: Path) -> list[str]:
    """Who has been asked, in order."""
    return [path.name.split("-")[2] for path in sorted(folder.glob("asked-*"))]


def pids(folder: Path) -> list[int]:
    """The workers in which they were."""
    return [int(path.name.split("-")[3]) for path in sorted(folder.glob("asked-*"))]


def told(folder: Path) -> dict[str, Any]:
    """What a telling player has found."""
    found: dict[str, Any] = json.loads((folder / "told").read_text())
    return found


def alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not, but is not buried either."""
    return psutil.pid_exists(pid)
