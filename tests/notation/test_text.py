"""Squares, cards, marks and turns as text, parsed and written."""

import re

import pytest

from sanssouci.notation import (
    NotationError,
    parse_card,
    parse_column,
    parse_mark,
    parse_marks,
    parse_square,
    parse_squares,
    parse_turn,
    write_card,
    write_column,
    write_mark,
    write_marks,
    write_square,
    write_squares,
    write_turn,
)
from sanssouci.rules import CARDS, LEAVES, Mark, Turn, colour_card

from ..helpers import a_reward_side

GRAMMAR = r"^([a-i]|[2-5][3-6]|\*)@[0-9]-[a-i][2-6]g?(~([a-i][2-6]|x))?(/[a-i][1-6])?$"


def test_squares_round_trip() -> None:
    """A square is a column letter and a row digit: a1 is square 0, i6 square 53."""
    assert [write_square(square) for square in (0, 8, 9, 31, 53)] == ["a1", "i1", "a2", "e4", "i6"]
    assert [parse_square(write_square(square)) for square in range(54)] == list(range(54))
    assert [parse_column(write_column(column)) for column in range(9)] == list(range(9))
    assert parse_squares(write_squares(2**54 - 1)) == 2**54 - 1


def test_cards_round_trip() -> None:
    """R4: a card is a column letter, two rows in ascending order, or a star."""
    texts = [write_card(card) for card in CARDS]
    assert texts == [*"abcdefghi", "23", "24", "25", "26", "34", "35", "36", "45", "46", "56", "*"]
    assert [parse_card(text) for text in texts] == list(CARDS)


def test_marks_round_trip() -> None:
    """R29: the marks are +1 +2 +3 g3 -2 -3."""
    texts = [write_mark(mark) for mark in Mark if mark]
    assert texts == ["+1", "+2", "+3", "g3", "-2", "-3"]
    assert [parse_mark(text) for text in texts] == [mark for mark in Mark if mark]
    assert parse_marks(write_marks(a_reward_side())) == a_reward_side()


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("36@2-g3/g3", Turn(colour_card(3, 6), 2, 24, noble=24)),
        ("e@4-e4~d4", Turn(4, 4, 31, boar=30)),
        ("*@1-b2g/b1", Turn(19, 1, 10, gardener=True, noble=1)),
        ("*@9-i6g~x/a6", Turn(19, 9, 53, gardener=True, boar=LEAVES, noble=45)),
    ],
)
def test_turns_round_trip(text: str, turn: Turn) -> None:
    """Examples of turns, including the longest, are parsed, written and match the grammar."""
    assert parse_turn(text) == turn
    assert write_turn(turn) == text
    assert re.match(GRAMMAR, text)
    assert eval(repr(turn)) == turn  # the repr is valid Python


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "36@2-g3 ", "36@2-g3\n", "36@2-g1", "36@10-g3", "36@2-j3", "36@2-g7", "36@2g3"),
        *("36@2-g3/g7", "36@2-g3/g0", "36@2-g3~d1", "36@2-g3~", "36@2-g3/", "36@2-g3gg", "A@2-g3", "**@1-b2"),
        *("36@2-g3/g3~d4", "36@٢-g3", "37@2-g3", "62@2-g3", "36@2-g3~y", "36@2-g3G", "x" * 10_000),
    ],
)
def test_invalid_turns_are_refused(text: str) -> None:
    """Any invalid text gives one sentence."""
    with pytest.raises(NotationError, match="not a turn"):
        parse_turn(text)


@pytest.mark.parametrize("text", ["33@2-g3", "53@2-g3", "43@2-g3"])
def test_a_turn_with_a_card_that_does_not_exist(text: str) -> None:
    """R4: a text that matches the grammar but has no valid card is refused."""
    assert re.match(GRAMMAR, text)
    with pytest.raises(NotationError, match="not a card"):
        parse_turn(text)


@pytest.mark.parametrize("text", ["", "a", "a0", "a7", "j1", "A1", "a11", " a1", "a²", "é1"])
def test_invalid_squares_are_refused(text: str) -> None:
    """Only a1 to i6 are squares."""
    with pytest.raises(NotationError, match="not a square"):
        parse_square(text)


def test_other_invalid_texts_are_refused() -> None:
    """Invalid columns, cards and marks, repeated squares and squares outside the reward board are refused."""
    for text in ("", "j", "ab", "A"):
        with pytest.raises(NotationError, match="not a column"):
            parse_column(text)
    for text in ("", "32", "22", "12", "67", "j", "236"):
        with pytest.raises(NotationError, match="not a card"):
            parse_card(text)
    for text in ("", "+4", "1", "g2", "-1"):
        with pytest.raises(NotationError, match="not a reward mark"):
            parse_mark(text)
    with pytest.raises(NotationError, match="a3 is listed twice"):
        parse_squares(["a3", "b2", "a3"])
    with pytest.raises(NotationError, match="a3 is not under the reward board"):
        parse_marks({"a3": "+1"})
