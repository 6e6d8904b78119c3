"""Plays games in several worker processes; a worker that dies loses nothing but time.

Each worker has a pipe of its own and one game at a time, so it is always known which game a dead worker had.
Workers are spawned, never forked: they share no lock, no thread and no open file with this process.
"""

import os
import signal
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from sanssouci.locale import UserError, os_error_reason

from .match import Match, MatchFault
from .outcome import GameId
from .signals import Interruption
from .worker import READY, Answer, work

MOST_WORKERS = 1024
_MOST_DEATHS = 3
"""Workers that may die on one game before the game is given up."""
_MOST_STILLBORN = 20
"""Workers in a row that may die before their first game."""
_GOOD_BYE = 5.0
"""Seconds for an idle worker to stop its engines."""
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
"""Environment variables with which libraries limit their threads."""


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    pipe: Connection
    game: GameId
    ready: bool = False


class Pool:
    """Plays games of one match."""

    def __init__(self, match: Match, workers: int, records: bool) -> None:
        self._match = match
        self._size = workers
        self._records = records
        self._busy: dict[Connection, _Worker] = {}
        self._resting: list[BaseProcess] = []
        self._again: list[GameId] = []
        self._deaths: Counter[GameId] = Counter()
        self._stillborn = 0

    def play(self, games: Iterable[GameId], interruption: Interruption) -> Generator[Answer, None, None]:
        """Yield every game as it finishes; all workers are stopped when the generator ends."""
        left = iter(games)
        try:
            while len(self._busy) < self._size and (game := self._next(left)) is not None:
                self._hire(game)
            while self._busy:
                ready = wait([*self._busy, interruption.reader])
                if interruption.reader in ready:
                    raise KeyboardInterrupt
                for pipe in ready:
                    yield from self._hear(self._busy[pipe], left)  # type: ignore[index]  # not the reader
        finally:
            self._dismiss_all()

    def _next(self, left: Iterator[GameId]) -> GameId | None:
        return self._again.pop() if self._again else next(left, None)

    def _hire(self, game: GameId) -> None:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=work, args=(self._match, self._records, theirs), daemon=True)
        try:
            with _deaf_to_interrupts(), _one_thread():
                process.start()
        except OSError as error:
            raise UserError("arena.no_worker", reason=os_error_reason(error)) from None
        theirs.close()  # so that the pipe ends when the worker does
        worker = self._busy[ours] = _Worker(process, ours, game)
        self._send(worker, game)

    def _send(self, worker: _Worker, game: GameId) -> None:
        worker.game = game
        with suppress(OSError):  # one that is dead is noticed when it is listened to
            worker.pipe.send(game)

    def _hear(self, worker: _Worker, left: Iterator[GameId]) -> Iterator[Answer]:
        try:
            answer = worker.pipe.recv()
        except (EOFError, OSError):
            self._replace(worker, left)
            return
        if answer == READY:
            worker.ready, self._stillborn = True, 0
            return
        if isinstance(answer, UserError):
            raise answer
        game = self._next(left)
        if game is None:
            self._resting.append(self._dismiss(worker))
        else:
            self._send(worker, game)
        yield answer

    def _replace(self, worker: _Worker, left: Iterator[GameId]) -> None:
        """Give its game to the next free worker, unless the game itself kills workers."""
        deal, place = worker.game
        self._dismiss(worker).join()
        self._deaths[worker.game] += worker.ready
        self._stillborn += not worker.ready
        if self._deaths[worker.game] == _MOST_DEATHS:
            seating = ", ".join(self._match.names(self._match.seatings[place]))
            raise MatchFault("arena.deadly", deal=deal, seating=seating, times=_MOST_DEATHS)
        if self._stillborn == _MOST_STILLBORN:
            raise MatchFault("arena.stillborn")
        fresh = next(left, None)
        if fresh is not None:
            self._again.append(worker.game)
        self._hire(worker.game if fresh is None else fresh)

    def _dismiss(self, worker: _Worker) -> BaseProcess:
        """Close its pipe; the worker then ends by itself."""
        del self._busy[worker.pipe]
        worker.pipe.close()
        return worker.process

    def _dismiss_all(self) -> None:
        for process in self._resting:
            process.join(_GOOD_BYE)
        processes = [*self._resting, *(self._dismiss(worker) for worker in [*self._busy.values()])]
        for process in processes:
            process.kill()  # it has nothing to keep
        for process in processes:
            process.join()


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started in the block ignore Ctrl-C; the parent stops them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # or it would be started in between, and lift the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Processes started in the block compute in one thread, unless the user set another number."""
    ours = [name for name in _THREADS if name not in os.environ]
    os.environ.update(dict.fromkeys(ours, "1"))
    try:
        yield
    finally:
        for name in ours:
            del os.environ[name]
