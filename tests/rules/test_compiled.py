"""The functions on one garden and on cards compile with Numba and give the same results."""

from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

import pytest

from sanssouci.dealer import Stream
from sanssouci.kernel.compiler import COMPILES, RULES
from sanssouci.rules import COLUMN, REWARD_SQUARES, ROW_1, members, walk

from ..helpers import stream

numba = pytest.importorskip("numba", reason="numba has no build for this Python")
pytestmark = pytest.mark.skipif(not COMPILES, reason="nothing is compiled here")

GARDENS = 10_000
NAMES = [(module, name) for module, names in RULES.items() for name in names]


def random_garden(chance: Stream) -> dict[str, Any]:
    """Random integers for a garden, a tile laid in it, and a display."""
    density = chance.below(9)
    built = ROW_1 | sum(1 << square for square in range(9, 54) if chance.below(8) < density)
    gardeners = sum(1 << square for square in members(built & ~ROW_1) if chance.below(4) == 0)
    nobles = 0
    for column in range(9):
        row = chance.below(7)
        nobles |= COLUMN[column] & (0b111111111 << 9 * (row - 1)) if row else 0
    free = members((1 << 54) - 1 & ~built)
    boar = 1 << free[chance.below(len(free))] if free and chance.below(3) else 0
    tiles = sum((15 if chance.below(10) == 0 else chance.below(9)) << 4 * space for space in range(10))
    return {
        "built": built,
        "ground": built,
        "connected": walk.stroll(ROW_1, built),
        "gardeners": gardeners,
        "nobles": nobles,
        "boar": boar,
        "start": 1 << chance.below(54),
        "squares": built,
        "printed": built & ~ROW_1,
        "square": chance.below(54),
        "column": chance.below(9),
        "mission": chance.below(9),
        "motif": chance.below(9),
        "space": chance.below(10),
        "card": chance.below(20),
        "display": tiles,
        "marks": sum(chance.below(7) << 3 * place for place in range(len(REWARD_SQUARES))),
        "gardener": bool(chance.below(2)),
        "disturbed": bool(chance.below(2)),
        "leaves": bool(chance.below(2)),
        "points": chance.below(12) - 6,
        "total": chance.below(12),
        "stop": chance.below(54),
        "row": chance.below(7),
        "seats": 2 + chance.below(3),
        "first": chance.below(9),
        "second": chance.below(9),
    }


@cache
def gardens() -> tuple[dict[str, Any], ...]:
    """The random gardens, generated once."""
    chance = stream(77)
    return tuple(random_garden(chance) for _ in range(GARDENS))


def differences(function: Callable[..., Any], compiled: Callable[..., Any]) -> Iterator[dict[str, Any]]:
    """The gardens on which two implementations of a function differ."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    for drawn in gardens():
        arguments = [drawn[name] for name in names]
        if compiled(*arguments) != function(*arguments):
            yield dict(zip(names, arguments, strict=True))


@pytest.mark.parametrize(("module", "name"), NAMES, ids=[name for _, name in NAMES])
def test_a_function_of_one_garden_compiles_and_agrees(module: ModuleType, name: str) -> None:
    """R18-R37: the compiled function equals the interpreted one on 10,000 random gardens."""
    function = getattr(module, name)
    assert next(differences(function, numba.njit(function)), None) is None


def test_every_function_of_these_modules_is_compared() -> None:
    """The kernel's list has every integer function of these modules."""
    values = {"pack_marks", "marked_squares", "is_reward_side", "lay_out", "tiles_on"}
    values |= {"colour_card", "colour_rows", "deck_of", "pairs_of"}  # these use tuples
    for module, listed in RULES.items():
        own = {
            name
            for name, thing in vars(module).items()
            if callable(thing) and getattr(thing, "__module__", "") == module.__name__ and name.islower()
        }
        assert own - values == set(listed)


def test_a_planted_difference_is_seen() -> None:
    """The comparison finds a walk that crosses the garden's edge."""

    def stroll(start: int, ground: int) -> int:
        reached = start & ground
        while True:
            further = (reached | reached << 1 | reached >> 1 | reached << 9 | reached >> 9) & ground
            if further == reached:
                return reached
            reached = further

    assert next(differences(walk.stroll, stroll), None) is not None
