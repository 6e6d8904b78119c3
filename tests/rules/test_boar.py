"""R34 to R38: the wild boar."""

from dataclasses import replace

import pytest

from sanssouci.notation import parse_square, parse_turn
from sanssouci.rules import (
    IMPERIAL,
    LEAVES,
    ROW_1,
    Mark,
    RefusalCode,
    Refused,
    Score,
    Variant,
    boar_squares,
    deal_refusal,
    final_score,
    pack_marks,
    turn_score,
)

from .. import oracle
from ..helpers import a_deal, a_state, any_chance, garden, squares

BOAR = Variant(2, IMPERIAL, wild_boar=True)
OPEN = """
    #########
    .........
    .........
    ....b....
    .........
    .........
"""
TRAPPED = """
    #########
    .........
    ....#....
    ...#b#...
    ....g....
    .........
"""
COLUMN_AND_MISSION = """
    #########
    #........
    #........
    #...b....
    #........
    N........
"""
TILES = "abcdefghia"  # space 4 holds an e: the tile for e4


def refused(drawing: str, turn: str) -> RefusalCode | None:
    """The code of the refusal of a turn."""
    refusal = a_state(garden(drawing), tiles=TILES, variant=BOAR).options().refusal(parse_turn(turn))
    return refusal.code if refusal else None


def test_the_boar_starts_on_e4() -> None:
    """R34: with the expansion, a boar starts on e4 in every garden."""
    for own in a_deal(BOAR).start().gardens:
        assert own.boar == squares("e4")
    assert a_deal().start().gardens[0].boar == 0


def test_e4_must_be_free_unless_a_reward_board_covers_it() -> None:
    """R34: a garden with e4 printed is refused for the boar, but not with rewards."""
    printed = (squares("e4 a5 c2 g2 h4 i3"),) * 2
    refusal = deal_refusal(replace(a_deal(BOAR), printed=printed))
    assert refusal is not None and (refusal.code, refusal.rule) == (RefusalCode.BOAR_SQUARE_PRINTED, "R34")
    both = replace(a_deal(Variant(2, IMPERIAL, True, True)), printed=printed)
    assert deal_refusal(both) is None
    assert both.start().gardens[0].free & squares("e4")


def test_a_tile_on_the_boar_scores_one_and_moves_it() -> None:
    """R35: the boar moves to a free adjacent square that the player chooses."""
    state = a_state(garden(OPEN), tiles=TILES, variant=BOAR)
    assert state.options().boar(31) == tuple(sorted(map(parse_square, ("e3", "d4", "f4", "e5"))))
    after = state.play(parse_turn("*@4-e4~d4"), any_chance(state))
    assert after.scores[0] == Score(boar=1)
    assert after.gardens[0].boar == squares("d4")
    assert refused(OPEN, "*@4-e4") is RefusalCode.BOAR_MUST_MOVE
    assert refused(OPEN, "*@4-e4~d3") is RefusalCode.BOAR_OUT_OF_REACH
    assert refused(OPEN, "*@4-e4~e4") is RefusalCode.BOAR_OUT_OF_REACH
    assert refused(OPEN, "*@4-e4~x") is RefusalCode.BOAR_MAY_NOT_LEAVE
    assert refused(OPEN, "*@9-a6~d4") is RefusalCode.BOAR_NOT_DISTURBED


def test_a_gardener_disturbs_the_boar_too() -> None:
    """R35: structures and gardeners disturb the boar alike."""
    drawn = OPEN.replace("    .........\n    ....b....", "    .........\n    #...b....", 1)
    state = a_state(garden(drawn), tiles="bcdeafghib", variant=BOAR)
    after = state.play(parse_turn("*@4-e4g~e3"), any_chance(state))
    assert after.scores[0].boar == 1 and after.gardens[0].gardeners == squares("e4")


def test_the_boar_reaches_every_adjacent_free_square() -> None:
    """R35: from every square of the garden, also at edges and in corners."""
    for square in range(9, 54):
        found = boar_squares(1 << square, ROW_1 | 1 << square)
        expected = {spot for spot in oracle.neighbours(oracle.place(square)) if spot[1] > 1}
        assert oracle.places(found) == expected


def test_the_boar_does_not_step_on_built_squares() -> None:
    """R35: only f4 is free next to the boar, so it can only move there."""
    assert a_state(garden(TRAPPED.replace("#b#", "#b.")), tiles=TILES).options().boar(31) == (
        parse_square("f4"),
    )


def test_a_boar_with_nowhere_to_go_leaves_for_four_points() -> None:
    """R36: a trapped boar leaves the garden, which scores 4 points in all."""
    state = a_state(garden(TRAPPED), tiles=TILES, variant=BOAR)
    assert state.options().boar(31) == (LEAVES,)
    after = state.play(parse_turn("*@4-e4~x"), any_chance(state))
    assert after.scores[0] == Score(boar=4)
    assert after.gardens[0].boar == 0
    assert refused(TRAPPED, "*@4-e4") is RefusalCode.BOAR_MUST_LEAVE
    assert refused(TRAPPED, "*@4-e4~e3") is RefusalCode.BOAR_MUST_LEAVE


def test_a_missing_boar_cannot_move() -> None:
    """R34: a turn that moves a boar is refused if there is none."""
    assert refused(OPEN.replace("b", "."), "*@4-e4~d4") is RefusalCode.NO_BOAR


@pytest.mark.parametrize(("points", "boar"), [(0, 0), (3, -3), (50, -44)])
def test_a_remaining_boar_costs_its_area(points: int, boar: int) -> None:
    """R37: the boar costs one point for each free square of its area, never below 0."""
    drawn = garden(OPEN.replace("#########\n    .........", "#########\n    #........", 1))
    assert final_score(drawn, Score(nobles=points), (0, 1)).boar == boar


def test_the_boar_is_counted_after_rows_columns_and_missions() -> None:
    """R37: points for rows, columns and missions can be lost to the boar."""
    drawn = garden("""
        #########
        #########
        .........
        ....b....
        .........
        .........
    """)
    score = final_score(drawn, Score(), (0, 1))
    assert (score.rows, score.boar, score.total) == (8, -8, 0)
    column = final_score(garden(COLUMN_AND_MISSION), Score(), (0, 8))
    assert (column.columns, column.missions, column.boar, column.total) == (5, 6, -11, 0)


def test_a_boar_that_left_costs_nothing() -> None:
    """R37: only a boar still in the garden is counted."""
    assert final_score(garden(OPEN.replace("b", ".")), Score(nobles=9), (0, 1)).boar == 0


def test_the_boar_blocks_nothing() -> None:
    """R38: the boar's square is free for tiles, and nobles are not affected."""
    assert garden(OPEN).free & squares("e4")
    way = OPEN.replace(".........\n    .........\n    ....b", "....#....\n    ....#....\n    ....b", 1)
    state = a_state(garden(way), tiles=TILES, variant=BOAR)
    after = state.play(parse_turn("*@4-e4~d4/e4"), any_chance(state))
    assert after.scores[0] == Score(nobles=4, boar=1)


def test_at_zero_points_a_red_square_with_the_boar_on_it_leaves_one() -> None:
    """R38: the reward counts first, then the boar, then the noble."""
    drawn = garden(OPEN, {"e4": Mark.MINUS_3})
    score = turn_score(drawn, Score(), parse_turn("*@4-e4~d4"))
    assert score == Score(rewards=0, boar=1) and score.total == 1
    assert turn_score(drawn, Score(nobles=2), parse_turn("*@4-e4~d4/e1")) == Score(
        nobles=3, rewards=-2, boar=1
    )


def test_walking_onto_a_marked_square_triggers_nothing() -> None:
    """R38: marks count when a tile is laid, not when the boar or a noble arrives."""
    drawn = replace(garden(OPEN), marks=pack_marks({parse_square("d4"): Mark.MINUS_3}))
    assert turn_score(drawn, Score(nobles=9), parse_turn("*@4-e4~d4")).rewards == 0


def test_an_illegal_boar_is_refused_before_an_illegal_noble() -> None:
    """R35, R20: of several reasons the boar's is given first."""
    state = a_state(garden(OPEN), tiles=TILES, variant=BOAR)
    with pytest.raises(Refused, match="R35"):
        state.play(parse_turn("*@4-e4/i6"), any_chance(state))
    with pytest.raises(Refused, match="R20"):
        state.play(parse_turn("*@4-e4~d4/i6"), any_chance(state))
