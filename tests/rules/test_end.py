"""R25 to R28: the end."""

from dataclasses import replace

import pytest

from sanssouci.notation import parse_turn
from sanssouci.rules import Chance, RefusalCode, Result, Score, Variant, final_score, winners
from sanssouci.rules.scoring import column_points, mission_points, row_points

from ..helpers import a_deal, a_state, cards, garden, random_states, squares, stream

ROWS = """
    #########
    {}
    {}
    {}
    {}
    {}
"""


@pytest.mark.parametrize(("row", "points"), [(2, 8), (3, 7), (4, 6), (5, 5), (6, 4)])
def test_a_complete_row_scores_ten_minus_its_value(row: int, points: int) -> None:
    """R25: rows 2 to 6 score 8, 7, 6, 5 and 4; gardeners count as built."""
    lines = ["........."] * 5
    lines[row - 2] = "##g###g##"
    assert row_points(garden(ROWS.format(*lines)).built) == points
    lines[row - 2] = "##g###g#."
    assert row_points(garden(ROWS.format(*lines)).built) == 0


def test_row_1_scores_nothing_and_all_rows_score_thirty() -> None:
    """R25: row 1 is complete from the start and scores nothing."""
    assert row_points(garden(ROWS.format(*["........."] * 5)).built) == 0
    assert row_points(garden(ROWS.format(*["#########"] * 5)).built) == 30


def test_a_complete_column_scores_five() -> None:
    """R26: each complete column scores 5; gardeners count as built."""
    assert column_points(garden(ROWS.format(*["#.......g"] * 5)).built) == 10
    assert column_points(garden(ROWS.format(*["#........"] * 4, ".........")).built) == 0


def test_a_mission_scores_the_row_of_its_noble() -> None:
    """R27: a mission scores the row of its noble, 0 on the terrace."""
    drawn = garden(ROWS.format("N........", ".N.......", ".........", ".........", "......N.."))
    assert [mission_points(drawn.nobles, column) for column in range(9)] == [2, 3, 0, 0, 0, 0, 6, 0, 0]
    assert final_score(drawn, Score(), (1, 2)).missions == 3


@pytest.mark.parametrize(
    ("totals", "gardeners", "won"),
    [
        ((10, 9), (0, 5), (0,)),
        ((10, 10), (1, 2), (1,)),
        ((10, 10, 10), (2, 1, 2), (0, 2)),
        ((10, 10, 9, 10), (3, 3, 9, 3), (0, 1, 3)),
        ((0, 0), (0, 0), (0, 1)),
        ((7, 7, 7, 7), (3, 2, 3, 2), (0, 2)),
        ((7, 7, 7, 7), (1, 2, 3, 4), (3,)),
        ((9, 10, 10), (9, 0, 0), (1, 2)),
    ],
)
def test_who_wins(totals: tuple[int, ...], gardeners: tuple[int, ...], won: tuple[int, ...]) -> None:
    """R28: the most points win, then the most gardeners; seats equal in both share the victory."""
    assert winners(totals, gardeners) == won


def test_the_last_turn_ends_the_game_and_counts_everything() -> None:
    """R25, R26, R27: the state after the last turn has the final points by part."""
    states = random_states(a_deal(Variant(2)), stream(25))
    before, after = states[-2:]
    assert all(s.rows == s.columns == s.missions == 0 for s in before.scores)
    for garden_, score, missions in zip(after.gardens, after.scores, after.missions, strict=True):
        assert score.rows == row_points(garden_.built)
        assert score.columns == column_points(garden_.built)
        assert score.missions == sum(mission_points(garden_.nobles, m) for m in missions)
        assert score.total == sum(score.parts().values())
    assert Result.of(after).scores == after.scores
    with pytest.raises(ValueError, match="not over"):
        Result.of(before)


def test_after_the_end_nothing_can_be_played() -> None:
    """R1: after 18 rounds every seat and spectator is refused."""
    over = random_states(a_deal(), stream(26))[-1]
    for seat in (0, 1, None):
        refusal = over.view(seat).options().refusal(parse_turn("a@0-a2"))
        assert refusal is not None and (refusal.code, refusal.rule) == (RefusalCode.GAME_OVER, "R1")
    assert list(over.options()) == []


def test_a_row_completed_by_the_last_tile_counts() -> None:
    """R25, R22: the last tile completes row 2; its space stays empty."""
    drawn = garden(ROWS.format(".########", ".........", ".........", ".........", "........."))
    state = a_state(drawn, "a b", "abcdefghib")
    last = replace(
        state, turn=35, gardens=(state.gardens[1], drawn), hands=(0, cards("a")), piles=(0, 0), pouch=(0,) * 9
    )
    after = last.play(parse_turn("a@0-a2/a2"), Chance(None, None))
    assert after.scores[1] == Score(nobles=2, rows=8)
    assert after.gardens[1].nobles == squares("a2")
    assert after.hands == (0, 0)
