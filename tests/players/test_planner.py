"""The search parameters of planner and of levels 4 and 5."""

from typing import Any

import pytest

from sanssouci.dealer import BulkGame
from sanssouci.players import Budget, make_player
from sanssouci.rules import Turn, View

from ..kernel.tables import SEED, some_states


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Every call of the search: seed, rollouts, seconds, candidates, threads. It returns any legal turn."""
    calls: list[tuple[Any, ...]] = []

    class Found:
        def __init__(self, turn: Turn) -> None:
            self.turn = turn

    def search(view: View, *arguments: object) -> list[Found]:
        calls.append(arguments)
        return [Found(next(iter(view.options())))]

    monkeypatch.setattr("sanssouci.players.planner.search", search)
    return calls


@pytest.mark.parametrize(
    ("name", "budget", "arguments"),
    [
        ("planner", Budget(), (1000, None, 24, 1)),
        ("planner", Budget(rollouts=7, threads=3), (7, None, 24, 3)),
        ("planner", Budget(seconds=0.5), (None, 0.5, 24, 1)),
        ("planner", Budget(0.5, 7), (7, 0.5, 24, 1)),
        ("planner@0.25s", Budget(rollouts=7), (None, 0.25, 24, 1)),
        ("level:4", Budget(rollouts=7), (100, None, 12, 1)),
        ("level:5", Budget(threads=2), (5000, None, 24, 2)),
        ("level:5@2s", Budget(), (5000, 2.0, 24, 1)),
    ],
)
def test_search_limits(
    name: str, budget: Budget, arguments: tuple[Any, ...], searches: list[tuple[Any, ...]]
) -> None:
    """The rollouts of a level are fixed: only a time limit reduces them."""
    view = some_states(211, 1)[0].view(some_states(211, 1)[0].to_move)
    make_player(name, BulkGame(SEED, 1).stream(0), budget).decide(view)
    assert searches[0][1:] == arguments


def test_every_search_has_another_seed(searches: list[tuple[Any, ...]]) -> None:
    """The seed of a search comes from the player's stream, so it depends on game and seat."""
    view = some_states(211, 1)[0].view(some_states(211, 1)[0].to_move)
    for number in (1, 2, 1):
        player = make_player("planner", BulkGame(SEED, number).stream(0))
        player.decide(view)
        player.decide(view)
    seeds = [call[0] for call in searches]
    assert len(set(seeds)) == 4 and seeds[:2] == seeds[4:] and all(len(seed) == 32 for seed in seeds)
