"""Numba, set up so that compiled code is never older than the rules it was compiled from.

Numba's own cache looks only at the file of the outermost function: an edited rule would leave a stale
kernel. So the cache lies in a folder named after all sources that are compiled, and a changed line is
a new folder. ``rules`` stays plain Python; here its functions of integers become callable from compiled code.

Everything also runs interpreted, with equal results: where Numba is missing, or with NUMBA_DISABLE_JIT=1.
"""

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from sanssouci.rules import cards, display, rewards, scoring, walk

try:
    import numba
except ImportError:  # no wheel for this Python or this machine
    numba = None

F = TypeVar("F", bound=Callable[..., Any])

COMPILES = numba is not None and not numba.config.DISABLE_JIT
"""Whether the kernel is compiled; otherwise the same code runs interpreted."""

RULES: dict[ModuleType, tuple[str, ...]] = {
    walk: (
        "neighbours",
        "stroll",
        "own_square",
        "gardener_squares",
        "tile_squares",
        "passed",
        "joined",
        "noble_stops",
        "noble_row",
        "moved",
        "boar_squares",
    ),
    rewards: ("mark_at", "reward_points", "visible"),
    scoring: (
        "rank",
        "never_below_zero",
        "boar_points",
        "row_points",
        "column_points",
        "mission_points",
        "boar_loss",
        "turn_points",
        "end_points",
    ),
    display: ("tiles_of_each", "row_of_space", "motif_on", "with_tile", "showing", "laid"),
    cards: ("takes",),
}
"""The functions of the rules that compiled code calls: all that are functions of integers."""


def source_digest() -> str:
    """What names the cache folder: a hash of every source that is compiled."""
    rooms = Path(__file__).parents[1]
    found = sha256()
    sources = [*rooms.glob("rules/*.py"), *rooms.glob("kernel/*.py"), rooms / "dealer" / "bulk.py"]
    for path in sorted(sources):
        found.update(path.relative_to(rooms).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:16]


def cache_folder() -> Path | None:
    """Where compiled code is kept, made if need be; None where nothing can be written."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - never raises
    folder = Path(home) / "sanssouci" / "kernel" / f"{source_digest()}-numba-{numba.__version__}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


CACHE = cache_folder() if COMPILES else None
"""Where compiled code is kept; None if it is not."""


def compiled(function: F) -> F:
    """Let Numba compile a function when it is first called; it then runs without Python's lock.

    It may not make arrays: so Numba need not count who holds the ones it is given, which would cost more
    than a turn does.
    """
    return _with_numba(function, _nrt=False)


def inlined(function: F) -> F:
    """The same, and copied into its callers: for parts of a turn, where a call costs as much as the work."""
    return _with_numba(function, _nrt=False, inline="always")


def entry(function: F) -> F:
    """A compiled function that makes the arrays the others work on."""
    return _with_numba(function)


def _with_numba(function: F, **options: Any) -> F:
    if not COMPILES:
        return function
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE or "")  # read now, by the decorator; other users of Numba keep theirs
    try:
        return numba.njit(function, cache=CACHE is not None, nogil=True, **options)
    finally:
        numba.config.CACHE_DIR = before


if COMPILES:
    for _module, _names in RULES.items():
        for _name in _names:
            numba.extending.register_jitable(getattr(_module, _name))


def ignore_overflow() -> np.errstate:
    """Interpreted, NumPy would warn that the sums of a stream wrap around, which they should."""
    return np.errstate(over="ignore")
