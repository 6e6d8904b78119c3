"""Nothing hidden is told by a server: what everyone gets of two games that differ in it is the same."""

import pytest

from ..lot import Lot
from . import planting
from .comparison import compare
from .difference import Hidden
from .leaks import LEAKS, Leak, hand_in_view
from .plan import draw_plan
from .planting import plant, plant_all

PAIRS = 20


def test_nobody_can_tell_the_games_apart() -> None:
    """Frames, bodies, headers, errors, log lines, figures and jobs are the same, byte for byte."""
    report = compare(range(PAIRS), seed=6)
    assert report.leaks == ()
    assert report.row().ok and report.row().n == PAIRS
    assert report.seen > PAIRS // 8, "who may know the difference sees it"
    assert report.megabytes > 1, "there was much to see"


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_planted_leak_is_caught(leak: Leak) -> None:
    """Whatever is let out, and wherever, the same comparison finds it."""
    report = plant(leak)
    assert len(report.leaks) == 1
    assert not report.row().ok


def tight(patch: pytest.MonkeyPatch) -> None:
    """A leak that is none."""


def test_a_leak_that_is_not_caught_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that nothing comes out of; and nine that are caught are too few."""
    monkeypatch.setattr(planting, "ENOUGH", 2)
    for leak in list(LEAKS):
        monkeypatch.delitem(LEAKS, leak)
    monkeypatch.setitem(LEAKS, hand_in_view, Hidden.DECKS)
    assert "1 of 1 caught" in str(plant_all()) and plant_all().ok is False
    monkeypatch.setitem(LEAKS, tight, Hidden.DECKS)
    assert str(plant_all()).split(" | ")[2] == "FAILED: 1 of 2 caught; not tight"


def test_everything_differs_in_some_pair() -> None:
    """Each kind of difference is drawn often, alone and with others, at tables of every size."""
    plans = [draw_plan(Lot(6, number)) for number in range(400)]
    for kind in Hidden:
        with_it = [plan for plan in plans if kind in plan.difference.hidden]
        assert len(with_it) > 40 and {plan.variant.seats for plan in with_it} == {2, 3, 4}
        assert any(plan.difference.hidden == {kind} for plan in with_it)
