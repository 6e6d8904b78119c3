"""Evaluation and hints: figures for every candidate, nothing hidden used, the same seed the same hint."""

import sys
from dataclasses import replace
from math import isfinite

import pytest

from sanssouci.review import evaluate, hint, prepare, prepared, say_reason
from sanssouci.rules import Chance, State, members, set_of

from ..helpers import stream
from .positions import ROLLOUTS, SEED, hints, positions


def test_every_candidate_has_figures() -> None:
    """R1, R23: also in the last round, where there is nothing to search, and where one turn is left."""
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
    """The first few have begun equally many simulated games, and stand in the order of their value."""
    for _, given in hints():
        first = given.estimates[:4]
        assert len({estimate.games for estimate in first}) == 1
        values = [estimate.value for estimate in first]
        assert values == sorted(values, reverse=True)


def test_the_last_turn_of_a_game_is_counted_exactly() -> None:
    """R25-R27: for the own score nothing is left to chance, so every imagined game ends alike."""
    for state, given in hints():
        if state.turn != state.variant.turns - 1:
            continue
        seat = state.to_move
        for estimate in given.estimates:
            after = state.play(estimate.turn, Chance())
            assert estimate.scores[seat] == (after.scores[seat].total, 0.0)


def test_the_same_seed_is_the_same_hint() -> None:
    """Another seed imagines other games."""
    view = positions()[40].view(positions()[40].to_move)
    assert hint(view, SEED, 200) == hint(view, SEED, 200)
    assert evaluate(view, SEED, 200) == hint(view, SEED, 200).estimates
    assert evaluate(view, bytes(32), 200) != evaluate(view, SEED, 200)


def dealt_otherwise(state: State, number: int) -> State:
    """The same for the seat to move: the others hold other cards and have other missions."""
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


def test_what_is_hidden_makes_no_difference() -> None:
    """R11, R12: the others' hands, piles and missions exchanged, the hint is the same, word for word."""
    different = 0
    for number, (state, given) in enumerate(hints()[::6]):
        other = dealt_otherwise(state, number)
        different += other != state
        again = hint(other.view(other.to_move), SEED, ROLLOUTS)
        assert again == given
        assert [reason.weight for reason in again.reasons] == [reason.weight for reason in given.reasons]
    assert different > 60


def test_where_nothing_speaks_for_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last resort names what came of it in the simulated games; hints of real games hardly need it."""
    assert sum(given.reasons[0].key == "trial" for _, given in hints()) <= 2
    monkeypatch.setattr(sys.modules["sanssouci.review.hint"], "reasons", lambda view, turn: ())
    state = positions()[40]
    given = hint(state.view(state.to_move), SEED, ROLLOUTS)
    (reason,) = given.reasons
    best = given.estimates[0]
    score, share = best.scores[state.to_move].mean, best.shares[state.to_move].mean
    assert dict(reason.details) == {"games": best.games, "points": round(score), "share": round(100 * share)}
    assert f"in {best.games} simulated games" in say_reason(reason, state.variant.edition)


def test_only_who_is_to_move_is_given_a_hint() -> None:
    """R14: neither another seat nor a spectator nor anyone after the end."""
    state = positions()[0]
    for seat in (1 - state.to_move, None):
        with pytest.raises(ValueError, match="not the turn"):
            hint(state.view(seat), SEED, 10)


def test_preparing_is_done_once() -> None:
    """What was compiled before is there."""
    prepare()
    assert prepared()
