"""Hints: the choice and weight of reasons, and the other turns shown."""

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
    figure = SampleMean(value, error)
    return TurnEstimate(turn, 100, value, (figure, figure), figure, (figure, figure))


def best_reasons(
    of_best: list[Reason], of_second: list[Reason], monkeypatch: pytest.MonkeyPatch
) -> list[Reason]:
    """The reasons of a hint if these reasons are found."""
    found = {BEST: of_best, SECOND: of_second}
    monkeypatch.setattr(
        sys.modules["sanssouci.review.hint"], "reasons", lambda view, turn: tuple(found[turn])
    )
    view: View = positions()[0].view(0)
    return list(_best_reasons(view, (estimate(BEST), estimate(SECOND))))


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


def test_the_others_of_a_hint_lay_another_tile() -> None:
    """The other turns of a hint differ in card, space or square, not only in the noble."""
    repeated = 0
    for _, given in hints():
        tiles = [(p.turn.card, p.turn.space, p.turn.square) for p in given.estimates]
        others = given.others()
        chosen = [(p.turn.card, p.turn.space, p.turn.square) for p in others]
        assert chosen == list(dict.fromkeys(tiles))[1:]
        assert all(p == given.estimates[tiles.index(tile)] for p, tile in zip(others, chosen, strict=True))
        assert len({p.games for p in (given.estimates[0], *others[:2])}) == 1, "equal numbers of rollouts"
        repeated += tiles[0] in tiles[1:3]
    assert repeated > 20


def test_turns_are_level_within_their_noise() -> None:
    """Turns are level if their values differ by less than the combined standard errors."""
    best = estimate(BEST, 60.0, 0.3)
    assert within_noise(best, estimate(SECOND, 59.6, 0.4), 0)
    assert not within_noise(best, estimate(SECOND, 59.4, 0.4), 0)


def test_the_seed_is_optional() -> None:
    """Without a seed, a position always has the same hint."""
    view = positions()[40].view(positions()[40].to_move)
    given = hint(view, rollouts=50)
    assert isinstance(given, Hint) and given == hint(view, bytes(32), 50)
    assert evaluate(view, rollouts=50) == given.estimates
