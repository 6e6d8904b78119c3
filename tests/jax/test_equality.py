"""Whole games, turn by turn: the game in JAX has the states, options and results of the rules."""

from typing import Any

import pytest

pytest.importorskip("jax", reason="JAX is not installed: pip install 'sanssouci-game[jax]'")

from sanssouci.editions import load_edition
from sanssouci.rules import EDITIONS, Variant

from .. import helpers
from . import comparison

BATCHES = 10
"""Of a hundred games, of each variant in the exhaustive form; the quick form plays one of some variants, and
``python -m tests.jax.comparison --games 20000`` as many as there is time for.
"""


def cases(quick: set[str]) -> list[Any]:
    """Each variant with its number of batches; only some variants without the mark ``exhaustive``."""
    names = {comparison.variant_name(variant): variant for variant in helpers.VARIANTS}
    short = [pytest.param(names[name], 1, id=f"{name}-short") for name in sorted(quick)]
    return short + [
        pytest.param(variant, BATCHES, id=name, marks=pytest.mark.exhaustive)
        for name, variant in names.items()
    ]


@pytest.mark.parametrize(
    ("variant", "batches"), cases({"2-ravensburger", "3-imperial-wild_boar", "4-imperial-rewards-wild_boar"})
)
def test_staged_games(variant: Variant, batches: int) -> None:
    """R1-R38: every mask, every state and the rewards of random games, step by step."""
    for batch in range(batches):
        comparison.compare_staged(variant, batch)


@pytest.mark.parametrize(
    ("variant", "batches"), cases({"2-imperial-rewards", "3-imperial-rewards-wild_boar"})
)
def test_random_games(variant: Variant, batches: int) -> None:
    """R1-R38: every deal, every turn and every result of ``play_games``."""
    for batch in range(batches):
        comparison.compare_random(variant, batch)


@pytest.mark.parametrize("edition", EDITIONS)
def test_compared_boards_are_those_of_the_edition(edition: str) -> None:
    """The comparison reads boards by itself; it reads what the editions package reads."""
    found, wanted = comparison.load_boards(edition), load_edition(edition).boards
    assert (tuple(found.gardens), tuple(found.rewards), found.deck) == (
        wanted.gardens,
        wanted.rewards,
        wanted.deck,
    )
