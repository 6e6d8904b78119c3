"""Staging a turn: every legal turn can be built step by step, and undone."""

import pytest

from sanssouci.editions import Words
from sanssouci.review import best_stop, gain
from sanssouci.rules import IMPERIAL, Options, Turn, Variant
from sanssouci.terminal.choices import choices, read_value
from sanssouci.terminal.staging import Staged, TurnStep, Value

from ..helpers import a_deal, a_state, garden, odd_deal, random_states, stream

BOTH = Variant(2, IMPERIAL, rewards=True, wild_boar=True)


def staged_turns(staged: Staged) -> list[Turn]:
    """Every turn that can be staged from here."""
    if staged.step is TurnStep.CONFIRM:
        return [staged.turn()]
    return [turn for value in staged.choices() for turn in staged_turns(staged.choose(value))]


def test_every_legal_turn_can_be_staged_and_no_other() -> None:
    """R14-R20, R35: the stages lead to exactly the options."""
    for state in random_states(odd_deal(BOTH, stream(1)), stream(2))[:-1:4]:
        options = state.options()
        assert staged_turns(Staged(options).settled()) == list(options)


def test_stages_without_a_choice_are_skipped() -> None:
    """R18: a structure has one square and an undisturbed boar no choice, so both are skipped."""
    state = a_state(tiles="abcdefghia", hand="b c")
    staged = Staged(state.options()).choose(1)
    assert staged.step is TurnStep.NOBLE, "one statue on display, one square, no boar"
    assert staged.chosen == (1, 1, 10, None)
    assert staged.back() == Staged(state.options()), "back leads to the last real choice"
    assert staged.back().back() == Staged(state.options())


def test_back_undoes_one_choice_at_a_time() -> None:
    """R14: every step can be undone until the turn is confirmed."""
    options: Options = a_state(hand="* 24").options()
    one = Staged(options).choose(19)
    two = one.choose(0)
    three = two.choose(9)
    assert (three.back(), two.back(), one.back()) == (two, one, Staged(options))


def test_invalid_choices_are_refused() -> None:
    """R15: a space of another row is refused."""
    staged = Staged(a_state(hand="24 a").options()).choose(10)
    with pytest.raises(ValueError, match="cannot be chosen"):
        staged.choose(9)
    refusal = staged.options.refusal(staged.turn(9))
    assert refusal is not None and refusal.rule == "R15"


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_every_choice_can_be_typed_as_it_is_shown(language: str) -> None:
    """R14: the key in front of a choice is parsed as that choice."""
    words = Words(language, IMPERIAL)

    def check(staged: Staged, score: object) -> None:
        shown = choices(staged, state.scores[state.to_move], words)
        assert [choice.value for choice in shown] == list(staged.choices())
        for choice in shown:
            assert read_value(staged.step, choice.sign) == choice.value
            assert choice.meaning and "{" not in choice.meaning
        if staged.step is not TurnStep.CONFIRM:
            for value in staged.choices()[-2:]:
                check(staged.choose(value), score)

    for state in random_states(odd_deal(BOTH, stream(3)), stream(4))[:-1:9]:
        check(Staged(state.options()).settled(), state.scores[state.to_move])


def test_points_of_a_choice_are_what_the_turn_scores() -> None:
    """R21, R30, R35: the points shown with a choice are those of the rules."""
    for state in random_states(odd_deal(BOTH, stream(5)), stream(6))[:-2:3]:
        options, score = state.options(), state.scores[state.to_move]
        deal_free = [turn for turn in options if turn.noble is not None][:40]
        for turn in deal_free:
            assert best_stop(options, turn.square, turn.gardener) >= 1 + (turn.noble or 0) // 9
            without: Value = None
            laid = gain(
                options, score, Turn(turn.card, turn.space, turn.square, turn.gardener, turn.boar, without)
            )
            assert gain(options, score, turn) - laid == 1 + (turn.noble or 0) // 9


def test_the_noble_stage_is_skipped_if_no_noble_can_move() -> None:
    """R20: if no noble can move, the step is skipped."""
    walked = garden("""
        NNNNNNNNN
        .........
        .........
        .........
        .........
        .........
    """)
    state = a_state(walked, hand="* a", tiles="bcdefghiba")
    staged = Staged(state.options()).choose(19).choose(9)
    assert staged.step is TurnStep.CONFIRM and staged.turn().noble is None
    assert a_deal().start().options()
