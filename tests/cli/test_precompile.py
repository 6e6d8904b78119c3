"""Precompilation: done once, and only where it is missing."""

from collections.abc import Iterator

import pytest

from sanssouci import kernel, players, review
from sanssouci.cli.precompile import precompile_kernel, precompile_players, precompile_review
from sanssouci.network import NetworkError, network_file
from sanssouci.players import ExternalEngine


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The units compiled during a test; only ``series`` and ``greedy`` are ready before."""
    done: list[str] = []
    monkeypatch.setattr(kernel, "is_compiled", lambda unit: unit == "series")
    monkeypatch.setattr(kernel, "precompile", done.append)
    monkeypatch.setattr(players, "is_prepared", lambda name: name == "greedy")
    monkeypatch.setattr(players, "prepare_player", lambda player: done.append(str(player)))
    monkeypatch.setattr(review, "prepared", lambda: "review" in done)
    monkeypatch.setattr(review, "prepare", lambda: done.append("review"))
    yield done


def test_only_missing_units_are_compiled(compiled: list[str]) -> None:
    """Kernel units and the review are compiled once, if they are missing."""
    for unit in ("series", "batch"):
        precompile_kernel(unit)
    precompile_review()
    precompile_review()
    assert compiled == ["batch", "review"]


def test_players_are_prepared_once_and_engines_last(compiled: list[str]) -> None:
    """Each player is prepared once, unless it is ready; engines are started last."""
    engine = ExternalEngine(("engine",))
    precompile_players(("planner", engine, "greedy", "planner", "level:4"))
    assert compiled == ["level:4", "planner", str(engine)]


def test_unusable_networks_are_reported_once(
    compiled: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence for a file, whichever players need it; players that do not need it say nothing."""

    def refuse(seats: int) -> None:
        raise NetworkError("network.damaged", name="two-seats.network")

    monkeypatch.setattr(network_file, "shipped_network", refuse)
    text = str(NetworkError("network.damaged", name="two-seats.network"))
    for players_named, times in ((("master@20", "level:6"), 1), (("planner", "greedy"), 0)):
        precompile_players(players_named)
        assert capsys.readouterr().err.count(text) == times
    precompile_review()
    assert capsys.readouterr().err.count(text) == 1
