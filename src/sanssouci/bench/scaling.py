"""Growth of time and memory: the series of ``sanssouci bench --full``."""

import sys
from typing import Any

from sanssouci.kernel import GameSetup, play_series
from sanssouci.rules import EDITIONS, IMPERIAL, SEATS, Variant

from .measurements import BASE, GAMES, SEED, OnStep, Playout, boards_of, rules_pace
from .timing import best_of

SIZES = (1_000, 10_000, 100_000)
LONG_SIZES = (*SIZES, 1_000_000, 3_000_000)
VARIANT_GAMES = 20_000
VARIANT_SECONDS = 0.5


def measure_growth(on_step: OnStep) -> dict[str, Any]:
    """Cost by games, by seats and by variant, and the memory of a long series."""
    on_step("memory")
    memory = _memory()  # first, while nothing else has made this process large
    on_step("games")
    games = {str(size): _nanoseconds(Playout(BASE, size)) for size in SIZES}
    on_step("seats")
    seats = {str(count): _nanoseconds(Playout(Variant(count), GAMES)) for count in SEATS}
    on_step("variants")
    variants = {_name(variant): _paces(variant) for variant in _variants()}
    return {
        "nanoseconds_per_turn_by_games": games,
        "nanoseconds_per_turn_by_seats": seats,
        "turns_per_s_by_variant": variants,
        "peak_memory_mib_by_games": memory,
    }


def _nanoseconds(playout: Playout) -> float:
    (time,) = best_of(playout.seconds)
    return 1e9 * time / playout.turns


def _variants() -> list[Variant]:
    return [
        Variant(seats, edition, rewards, boar)
        for seats in SEATS
        for edition in EDITIONS
        for rewards in (False, True)
        for boar in ((False, True) if edition == IMPERIAL else (False,))
    ]


def _name(variant: Variant) -> str:
    return " ".join((str(variant.seats), variant.edition, *variant.expansions))


def _paces(variant: Variant) -> dict[str, float]:
    playout = Playout(variant, VARIANT_GAMES)
    (time,) = best_of(playout.seconds)
    return {"rules": rules_pace(variant, VARIANT_SECONDS), "kernel": playout.turns / time}


def _memory() -> dict[str, float | None]:
    """Peak memory of this process after series of growing length: it should not grow."""
    setup = GameSetup.of(BASE, boards_of(BASE))
    peaks: dict[str, float | None] = {}
    for size in LONG_SIZES:
        for _ in play_series(setup, SEED, ("random",) * 2, size, 2):
            pass
        peaks[str(size)] = _peak_mib()
    return peaks


def _peak_mib() -> float | None:
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return None
    units_per_mib = 1 << 20 if sys.platform == "darwin" else 1 << 10  # bytes on macOS, KiB elsewhere
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / units_per_mib
