"""Compiles parts of the kernel ahead of time, into the cache.

Compilation runs in a process of its own: it holds the GIL for seconds, and a process can be stopped at once.
"""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from sanssouci.dealer import StackedDealer, prepare
from sanssouci.editions import shipped_boards
from sanssouci.rules import Deal, Variant

from .batch import Batch
from .compiler import CACHE, COMPILES, installation_digest
from .game_setup import GameSetup
from .greedy import GREEDY, best_turn
from .perft import perft
from .rollouts import rollouts
from .search import search
from .series import play_series
from .static_eval import best_turns

_SEED = bytes(32)


def is_compiled(unit: str) -> bool:
    """Whether a unit is in the cache, or needs no compilation because the kernel runs interpreted."""
    return not COMPILES or (CACHE is not None and _mark(CACHE, unit).exists())


def precompile(unit: str) -> None:
    """Compile one of ``COMPILE_UNITS``: seconds the first time, nothing once it is in the cache."""
    if is_compiled(unit):
        return
    if CACHE is None or not _compile_in_subprocess(unit):
        COMPILE_UNITS[unit]()
    if CACHE is not None:
        _mark(CACHE, unit).touch()


def _mark(cache: Path, unit: str) -> Path:
    """The file that says that a unit was compiled for this installation; several may share the folder."""
    return cache / f"{unit}-{installation_digest()}.compiled"


def _compile_in_subprocess(unit: str) -> bool:
    """Fill the cache from another process; False if that failed."""
    module = COMPILE_UNITS.get(unit, precompile).__module__  # other packages add units when they are imported
    code = f"import {module}; from sanssouci.kernel import COMPILE_UNITS; COMPILE_UNITS[{unit!r}]()"
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL) as process:
        try:
            return process.wait() == 0
        except BaseException:
            process.kill()
            raise


def _setup() -> GameSetup:
    return GameSetup.of(Variant(2), shipped_boards("reference"))


def _deal() -> Deal:
    return prepare(Variant(2), shipped_boards("reference"), StackedDealer(), lambda seat, view: 0)[0]


def _compile_series() -> None:
    for _ in play_series(_setup(), _SEED, ("random", "greedy"), 1, threads=1):
        pass


def _compile_batch() -> None:
    batch = Batch.deal(_setup(), _SEED, 2)
    batch.masks()
    while not batch.over:
        legal = batch.legal_turns()
        batch.step(legal.turns[legal.starts[:-1]])
    batch.results()


def _compile_greedy() -> None:
    best_turn(_deal().start().view(0))


def _compile_static_eval() -> None:
    best_turns(_deal().start().view(0), GREEDY)


def _compile_rollouts() -> None:
    rollouts(_deal().start().view(0), _SEED, 1, ("random", "greedy"))


def _compile_search() -> None:
    search(_deal().start().view(0), _SEED, rollouts=2)  # with one there is one candidate, and no game


def _compile_perft() -> None:
    perft(_deal().start(), _deal(), 2)


COMPILE_UNITS: dict[str, Callable[[], None]] = {
    "greedy": _compile_greedy,
    "static_eval": _compile_static_eval,
    "series": _compile_series,
    "batch": _compile_batch,
    "rollouts": _compile_rollouts,
    "search": _compile_search,
    "perft": _compile_perft,
}
"""The parts that can be compiled separately; each function runs its part once. ``network`` adds one."""
