"""Whatever is said for a turn is true: counted a second time, on five hundred positions."""

from collections import Counter
from dataclasses import replace

import pytest

from sanssouci.review import Detail, Reason, reasons
from sanssouci.review.reason import THEMES
from sanssouci.rules import ROUNDS, SEATS, State, Turn

from ..helpers import VARIANTS, any_chance, stream
from .positions import POSITIONS, hints, positions
from .witness import Truth, at_once, truths

OF_TWO_TURNS = {"more_now", "no_loss", "spares"}
OF_THE_GAMES = {"trial"}
RARE = {"denies_row"}
"""Hardly ever met by chance; see test_examples.py."""


def as_truth(reason: Reason) -> Truth:
    """A reason as the witness writes it."""
    return reason.key, frozenset(reason.details)


def some_turn(state: State, number: int) -> Turn:
    """A legal turn by chance: not a good one."""
    turns = list(state.options())
    return turns[stream(number).below(len(turns))]


def test_the_positions_are_of_every_kind() -> None:
    """R1: every variant, two to four seats, every round, and good play as well as bad."""
    found = positions()
    assert len(found) == POSITIONS == 500
    assert {state.variant.seats for state in found} == set(SEATS)
    assert {replace(state.variant, deck=VARIANTS[0].deck) for state in found} == set(VARIANTS)
    assert {state.round for state in found} == set(range(1, ROUNDS + 1))


def test_every_fact_of_a_hint_is_true() -> None:
    """R18-R37: what a hint says is what a plain count finds: one or two facts, never about the same."""
    for state, given in hints():
        assert 1 <= len(given.reasons) <= 2
        assert len(given.reasons) == 1 or not given.reasons[0].repeats(given.reasons[1])
        true = truths(state, given.turn)
        for reason in given.reasons:
            assert as_truth(reason) in true or reason.key in OF_THE_GAMES, (state, given)


def test_all_facts_and_nothing_else() -> None:
    """R18-R37: the reasons for good turns and for turns by chance are just what the witness finds."""
    met: Counter[str] = Counter()
    for number, (state, given) in enumerate(hints()):
        for turn in {given.turn, some_turn(state, number)}:
            found = reasons(state.view(state.to_move), turn)
            assert {as_truth(reason) for reason in found} == truths(state, turn), (state, turn)
            assert list(found) == sorted(found, key=lambda reason: -reason.weight)
            met.update(reason.key for reason in found)
    assert set(met) >= set(THEMES) - OF_TWO_TURNS - OF_THE_GAMES - RARE, "every kind of fact was met"


def test_a_wrong_figure_is_seen() -> None:
    """Each number of each fact, one more or less: the witness says no."""
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


def test_what_sets_a_turn_apart() -> None:
    """Only what is true of the one and not of the other; and what the other would lose (R32)."""
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
    """The state after a turn, the end not counted: as if it were the first round."""
    return replace(state, turn=state.to_move).play(turn, any_chance(state))


def test_an_illegal_turn_has_no_reasons() -> None:
    """R14: nothing is said for what cannot be played, nor to those who are not to move."""
    state = positions()[0]
    turn = next(iter(state.options()))
    with pytest.raises(ValueError, match="not legal"):
        reasons(state.view(state.to_move), replace(turn, square=0))
    with pytest.raises(ValueError, match="not legal"):
        reasons(state.view(1 - state.to_move), turn)
