"""Observations of the game in JAX equal those of the environments, for every seat and at every stage."""

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed: pip install 'sanssouci-game[jax]'")

from sanssouci.env import observation, spec  # noqa: E402
from sanssouci.env.spec import Stage  # noqa: E402
from sanssouci.jax import Sanssouci  # noqa: E402
from sanssouci.rules import IMPERIAL, Variant  # noqa: E402

STEPS = 60


@pytest.mark.parametrize(
    "variant",
    [Variant(3, IMPERIAL, True, True), pytest.param(Variant(2), marks=pytest.mark.exhaustive)],
    ids=["both expansions", "base"],
)
def test_observations_are_those_of_the_environments(variant: Variant) -> None:
    """Every seat sees its own hand and missions only, and the staged choices only in its own turn."""
    game, key = Sanssouci(variant), jax.random.key(4)
    step, observe = jax.jit(game.step), jax.jit(game.observe)
    state = jax.jit(game.init)(key)
    chosen: list[int] = []
    generator = np.random.default_rng(7)
    ends = 5 * variant.turns
    for number in range(ends):
        if number < STEPS or state.turn >= variant.turns - 2:
            position = game.to_rules(state)
            for seat in range(variant.seats):
                deciding = seat == position.to_move and not position.over
                stage = Stage(int(state.stage)) if deciding else None
                wanted = observation.observe(position.view(seat), stage, tuple(chosen) if deciding else ())
                found = np.asarray(observe(state, seat))
                differing = [field.name for field in spec.fields(variant.seats)
                             if (found != wanted)[field.start : field.stop].any()]  # fmt: skip
                assert differing == [], f"step {number}, seat {seat}"
        if state.terminated:
            break
        action = int(generator.choice(np.flatnonzero(state.legal_action_mask)))
        chosen = [] if action >= spec.NOBLE else [*chosen, action]
        state = step(state, action, jax.random.fold_in(key, number))
    assert state.terminated
