"""Evaluation and hints: figures for every candidate, no hidden information, reproducible."""

import sys
from dataclasses import replace
from math import isfinite

import pytest

from sanssouci.review import evaluate, hint, prepare, prepared, say_reason
from sanssouci.rules import Chance, State, members, set_of

from ..helpers import stream
from .positions import ROLLOUTS, SEED, hints, positions


def test_every_candidate_has_figures() -> None:
    """R1, R23: every candidate has finite figures, also in the last round and with one turn left."""
    for state, given in hints():
        options = state.options()
        assert given.turn == given.estimates[0].turn
        assert len({estimate.turn for estimate in given.estimates}) == len(given.estimates)
        for estimate in given.estimates:
            assert estimate.games > 0 and estimate.turn in options
            figures = [*estimate.scores, estimate.margin, *estimate.shares]
            assert all(isfinite(figure.mean) and isfinite(figure.error) for figure in figures)
            assert abs(sum(share.mean for share in estimate.shares) - 1) < 1e-9


def test_finalists_can_be_compared() -> None:
    """The first four candidates have equal numbers of rollouts and are sorted by value."""
    for _, given in hints():
        first = given.estimates[:4]
        assert len({estimate.games for estimate in first}) == 1
        values = [estimate.value for estimate in first]
        assert values == sorted(values, reverse=True)


def test_the_last_turn_of_a_game_is_counted_exactly() -> None:
    """R25-R27: on the last turn the own score is exact."""
    for state, given in hints():
        if state.turn != state.variant.turns - 1:
            continue
        seat = state.to_move
        for estimate in given.estimates:
            after = state.play(estimate.turn, Chance())
            assert estimate.scores[seat] == (after.scores[seat].total, 0.0)


def test_the_same_seed_is_the_same_hint() -> None:
    """The same seed gives the same hint; another seed plays other rollouts."""
    view = positions()[40].view(positions()[40].to_move)
    assert hint(view, SEED, 200) == hint(view, SEED, 200)
    assert evaluate(view, SEED, 200) == hint(view, SEED, 200).estimates
    assert evaluate(view, bytes(32), 200) != evaluate(view, SEED, 200)


def dealt_otherwise(state: State, number: int) -> State:
    """The same state for the seat to move, with other hands and missions of the others."""
    seat, chance = state.to_move, stream(number)
    hands, piles, missions = list(state.hands), list(state.piles), list(state.missions)
    unseen = [mission for mission in range(9) if mission not in state.missions[seat]]
    for other in range(state.variant.seats):
        if other != seat:
            cards = list(members(hands[other] | piles[other]))
            size = hands[other].bit_count()
            held = [cards.pop(chance.below(len(cards))) for _ in range(size)]
            hands[other], piles[other] = set_of(held), set_of(cards)
            missions[other] = tuple(unseen.pop(chance.below(len(unseen))) for _ in range(2))
    return replace(state, hands=tuple(hands), piles=tuple(piles), missions=tuple(missions))


def test_hidden_information_does_not_affect_hints() -> None:
    """R11, R12: other hands, piles and missions of the others give the same hint."""
    different = 0
    for number, (state, given) in enumerate(hints()[::6]):
        other = dealt_otherwise(state, number)
        different += other != state
        again = hint(other.view(other.to_move), SEED, ROLLOUTS)
        assert again == given
        assert [reason.weight for reason in again.reasons] == [reason.weight for reason in given.reasons]
    assert different > 60


def test_a_hint_without_reasons_cites_the_rollouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without other reasons, the hint cites the rollouts; real games hardly need this."""
    assert sum(given.reasons[0].key == "trial" for _, given in hints()) <= 2
    monkeypatch.setattr(sys.modules["sanssouci.review.hint"], "reasons", lambda view, turn: ())
    state = positions()[40]
    given = hint(state.view(state.to_move), SEED, ROLLOUTS)
    (reason,) = given.reasons
    best = given.estimates[0]
    score, share = best.scores[state.to_move].mean, best.shares[state.to_move].mean
    assert dict(reason.details) == {"games": best.games, "points": round(score), "share": round(100 * share)}
    assert f"in {best.games} simulated games" in say_reason(reason, state.variant.edition)


def test_only_the_seat_to_move_gets_a_hint() -> None:
    """R14: another seat and a spectator are refused."""
    state = positions()[0]
    for seat in (1 - state.to_move, None):
        with pytest.raises(ValueError, match="not the turn"):
            hint(state.view(seat), SEED, 10)


def test_preparing_is_done_once() -> None:
    """After ``prepare``, everything is compiled."""
    prepare()
    assert prepared()
