"""Hints: the choice and weight of reasons, and the other turns shown."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from sanssouci.kernel import SampleMean
from sanssouci.review import Hint, Reason, TurnOutlook, hint, reasons
from sanssouci.review.hint import PIECES, _best_reasons, _ranked
from sanssouci.rules import Turn, View

from .positions import hints, positions
from .test_reasons import OF_TWO_TURNS, some_turn

SHARED, OWN = Reason.of("row_short", 1.0, row=3, gaps=(20,), points=7), Reason.of("reward", 0.8, points=2)
BEST, SECOND = Turn(0, 0, 9), Turn(1, 1, 10)


def outlook(turn: Turn) -> TurnOutlook:
    return TurnOutlook(turn, 100, SampleMean(60.0, 0.5), SampleMean(2.0, 0.5), SampleMean(0.6, 0.01), True)


def best_reasons(
    of_best: list[Reason], of_second: list[Reason], monkeypatch: pytest.MonkeyPatch
) -> list[Reason]:
    """The reasons of a hint if these reasons are found."""
    found = {BEST: of_best, SECOND: of_second}
    monkeypatch.setattr(
        sys.modules["sanssouci.review.hint"], "reasons", lambda view, turn: tuple(found[turn])
    )
    view: View = positions()[0].view(0)
    return list(_best_reasons(view, (outlook(BEST), outlook(SECOND))))


def test_shared_reasons_count_half(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reason that also holds for the second-best turn counts half."""
    assert best_reasons([SHARED, OWN], [SHARED], monkeypatch) == [OWN, SHARED]
    assert best_reasons([SHARED, OWN], [], monkeypatch) == [SHARED, OWN]


def test_a_small_second_reason_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second reason below half a point is omitted; a single small reason is kept."""
    assert best_reasons([SHARED, replace(OWN, weight=0.4)], [], monkeypatch) == [SHARED]
    assert best_reasons([SHARED, replace(OWN, weight=0.5)], [], monkeypatch) == [SHARED, OWN]
    assert best_reasons([replace(OWN, weight=0.1)], [], monkeypatch) == [OWN]


def test_denying_counts_about_a_third() -> None:
    """Points denied to another seat have a weight of 0.35."""
    met = 0
    for state, given in hints():
        for reason in reasons(state.view(state.to_move), given.turn):
            if reason.key in ("denies", "denies_row", "denies_column"):
                details = {name: int(str(detail)) for name, detail in reason.details}
                points = details["points"] - details.get("less", 0)
                assert reason.weight == pytest.approx(0.35 * points)
                met += 1
    assert met > 20


def test_reasons_against_another_turn_weigh_the_difference() -> None:
    """Against another turn, a reason weighs the difference to that turn's reason of the same kind."""
    less = 0
    for number, (state, given) in enumerate(hints()):
        view, other = state.view(state.to_move), some_turn(state, number)
        own = {reason: reason.weight for reason in reasons(view, given.turn)}
        others = reasons(view, other)
        for reason in reasons(view, given.turn, instead_of=other):
            assert reason.weight > 0
            if reason.key not in OF_TWO_TURNS:
                same = max((each.weight for each in others if each.key == reason.key), default=0)
                assert reason.weight == pytest.approx(own[reason] - same)
                less += same > 0
    assert less > 20


def ranked(*shares_and_margins: tuple[float, float], spread: float = 0.0) -> tuple[TurnOutlook, ...]:
    """The outlooks of turns with these figures; ``spread`` is how much single pieces differ from them."""
    wave = np.where(np.arange(PIECES) % 2, spread, -spread)
    pieces = np.zeros((PIECES, len(shares_and_margins), 3))
    for place, (share, margin) in enumerate(shares_and_margins):
        pieces[:, place] = np.stack(
            (60 + 0 * wave, margin + 50 * wave * place, share + wave * place), axis=-1
        )
    return _ranked([Turn(place, place, 9 + place) for place in range(len(shares_and_margins))], pieces, 10)


def test_the_chance_to_win_decides_then_the_margin() -> None:
    """By the chance in whole percent, as it is shown."""
    found = ranked((0.50, 9.0), (0.612, 1.0), (0.608, 2.0), (0.30, 20.0))
    assert [outlook.turn.card for outlook in found] == [2, 1, 0, 3]
    assert [outlook.percent for outlook in found] == [61, 61, 50, 30]


def test_turns_are_level_if_nothing_clearly_differs() -> None:
    """Differences that are small, or within the noise, are no reason to call a turn worse."""
    assert [outlook.level for outlook in ranked((0.60, 2.0), (0.595, 1.8))] == [True, True]
    assert [outlook.level for outlook in ranked((0.60, 2.0), (0.56, 2.0))] == [True, False]
    assert [outlook.level for outlook in ranked((0.60, 2.0), (0.60, 0.0))] == [True, False]
    assert [outlook.level for outlook in ranked((0.60, 2.0), (0.56, 2.0), spread=0.2)] == [True, True]


def test_the_seed_is_optional() -> None:
    """Without a seed, a position always has the same hint."""
    view = positions()[40].view(positions()[40].to_move)
    given = hint(view, rollouts=50)
    assert isinstance(given, Hint) and given == hint(view, bytes(32), 50)
