"""Which reasons a hint tells, which other turns it names, and how much the reasons weigh."""

import sys
from dataclasses import replace

import pytest

from sanssouci.kernel import SampleMean, TurnEstimate
from sanssouci.review import Hint, Reason, evaluate, hint, reasons, within_noise
from sanssouci.review.hint import _best_reasons
from sanssouci.rules import Turn, View

from .positions import hints, positions
from .test_reasons import OF_TWO_TURNS, some_turn

SHARED, OWN = Reason.of("row_short", 1.0, row=3, gaps=(20,), points=7), Reason.of("reward", 0.8, points=2)
BEST, SECOND = Turn(0, 0, 9), Turn(1, 1, 10)


def estimate(turn: Turn, value: float = 60.0, error: float = 0.5) -> TurnEstimate:
    """What is expected of a turn."""
    figure = SampleMean(value, error)
    return TurnEstimate(turn, 100, value, (figure, figure), figure, (figure, figure))


def told(of_best: list[Reason], of_second: list[Reason], monkeypatch: pytest.MonkeyPatch) -> list[Reason]:
    """What a hint says if these reasons are found."""
    found = {BEST: of_best, SECOND: of_second}
    monkeypatch.setattr(
        sys.modules["sanssouci.review.hint"], "reasons", lambda view, turn: tuple(found[turn])
    )
    view: View = positions()[0].view(0)
    return list(_best_reasons(view, (estimate(BEST), estimate(SECOND))))


def test_what_the_second_best_has_too_counts_half(monkeypatch: pytest.MonkeyPatch) -> None:
    """So what is true of the best alone comes first."""
    assert told([SHARED, OWN], [SHARED], monkeypatch) == [OWN, SHARED]
    assert told([SHARED, OWN], [], monkeypatch) == [SHARED, OWN]


def test_a_small_second_reason_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a point is worth saying, less is not; a single small reason is said."""
    assert told([SHARED, replace(OWN, weight=0.4)], [], monkeypatch) == [SHARED]
    assert told([SHARED, replace(OWN, weight=0.5)], [], monkeypatch) == [SHARED, OWN]
    assert told([replace(OWN, weight=0.1)], [], monkeypatch) == [OWN]


def test_what_another_loses_counts_less_than_what_one_gains() -> None:
    """About a third of its points."""
    met = 0
    for state, given in hints():
        for reason in reasons(state.view(state.to_move), given.turn):
            if reason.key in ("denies", "denies_row", "denies_column"):
                details = {name: int(str(detail)) for name, detail in reason.details}
                points = details["points"] - details.get("less", 0)
                assert reason.weight == pytest.approx(0.35 * points)
                met += 1
    assert met > 20


def test_reasons_apart_weigh_what_they_weigh_more() -> None:
    """What the other turn has of the same kind is taken off; what is not more is not told."""
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


def test_the_others_of_a_hint_lay_another_tile() -> None:
    """Not the same tile with another noble: the best of each card, space and square."""
    repeated = 0
    for _, given in hints():
        tiles = [(p.turn.card, p.turn.space, p.turn.square) for p in given.estimates]
        others = given.others()
        chosen = [(p.turn.card, p.turn.space, p.turn.square) for p in others]
        assert chosen == list(dict.fromkeys(tiles))[1:]
        assert all(p == given.estimates[tiles.index(tile)] for p, tile in zip(others, chosen, strict=True))
        assert len({p.games for p in (given.estimates[0], *others[:2])}) == 1, "their figures can be compared"
        repeated += tiles[0] in tiles[1:3]
    assert repeated > 20


def test_turns_are_level_within_their_noise() -> None:
    """By what the order goes by, with the errors of both."""
    best = estimate(BEST, 60.0, 0.3)
    assert within_noise(best, estimate(SECOND, 59.6, 0.4), 0)
    assert not within_noise(best, estimate(SECOND, 59.4, 0.4), 0)


def test_no_seed_need_be_named() -> None:
    """Then a position has one hint."""
    view = positions()[40].view(positions()[40].to_move)
    given = hint(view, rollouts=50)
    assert isinstance(given, Hint) and given == hint(view, bytes(32), 50)
    assert evaluate(view, rollouts=50) == given.estimates
