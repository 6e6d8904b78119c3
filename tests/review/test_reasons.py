"""Every reason is true: an independent count checks them on 500 positions."""

from collections import Counter
from dataclasses import replace

import pytest

from sanssouci.review import Detail, Reason, reasons
from sanssouci.review.reason import THEMES
from sanssouci.rules import ROUNDS, SEATS, State, Turn

from ..helpers import VARIANTS, any_chance, stream
from .positions import POSITIONS, hints, positions
from .reasons_oracle import Truth, at_once, truths

OF_TWO_TURNS = {"more_now", "no_loss", "spares"}
OF_THE_GAMES = {"trial"}
RARE = {"denies_row"}
"""Rare in random positions; see test_examples.py."""


def as_truth(reason: Reason) -> Truth:
    """A reason in the form of the oracle."""
    return reason.key, frozenset(reason.details)


def some_turn(state: State, number: int) -> Turn:
    """A random legal turn."""
    turns = list(state.options())
    return turns[stream(number).below(len(turns))]


def test_the_positions_are_of_every_kind() -> None:
    """R1: the positions cover every variant, number of seats and round."""
    found = positions()
    assert len(found) == POSITIONS == 500
    assert {state.variant.seats for state in found} == set(SEATS)
    assert {replace(state.variant, deck=VARIANTS[0].deck) for state in found} == set(VARIANTS)
    assert {state.round for state in found} == set(range(1, ROUNDS + 1))


def test_every_fact_of_a_hint_is_true() -> None:
    """R18-R37: a hint has one or two different reasons, and the oracle confirms them."""
    for state, given in hints():
        assert 1 <= len(given.reasons) <= 2
        assert len(given.reasons) == 1 or not given.reasons[0].repeats(given.reasons[1])
        true = truths(state, given.turn)
        for reason in given.reasons:
            assert as_truth(reason) in true or reason.key in OF_THE_GAMES, (state, given)


def test_all_facts_and_nothing_else() -> None:
    """R18-R37: the reasons for good and random turns are exactly those of the oracle."""
    met: Counter[str] = Counter()
    for number, (state, given) in enumerate(hints()):
        for turn in {given.turn, some_turn(state, number)}:
            found = reasons(state.view(state.to_move), turn)
            assert {as_truth(reason) for reason in found} == truths(state, turn), (state, turn)
            assert list(found) == sorted(found, key=lambda reason: -reason.weight)
            met.update(reason.key for reason in found)
    assert set(met) >= set(THEMES) - OF_TWO_TURNS - OF_THE_GAMES - RARE, "every kind of reason occurs"


def test_a_wrong_figure_is_seen() -> None:
    """The oracle rejects any changed number in a reason."""
    changed = 0
    for state, given in hints()[::5]:
        true = truths(state, given.turn)
        for reason in reasons(state.view(state.to_move), given.turn):
            for place, (name, detail) in enumerate(reason.details):
                for wrong in _wrong(detail):
                    details = (*reason.details[:place], (name, wrong), *reason.details[place + 1 :])
                    assert as_truth(replace(reason, details=details)) not in true
                    changed += 1
    assert changed > 1000


def _wrong(detail: Detail) -> list[Detail]:
    if isinstance(detail, tuple):
        return [detail[1:], (*detail, 53), tuple(square + 9 for square in detail)]
    return [detail + 1, detail - 1]


def test_reasons_against_another_turn() -> None:
    """Only facts that hold for one turn and not for the other, and losses avoided (R32), are reasons."""
    met: Counter[str] = Counter()
    for number, (state, given) in enumerate(hints()):
        view, other = state.view(state.to_move), some_turn(state, number)
        true, shared = truths(state, given.turn), truths(state, other)
        gains = at_once(state, given.turn), at_once(state, other)
        for reason in reasons(view, given.turn, instead_of=other):
            details = dict(reason.details)
            met[reason.key] += 1
            match reason.key:
                case "more_now":
                    assert (details["points"], details["less"]) == gains and gains[0] > gains[1] >= 0
                case "no_loss":
                    assert (details["points"], -int(str(details["loss"]))) == gains and gains[0] >= 0 > gains[
                        1
                    ]
                case "spares":
                    assert details["square"] == other.square != given.turn.square
                    lost = state.scores[state.to_move].rewards
                    lost -= _played(state, other).scores[state.to_move].rewards
                    assert details["points"] == lost > 0
                case _:
                    assert as_truth(reason) in true - shared
        assert not reasons(view, given.turn, instead_of=given.turn)
    assert set(met) >= OF_TWO_TURNS


def _played(state: State, turn: Turn) -> State:
    """The state after a turn without the final scoring, as if it were the first round."""
    return replace(state, turn=state.to_move).play(turn, any_chance(state))


def test_an_illegal_turn_has_no_reasons() -> None:
    """R14: illegal turns and seats that are not to move are refused."""
    state = positions()[0]
    turn = next(iter(state.options()))
    with pytest.raises(ValueError, match="not legal"):
        reasons(state.view(state.to_move), replace(turn, square=0))
    with pytest.raises(ValueError, match="not legal"):
        reasons(state.view(1 - state.to_move), turn)
