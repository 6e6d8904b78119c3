"""R29 to R33: reward boards."""

from dataclasses import replace

import pytest

from sanssouci.notation import parse_square, parse_turn, write_squares
from sanssouci.rules import (
    REWARD_AREA,
    REWARD_SQUARES,
    Garden,
    Mark,
    Score,
    Variant,
    deal_refusal,
    is_reward_side,
    marked_squares,
    pack_marks,
    reward_points,
    turn_score,
)

from ..helpers import a_deal, a_reward_side, a_state, any_chance, squares


def test_the_board_covers_sixteen_squares() -> None:
    """R29: the board covers e3; d4-f4; c5-g5; b6-h6."""
    covered = ["e3", "d4", "e4", "f4", "c5", "d5", "e5", "f5", "g5", "b6", "c6", "d6", "e6", "f6", "g6", "h6"]
    assert write_squares(REWARD_AREA) == covered


def test_twelve_squares_are_marked() -> None:
    """R29: eleven or thirteen marks and a wrong number of boards are refused."""
    right = a_deal(Variant(2, rewards=True))
    eleven = pack_marks(dict.fromkeys(REWARD_SQUARES[:11], Mark.PLUS_1))
    thirteen = pack_marks(dict.fromkeys(REWARD_SQUARES[:13], Mark.PLUS_1))
    assert is_reward_side(a_reward_side())
    for junk in (7 | a_reward_side(), -1, a_reward_side() | 1 << 48):
        assert not is_reward_side(junk)
    for marks in ((a_reward_side(), eleven), (thirteen,) * 2, (a_reward_side(),), ()):
        refusal = deal_refusal(replace(right, marks=marks))
        assert refusal is not None and refusal.rule == "R29"
    without = replace(a_deal(), marks=(a_reward_side(),) * 2)
    refusal = deal_refusal(without)
    assert refusal is not None and refusal.rule == "R29"


def test_marks_can_be_packed_and_read() -> None:
    """R29: packed marks are read back; a square outside the board is refused."""
    marks = {parse_square("e3"): Mark.MINUS_3, parse_square("h6"): Mark.GARDENER_3}
    assert marked_squares(pack_marks(marks)) == marks
    with pytest.raises(ValueError, match="reward board"):
        pack_marks({parse_square("a2"): Mark.PLUS_1})


@pytest.mark.parametrize(
    ("mark", "structure", "gardener"),
    [
        (Mark.NONE, 0, 0),
        (Mark.PLUS_1, 1, 0),
        (Mark.PLUS_2, 2, 0),
        (Mark.PLUS_3, 3, 0),
        (Mark.GARDENER_3, 0, 3),
        (Mark.MINUS_2, -2, -2),
        (Mark.MINUS_3, -3, -3),
    ],
)
def test_points_of_marks(mark: Mark, structure: int, gardener: int) -> None:
    """R30, R31, R32: bonus for a structure, bonus for a gardener, loss for any tile."""
    for square in REWARD_SQUARES:
        marks = pack_marks({square: mark})
        assert reward_points(marks, square, gardener=False) == structure
        assert reward_points(marks, square, gardener=True) == gardener
        assert reward_points(marks, 0, gardener=False) == 0


def test_a_structure_on_a_bonus_scores_at_once() -> None:
    """R30: a tile on a +2 scores before the noble moves."""
    own = Garden.laid_out(squares("a3 a5 c2 g2 h4 i3"), pack_marks({parse_square("e3"): Mark.PLUS_2}))
    state = a_state(own, tiles="abecdfghia", variant=Variant(2, rewards=True))
    after = state.play(parse_turn("*@2-e3/e1"), any_chance(state))
    assert after.scores[0] == Score(nobles=1, rewards=2)


@pytest.mark.parametrize(("points", "lost"), [(0, 0), (1, -1), (2, -2), (3, -3), (10, -3)])
def test_a_score_never_falls_below_zero(points: int, lost: int) -> None:
    """R32: a loss stops at 0, and the part records the points actually lost."""
    own = Garden.laid_out(squares("a3 a5 c2 g2 h4 i3"), pack_marks({parse_square("e3"): Mark.MINUS_3}))
    score = turn_score(own, Score(nobles=points), parse_turn("*@2-e3"))
    assert score.rewards == lost and score.total == max(0, points - 3)


def test_the_loss_comes_before_the_noble_of_the_same_turn() -> None:
    """R32, R38: with 1 point, a -3 and then a noble to row 1, one point is lost and one gained."""
    own = Garden.laid_out(squares("a3 a5 c2 g2 h4 i3"), pack_marks({parse_square("e3"): Mark.MINUS_3}))
    assert turn_score(own, Score(nobles=1), parse_turn("*@2-e3/e1")) == Score(nobles=2, rewards=-1)


def test_prints_under_the_board_are_hidden() -> None:
    """R33: squares under the board are free until a tile is laid on them."""
    printed = squares("e3 e4 b6 a2 i2 a6")
    hidden = Garden.laid_out(printed, a_reward_side())
    assert hidden.built & ~squares("a1 b1 c1 d1 e1 f1 g1 h1 i1") == squares("a2 i2 a6")
    assert Garden.laid_out(printed).built.bit_count() == 15
    assert hidden.printed == hidden.built, "hidden prints do not count as printed"
    state = a_state(hidden, tiles="abecdfghia", variant=Variant(2, rewards=True))
    assert state.options().refusal(parse_turn("*@2-e3")) is None
