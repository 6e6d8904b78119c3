"""Evaluation and hints: figures for every candidate, no hidden information, reproducible."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import hypot, isfinite

import pytest

from sanssouci.network import compare_turns, usable_network
from sanssouci.review import (
    ROLLOUTS_A_TURN,
    Hint,
    ReviewEffort,
    hint,
    prepare,
    prepared,
    rank_turns,
    review_turn,
    say_reason,
)
from sanssouci.rules import Chance, State, Turn, View, members, motif_on, set_of
from sanssouci.workers.hint_result import write_hint

from ..helpers import stream
from .positions import POSITIONS, ROLLOUTS, SEED, hints, positions


def test_every_candidate_has_figures() -> None:
    """R1, R23: every finalist has finite figures, also in the last round and with one turn left."""
    for state, given in hints():
        options = state.options()
        assert given.turn == given.outlooks[0].turn and given.outlooks[0].level
        for outlook in given.outlooks:
            assert outlook.games > 0 and outlook.turn in options
            figures = (outlook.score, outlook.margin, outlook.share)
            assert all(isfinite(figure.mean) and isfinite(figure.error) for figure in figures)
            assert 0 <= outlook.share.mean <= 1


def contradictions(given: Hint, state: State) -> list[str]:
    """What a player would call a contradiction in what is shown of a hint."""
    shown = write_hint(given)
    rows = [shown["expected"], *shown["others"]]
    found = []
    for better, worse in pairwise(rows):
        if (better["share"], better["margin"]) < (worse["share"], worse["margin"]):
            found.append(f"{worse} is behind {better}")
        if worse["level"] and not better["level"]:
            found.append(f"{worse} is called as good as the best, {better} above it is not")
    for row, outlook in zip(rows, given.outlooks, strict=True):
        behind = rows[0]["share"] - row["share"]
        noise = 2 * hypot(given.outlooks[0].share.error, outlook.share.error)
        if row["level"] and behind > 0.02 + 2 * noise:
            found.append(f"{row} is called as good as {rows[0]}")
        if not row["level"] and (row["share"], row["margin"]) == (rows[0]["share"], rows[0]["margin"]):
            found.append(f"{row} is called worse than {rows[0]}")
    looks = [
        (outlook.turn.card, motif_on(state.display, outlook.turn.space), outlook.turn.square)
        for outlook in given.outlooks
    ]
    if len(set(looks)) < len(looks):
        found.append("two turns look alike")
    return found


def test_order_figures_and_words_agree() -> None:
    """In 500 positions of every variant, though their hints come from few simulated games."""
    assert len(hints()) == POSITIONS
    assert [found for state, given in hints() for found in contradictions(given, state)] == []


@pytest.mark.parametrize("missing", [False, True], ids=["network", "no network"])
def test_hints_with_and_without_a_network(missing: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other chance gives other figures, and nothing in them is contradictory."""
    monkeypatch.setattr(
        "sanssouci.network.usable_network", (lambda seats: None) if missing else usable_network
    )
    state = positions()[40]
    view = state.view(state.to_move)
    one, two = (hint(view, bytes(31) + bytes([number]), 600) for number in (1, 2))
    assert one.outlooks != two.outlooks
    assert contradictions(one, state) == contradictions(two, state) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("part", range(10))
def test_other_chance_gives_a_turn_of_equal_worth(part: int) -> None:
    """By a comparison in many more games, in nearly all positions."""
    states = positions()[part::10]
    unequal = 0
    for number, state in enumerate(states):
        view, rest = state.view(state.to_move), number.to_bytes(31, "big")
        one, two = hint(view, b"\1" + rest), hint(view, b"\2" + rest)
        unequal += one.turn != two.turn and not _equal_worth(view, one.turn, two.turn)
        assert contradictions(one, state) == contradictions(two, state) == []
    assert unequal <= 0.05 * len(states), unequal


def _equal_worth(view: View, one: Turn, two: Turn) -> bool:
    """Whether the chances to win differ by at most two hundredths."""
    network = usable_network(view.variant.seats)
    assert network is not None
    one_share, two_share = compare_turns(view, (one, two), network.layers, SEED, 5000, 1)[
        0, :, view.to_move, 2
    ]
    return bool(abs(one_share - two_share) <= 0.02)


def _called_mistakes(states: Sequence[State]) -> list[int]:
    """The turns of positions whose hint a review calls a mistake."""
    found = []
    for state in states:
        view = state.view(state.to_move)
        review = review_turn(view, hint(view, b"\3" * 32).turn, SEED, ReviewEffort.of(ROLLOUTS_A_TURN))
        found += [state.turn] * review.missed
    return found


def test_a_review_agrees_with_hints() -> None:
    """The turn that a hint recommends is not called a mistake, though the review has other chance."""
    assert _called_mistakes(positions()[3::100]) == []


@pytest.mark.exhaustive
def test_reviews_agree_with_hints() -> None:
    """In a hundred positions of every variant."""
    assert _called_mistakes(positions()[::5]) == []


def test_the_last_turn_of_a_game_is_counted_exactly() -> None:
    """R25-R27: on the last turn the own score is exact."""
    for state, given in hints():
        if state.turn != state.variant.turns - 1:
            continue
        seat = state.to_move
        for outlook in given.outlooks:
            after = state.play(outlook.turn, Chance())
            assert outlook.score == (after.scores[seat].total, 0.0)


def test_the_same_seed_is_the_same_hint() -> None:
    """The same seed gives the same hint; another seed plays other rollouts."""
    view = positions()[40].view(positions()[40].to_move)
    assert hint(view, SEED, 200) == hint(view, SEED, 200)
    assert hint(view, bytes(32), 200).outlooks != hint(view, SEED, 200).outlooks


def test_turns_of_choice_can_be_ranked() -> None:
    """Chosen turns begin the same number of games and come back the best first; illegal ones are refused."""
    for state in positions()[::25]:
        view = state.view(state.to_move)
        chosen = [outlook.turn for outlook in rank_turns(view, SEED, ROLLOUTS)]
        ranked = rank_turns(view, SEED, ROLLOUTS, chosen[::-1])
        assert {outlook.turn for outlook in ranked} == set(chosen)
        assert len({outlook.games for outlook in ranked}) == 1
        percents = [outlook.percent for outlook in ranked]
        assert percents == sorted(percents, reverse=True)
    with pytest.raises(ValueError, match="not legal"):
        rank_turns(view, SEED, ROLLOUTS, [replace(chosen[0], square=0)])
    with pytest.raises(ValueError, match="nothing is compared"):
        rank_turns(view, SEED, ROLLOUTS, [])


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
    best = given.outlooks[0]
    shown = {"games": best.games, "points": round(best.score.mean), "share": best.percent}
    assert dict(reason.details) == shown
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
