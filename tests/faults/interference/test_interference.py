"""Nothing hidden is told by a server: what everyone gets of two games that differ in it is the same."""

from collections.abc import Callable

import pytest

from ..lot import Lot
from .comparison import compare
from .difference import Hidden
from .leaks import LEAKS
from .plan import draw_plan

PAIRS = 20
ENOUGH = 30
"""Pairs among which each planted leak is found, mostly in the first few."""


def test_nobody_can_tell_the_games_apart() -> None:
    """Frames, bodies, headers, errors, log lines, figures and jobs are the same, byte for byte."""
    report = compare(range(PAIRS), seed=6)
    assert report.leaks == ()
    assert report.row().ok and report.row().n == PAIRS
    assert report.seen > PAIRS // 8, "who may know the difference sees it"
    assert report.megabytes > 1, "there was much to see"


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_planted_leak_is_caught(
    leak: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is let out, and wherever, the same comparison finds it."""
    leak(monkeypatch)
    plans = {number: draw_plan(Lot(6, number)) for number in range(1000)}
    pairs = [number for number, plan in plans.items() if LEAKS[leak] in plan.difference.hidden]
    report = compare(pairs[:ENOUGH], seed=6)
    assert len(report.leaks) == 1
    assert not report.row().ok


def test_everything_differs_in_some_pair() -> None:
    """Each kind of difference is drawn often, alone and with others, at tables of every size."""
    plans = [draw_plan(Lot(6, number)) for number in range(400)]
    for kind in Hidden:
        with_it = [plan for plan in plans if kind in plan.difference.hidden]
        assert len(with_it) > 40 and {plan.variant.seats for plan in with_it} == {2, 3, 4}
        assert any(plan.difference.hidden == {kind} for plan in with_it)
