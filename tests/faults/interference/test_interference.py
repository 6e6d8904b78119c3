"""A server reveals nothing hidden: two games that differ in it look the same."""

import pytest

from ..seeded_random import SeededRandom
from . import planting
from .comparison import compare
from .difference import Hidden
from .leaks import LEAKS, Leak, hand_in_view
from .plan import draw_plan
from .planting import plant, plant_all

PAIRS = 20


def test_paired_games_look_the_same() -> None:
    """Frames, bodies, headers, errors, log lines, metrics and jobs are identical, byte for byte."""
    report = compare(range(PAIRS), seed=6)
    assert report.leaks == ()
    assert report.row().ok and report.row().n == PAIRS
    assert report.seen > PAIRS // 8, "permitted viewers see the difference"
    assert report.megabytes > 1, "enough was compared"


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_planted_leak_is_found(leak: Leak) -> None:
    """The comparison finds every planted leak."""
    report = plant(leak)
    assert len(report.leaks) == 1
    assert not report.row().ok


def no_leak(patch: pytest.MonkeyPatch) -> None:
    """Plant nothing."""


def test_a_missed_leak_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The row fails if a planted leak is not found, or if fewer than ten are planted."""
    monkeypatch.setattr(planting, "PAIRS", 2)
    for leak in list(LEAKS):
        monkeypatch.delitem(LEAKS, leak)
    monkeypatch.setitem(LEAKS, hand_in_view, Hidden.DECKS)
    assert "1 of 1 found" in str(plant_all()) and plant_all().ok is False
    monkeypatch.setitem(LEAKS, no_leak, Hidden.DECKS)
    assert str(plant_all()).split(" | ")[2] == "FAILED: 1 of 2 found; not no_leak"


def test_every_kind_of_difference_is_drawn() -> None:
    """Each kind of difference is drawn often, alone and with others, for every number of seats."""
    plans = [draw_plan(SeededRandom(6, number)) for number in range(400)]
    for kind in Hidden:
        with_it = [plan for plan in plans if kind in plan.difference.hidden]
        assert len(with_it) > 40 and {plan.variant.seats for plan in with_it} == {2, 3, 4}
        assert any(plan.difference.hidden == {kind} for plan in with_it)
