"""The figures of the benchmark page and of the speed table."""

import pytest

from benchmarks.environments import gymnasium_vector, measure
from benchmarks.game_statistics import SEED, VARIANTS, branching, leads, skill_and_luck
from sanssouci.arena import Simulation
from sanssouci.editions import load_edition
from sanssouci.rules import RAVENSBURGER


def test_branching_counts_the_legal_turns() -> None:
    """The mean number of legal turns is the one that the rules count in the same games."""
    variant = VARIANTS["2 seats"]
    simulation = Simulation(variant, load_edition(RAVENSBURGER).boards, ("random", "random"), SEED)
    counts = []
    for number in (1, 2):
        game = simulation.play(number)
        state = game.deal.start()
        for turn in game.turns:
            counts.append(len(state.options()))
            state = state.play(turn, game.deal.chance(state.turn))
    found = branching(variant, "random", 2)
    assert found["mean"] == pytest.approx(sum(counts) / len(counts)) and found["largest"] == max(counts)


def test_shares_of_skill_and_luck_sum_to_one() -> None:
    """Both seatings of a deal are played, and the parts are the whole."""
    assert leads("greedy", "random", 5).shape == (2, 5)
    found = skill_and_luck("greedy", "random", 40)
    assert found["skill"] + found["deal and seat"] + found["play"] == pytest.approx(1)
    assert found["lead"] > 20 and found["skill"] > 0.5


def test_the_vector_environment_is_measured() -> None:
    """The speed table counts the actions of all games."""
    pytest.importorskip("gymnasium", reason="the extra env is not installed")
    assert measure(gymnasium_vector(), 0.001) > 0
