"""The player master: its budgets, and what happens without a network."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest

from sanssouci.network import Network, NetworkError, network_file, usable_network
from sanssouci.players import Budget, about, display_name, master
from sanssouci.players.master import MasterPlayer
from sanssouci.rules import Turn, View

from ..helpers import stream
from ..kernel.tables import some_states
from ..network.networks import random_layers

STATE = some_states(211, 1)[0]
VIEW = STATE.view(STATE.to_move)


class Found:
    """What a search returns."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """Every call of the search; it returns any legal turn."""
    calls: list[dict[str, Any]] = []

    def search(
        view: View, layers: object, seed: bytes, rollouts: int | None, seconds: float | None, threads: int
    ) -> list[Found]:
        calls.append({"seed": seed, "rollouts": rollouts, "seconds": seconds, "threads": threads})
        return [Found(next(iter(view.options())))]

    monkeypatch.setattr(master, "network_search", search)
    monkeypatch.setattr(
        network_file, "shipped_network", lambda seats: Network(random_layers(seats), (seats,), {})
    )
    usable_network.cache_clear()
    yield calls
    usable_network.cache_clear()


@pytest.mark.parametrize(
    ("budget", "rollouts", "seconds", "threads"),
    [
        (Budget(), 1000, None, 1),
        (Budget(rollouts=7, threads=3), 7, None, 3),
        (Budget(seconds=0.5), None, 0.5, 1),
        (Budget(0.5, 7), 7, 0.5, 1),
    ],
)
def test_search_limits(
    budget: Budget, rollouts: int | None, seconds: float | None, threads: int, searches: list[dict[str, Any]]
) -> None:
    """Rollouts alone make a game reproducible; without a budget there are a thousand."""
    MasterPlayer(stream(1), budget).decide(VIEW)
    MasterPlayer(stream(1), budget).decide(VIEW)
    assert searches[0] == searches[1] and len(searches[0].pop("seed")) == 32
    assert searches[0] == {"rollouts": rollouts, "seconds": seconds, "threads": threads}


def test_without_a_network_the_planner_plays(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One sentence, and the same budget."""

    def refuse(seats: int) -> None:
        raise NetworkError("network.damaged", name="two-seats.network")

    monkeypatch.setattr(network_file, "shipped_network", refuse)
    usable_network.cache_clear()
    try:
        with caplog.at_level(logging.WARNING, "sanssouci.players"):
            turns = [MasterPlayer(stream(1), Budget(rollouts=30)).decide(VIEW) for _ in range(2)]
    finally:
        usable_network.cache_clear()
    assert turns[0] == turns[1] and turns[0] in VIEW.options()
    assert [record.getMessage() for record in caplog.records] == [
        str(NetworkError("network.damaged", name="two-seats.network"))
    ]


def test_the_master_has_a_name() -> None:
    """In every language, like the other players of the project."""
    assert display_name("master", "de") == "Meister" and "master@0.1s" in about("master")
