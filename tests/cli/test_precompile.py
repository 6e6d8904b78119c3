"""What takes long only the first time: it is done once, and only where it is missing."""

from collections.abc import Iterator

import pytest

from sanssouci import kernel, players, review
from sanssouci.cli.precompile import precompile_kernel, precompile_players, precompile_review
from sanssouci.players import ExternalEngine


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What is compiled, where everything but ``series`` and ``greedy`` is missing."""
    done: list[str] = []
    monkeypatch.setattr(kernel, "is_compiled", lambda unit: unit == "series")
    monkeypatch.setattr(kernel, "precompile", done.append)
    monkeypatch.setattr(players, "is_prepared", lambda name: name == "greedy")
    monkeypatch.setattr(players, "prepare_player", lambda player: done.append(str(player)))
    monkeypatch.setattr(review, "prepared", lambda: "review" in done)
    monkeypatch.setattr(review, "prepare", lambda: done.append("review"))
    yield done


def test_only_what_is_missing_is_compiled(compiled: list[str]) -> None:
    """The kernel's units and the review, each once."""
    for unit in ("series", "batch"):
        precompile_kernel(unit)
    precompile_review()
    precompile_review()
    assert compiled == ["batch", "review"]


def test_a_player_is_prepared_once_and_programs_are_started(compiled: list[str]) -> None:
    """However many seats it has; one that is ready is left alone, a program comes last."""
    engine = ExternalEngine(("engine",))
    precompile_players(("planner", engine, "greedy", "planner", "level:4"))
    assert compiled == ["level:4", "planner", str(engine)]
