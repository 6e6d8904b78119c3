"""The search with a network: legal, reproducible, in time, and better for thinking longer than not at all."""

import math
from time import perf_counter

import numpy as np
import pytest

from sanssouci.kernel import decode, flatten_view
from sanssouci.network import CANDIDATES, UNIT, judged_turns, network_search
from sanssouci.network.search import LEAST_LONG, LONG, ShortGames
from sanssouci.rules import ROUNDS, State

from .networks import positions, random_layers

SEED = bytes(range(32))
STATES = list(positions(13))


@pytest.mark.parametrize("state", STATES[::6], ids=lambda state: f"{state.variant.seats}-{state.turn}")
def test_searches_are_reproducible(state: State) -> None:
    """With rollouts the seed alone decides, on any number of threads; all candidates are legal and listed."""
    layers, view = random_layers(state.variant.seats), state.view(state.to_move)
    one = network_search(view, layers, SEED, rollouts=400)
    assert one == network_search(view, layers, SEED, rollouts=400, threads=3)
    assert len({found.turn for found in one}) == len(one) == min(CANDIDATES, len(view.options()))
    assert all(found.turn in view.options() for found in one)
    assert [found.games for found in one] == sorted((found.games for found in one), reverse=True)
    assert all(math.isfinite(found.value) and 0 <= found.win <= 1 for found in one)


def test_open_cards_are_used() -> None:
    """From a state, the simulated games know the other hands: the estimates differ from those of the view."""
    state = STATES[4]
    layers = random_layers(state.variant.seats)
    hidden = network_search(state.view(state.to_move), layers, SEED, rollouts=400)
    known = network_search(state, layers, SEED, rollouts=400)
    assert known == network_search(state, layers, SEED, rollouts=400) != hidden
    assert {found.turn for found in known} == {found.turn for found in hidden}


def test_candidates_are_the_best_by_the_network() -> None:
    """Without games a search is the network's own order."""
    state = STATES[4]
    view, layers = state.view(state.to_move), random_layers(state.variant.seats)
    codes, judged = judged_turns(flatten_view(view), layers)
    assert (np.diff(judged[:, 0]) <= 0).all() and len(codes) == len(view.options())
    (only,) = network_search(view, layers, SEED, rollouts=1)
    assert only.turn == decode(codes[0]) and only.games == 0
    assert [only.own, only.other, only.win] == pytest.approx(judged[0, 1:] / UNIT)


def test_the_last_turn_is_searched_with_its_end() -> None:
    """In the last turn of a game every short game ends with its real result."""
    for state in positions(1):
        if state.turn == ROUNDS * state.variant.seats - 1 and len(state.options()) > 1:
            layers, view = random_layers(state.variant.seats), state.view(state.to_move)
            _, judged = judged_turns(flatten_view(view), layers)
            first = network_search(view, layers, SEED, rollouts=200)[0]
            assert first.own == pytest.approx(round(first.own)), "the network's own total is exact here"
            assert first.own * UNIT <= judged[:, 1].max()


def test_the_last_candidates_play_long_games() -> None:
    """They cost more, so fewer are played: only where each candidate can have some of them."""
    state = next(state for state in STATES if len(state.options()) >= CANDIDATES)
    layers, flat = random_layers(state.variant.seats), flatten_view(state.view(state.to_move))
    codes, judged = judged_turns(flat, layers)
    for quick_games, costs in ((1, [1, 1, 1, 1, 1]), (LEAST_LONG * LONG.cost, [1, LONG.cost, LONG.cost])):
        with ShortGames(flat, codes[:CANDIDATES], judged, layers, SEED) as games:
            for cost in costs:
                assert games.cost == cost
                games.play(max(1, quick_games // games.cost))
                games.drop_half()


def test_a_search_keeps_its_time() -> None:
    """The clock is looked at between small batches."""
    state = STATES[3]
    view, layers = state.view(state.to_move), random_layers(state.variant.seats)
    network_search(view, layers, SEED, rollouts=30)
    begun = perf_counter()
    found = network_search(view, layers, SEED, seconds=0.05)
    assert found[0].games > 0
    assert perf_counter() - begun < 5, "far more than any load explains"


def test_wrong_arguments() -> None:
    """As in the planner's search."""
    state = STATES[0]
    layers = random_layers(state.variant.seats)
    with pytest.raises(ValueError, match="not the turn"):
        network_search(state.view(None), layers, SEED, rollouts=1)
    with pytest.raises(ValueError, match="rollouts or of seconds"):
        network_search(state.view(state.to_move), layers, SEED)
    with pytest.raises(ValueError, match="a candidate and a thread"):
        network_search(state.view(state.to_move), layers, SEED, rollouts=1, threads=0)
