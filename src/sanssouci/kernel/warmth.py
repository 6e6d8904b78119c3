"""Compiling before anyone waits for it: once, then the cache has it.

It is done in a process of its own, so that it can be stopped at once and stops nobody else.
"""

import subprocess
import sys
from collections.abc import Callable

from sanssouci.dealer import StackedDealer, prepare
from sanssouci.editions import shipped_boards
from sanssouci.rules import Deal, Variant

from .batch import Batch
from .box import Box
from .compiler import CACHE, COMPILES
from .greedy import GREEDY, best_turn
from .judgement import best_turns
from .perft import perft
from .rollouts import rollouts
from .search import search
from .series import play_series

_SEED = bytes(32)


def is_warm(job: str) -> bool:
    """Whether what a job needs has been compiled on this machine before, or is not compiled at all."""
    return not COMPILES or (CACHE is not None and (CACHE / f"{job}.warm").exists())


def warm_up(job: str) -> None:
    """Compile what a job of ``JOBS`` needs; that takes seconds, and once done no time."""
    if is_warm(job):
        return
    if CACHE is None or not _compile_elsewhere(job):
        JOBS[job]()
    if CACHE is not None:
        (CACHE / f"{job}.warm").touch()


def _compile_elsewhere(job: str) -> bool:
    """Fill the cache from another process; False if that did not work, and then it is done here."""
    code = f"from sanssouci.kernel import JOBS; JOBS[{job!r}]()"
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL) as process:
        try:
            return process.wait() == 0
        except BaseException:
            process.kill()
            raise


def _box() -> Box:
    return Box.of(Variant(2), shipped_boards("reference"))


def _deal() -> Deal:
    return prepare(Variant(2), shipped_boards("reference"), StackedDealer(), lambda seat, view: 0)[0]


def _warm_series() -> None:
    for _ in play_series(_box(), _SEED, ("random", "greedy"), 1, threads=1):
        pass


def _warm_batch() -> None:
    batch = Batch.deal(_box(), _SEED, 2)
    batch.masks()
    while not batch.over:
        legal = batch.legal_turns()
        batch.step(legal.turns[legal.starts[:-1]])
    batch.results()


def _warm_greedy() -> None:
    best_turn(_deal().start().view(0))


def _warm_judgement() -> None:
    best_turns(_deal().start().view(0), GREEDY)


def _warm_rollouts() -> None:
    rollouts(_deal().start().view(0), _SEED, 1, ("random", "greedy"))


def _warm_search() -> None:
    search(_deal().start().view(0), _SEED, rollouts=2)  # with one there is one candidate, and no game


def _warm_perft() -> None:
    perft(_deal().start(), _deal(), 2)


JOBS: dict[str, Callable[[], None]] = {
    "greedy": _warm_greedy,
    "judgement": _warm_judgement,
    "series": _warm_series,
    "batch": _warm_batch,
    "rollouts": _warm_rollouts,
    "search": _warm_search,
    "perft": _warm_perft,
}
"""What the kernel is compiled for, piece by piece."""
