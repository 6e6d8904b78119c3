"""The capacity plan in docs/scaling.md is the one that its simulation prints."""

from pathlib import Path

from benchmarks.capacity import Audience, Costs, report, simulate

SCALING = Path(__file__).parents[2] / "docs" / "scaling.md"
AUDIENCE = Audience(1_000_000)


def test_the_plan_in_the_docs_is_current() -> None:
    """After a change of the costs, copy the output of ``python -m benchmarks.capacity``."""
    lines = report(AUDIENCE, Costs(), simulate(AUDIENCE, Costs(), 1), 0.6)
    assert "\n".join(lines) in SCALING.read_text(encoding="utf-8")


def test_the_simulation_agrees_with_arithmetic() -> None:
    """Concurrent games are arrivals × length at the peak, and twice the games need twice as much."""
    peak, double = (simulate(Audience(games), Costs(), 1) for games in (1_000_000, 2_000_000))
    arrivals = 1_000_000 / 86_400 * 1.8
    assert abs(peak.concurrent / (arrivals * 1200) - 1) < 0.02
    assert abs(double.commands / peak.commands - 2) < 0.04
