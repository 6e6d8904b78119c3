"""Numba's decorators, with a cache that is never older than the sources.

Numba's own cache checks only the file of the outermost function, so an edited rule would leave a stale
kernel. Here the cache folder is named after a hash of all compiled sources: a changed line is a new folder.
``rules`` stays plain Python; its functions of integers are registered as callable from compiled code.

Without Numba, or with NUMBA_DISABLE_JIT=1, everything runs interpreted, with the same results.
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


def _sources() -> list[Path]:
    """Every source that is compiled."""
    package = Path(__file__).parents[1]
    found = [*package.glob("rules/*.py"), *package.glob("kernel/*.py"), *package.glob("network/*.py")]
    found += [package / "dealer" / "bulk.py", package / "env" / "compiled.py", package / "env" / "spec.py"]
    return sorted(found)


def source_digest() -> str:
    """The name of the cache folder: a hash of the contents of all sources."""
    package = Path(__file__).parents[1]
    found = sha256()
    for path in _sources():
        found.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:16]


def installation_digest() -> str:
    """A hash of where the sources are and when they were written.

    Numba compiles again if one of these changes, even if the contents are the same.
    """
    found = sha256()
    for path in _sources():
        found.update(f"{path} {path.stat().st_mtime_ns}\n".encode())
    return found.hexdigest()[:16]


def cache_folder() -> Path | None:
    """The cache folder, created if necessary; None where nothing can be written."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - never raises
    folder = Path(home) / "sanssouci" / "kernel" / f"{source_digest()}-numba-{numba.__version__}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


CACHE = cache_folder() if COMPILES else None
"""The cache folder; None if compiled code is not cached."""


def compiled(function: F) -> F:
    """Compile a function when it is first called; compiled, it runs without the GIL.

    It may not allocate arrays: without Numba's runtime (``_nrt=False``) array arguments are not
    reference-counted, which would cost more than playing a turn.
    """
    return _with_numba(function, _nrt=False)


def inlined(function: F) -> F:
    """Like ``compiled``, and inlined: for parts of a turn, where the call would cost as much as the work."""
    return _with_numba(function, _nrt=False, inline="always")


def entry(function: F) -> F:
    """A compiled function that may allocate arrays: where Python enters the kernel.

    Interpreted, it silences NumPy's warnings: the 64-bit sums of a random stream are meant to overflow.
    """
    return _with_numba(function) if COMPILES else np.errstate(over="ignore")(function)


def _with_numba(function: F, **options: Any) -> F:
    if not COMPILES:
        return function
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE or "")  # the decorator reads it now; other users of Numba keep theirs
    try:
        return numba.njit(function, cache=CACHE is not None, nogil=True, **options)
    finally:
        numba.config.CACHE_DIR = before


if COMPILES:
    for _module, _names in RULES.items():
        for _name in _names:
            numba.extending.register_jitable(getattr(_module, _name))


def ignore_overflow() -> np.errstate:
    """Silences NumPy's warnings: interpreted, the 64-bit sums of a random stream are meant to overflow."""
    return np.errstate(over="ignore")
