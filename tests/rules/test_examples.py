"""The examples in the rulebooks."""

import pytest

from sanssouci.notation import parse_card, parse_turn, write_squares
from sanssouci.rules import (
    IMPERIAL,
    Chance,
    Score,
    Variant,
    final_score,
    gardener_squares,
    members,
    noble_stops,
    own_square,
    takes,
    turn_score,
)
from sanssouci.rules.scoring import boar_loss

from ..helpers import a_state, any_chance, display, garden, squares

EMPTY_GARDEN = """
    #########
    .........
    .........
    .........
    .........
    .........
"""


def test_a_colour_card_offers_four_tiles() -> None:
    """R15: with the grey and turquoise card there are four tiles to choose from."""
    assert members(takes(parse_card("36"), display("abcdefghia"))) == (2, 3, 8, 9)


def test_a_motif_card_offers_its_motif() -> None:
    """R16: with the pavilion card and three pavilions on display, one of those is taken."""
    assert members(takes(parse_card("c"), display("cabcdefghc"))) == (0, 3, 9)


def test_a_motif_card_without_its_motif_is_a_free_choice() -> None:
    """R16: with the stairs card and no stairs on display any tile may be taken."""
    assert members(takes(parse_card("e"), display("abcdabcdfg"))) == tuple(range(10))


@pytest.mark.parametrize(
    ("hand", "tiles", "turn"),
    [
        ("56 a", "abdefghiac", "56@9-c6"),  # a pavilion from turquoise
        ("h a", "abcdhefgia", "h@4-h4"),  # a herb spiral from orange
        ("c a", "cabdefghic", "c@0-c2"),  # the pavilion from white
        ("d a", "abdcefghia", "d@2-d3"),  # a tree from yellow, in the Imperial edition
    ],
)
def test_a_tile_goes_to_the_column_of_its_motif_and_the_row_of_its_space(
    hand: str, tiles: str, turn: str
) -> None:
    """R18: the example tiles go to the squares in the rulebooks, and only there."""
    state = a_state(garden(EMPTY_GARDEN), hand, tiles)
    played = parse_turn(turn)
    assert write_squares(state.options().squares(played.space)) == [turn[-2:]]
    after = state.play(played, any_chance(state))
    assert after.gardens[0].built == garden(EMPTY_GARDEN).built | squares(turn[-2:])


def test_the_second_pavilion_from_turquoise_becomes_a_gardener() -> None:
    """R19: it may go to any of the seven free squares of its row and column."""
    drawn = garden("""
        #########
        ..#......
        .........
        #.#......
        .........
        .##...#.#
    """)
    found = write_squares(gardener_squares(own_square(2, 9), drawn.built))
    assert found == ["c3", "c5", "a6", "d6", "e6", "f6", "h6"]


def test_a_tree_from_purple_whose_square_is_built_is_a_gardener_in_the_same_row() -> None:
    """R19: Ángela's tree finds d5 built and lies as a gardener in row 5."""
    drawn = garden("""
        #########
        .........
        .........
        .........
        ...#.....
        .........
    """)
    state = a_state(drawn, "25 a", "abcefgdhia")
    after = state.play(parse_turn("25@6-a5g"), any_chance(state))
    assert after.gardens[0].gardeners == squares("a5")


def test_fountain_noble_from_row_1_to_row_3() -> None:
    """R21: the noble scores the row in which it stops, wherever it came from."""
    drawn = garden("""
        #####N###
        .....#...
        .....#...
        .........
        .........
        .........
    """)
    turn = parse_turn("*@0-a2/f3")
    assert turn_score(drawn, Score(), turn).nobles == 3


def test_a_noble_from_the_terrace_goes_to_row_3_and_never_back() -> None:
    """R20: the noble may stop at c3; from there it may stop only in lower rows."""
    drawn = garden("""
        #########
        ..#......
        ..#......
        .........
        .........
        .........
    """)
    assert noble_stops(drawn.connected, 0, drawn.nobles) & squares("c1 c2 c3") == squares("c1 c2 c3")
    later = garden("""
        #########
        .##......
        .#N......
        .##......
        .........
        .........
    """)
    assert noble_stops(later.connected, 0, later.nobles) & squares("c1 c2 c3 c4 c5 c6") == squares("c4")


def test_a_vine_noble_walks_to_row_6_while_row_4_is_out_of_reach() -> None:
    """R20, R21: the walk leaves the column and earns 6; i4 is built but no walk leads there."""
    drawn = garden("""
        ########N
        ......#..
        ......#..
        ......#.#
        ......#..
        ......###
    """)
    stops = noble_stops(drawn.connected, 0, drawn.nobles)
    assert stops & squares("i2 i3 i4 i5 i6") == squares("i6")
    assert turn_score(drawn, Score(), parse_turn("*@0-a2/i6")).nobles == 6


def test_stairs_noble_to_row_5_and_later_row_6() -> None:
    """R21: 5 points for row 5, and 6 more for row 6 in a later turn."""
    drawn = garden("""
        #########
        ....N....
        ....#....
        ....#....
        ....#....
        ....#....
    """)
    state = a_state(drawn, "* a", "abcdefghia")
    after = state.play(parse_turn("*@0-a2/e5"), Chance(0, parse_card("b")))
    assert after.scores[0].nobles == 5
    assert noble_stops(after.gardens[0].connected, 0, after.gardens[0].nobles) & squares("e6")


def test_the_german_final_example() -> None:
    """R25, R26, R27: 7 for row 3, 5 and 5 for two columns, 3 and 5 for the missions: 25."""
    drawn = garden("""
        #########
        ....#.#..
        N########
        ..#.#.#..
        ..N.#.#..
        ....#.#..
    """)
    assert final_score(drawn, Score(), (0, 2)) == Score(rows=7, columns=10, missions=8)
    assert final_score(drawn, Score(), (0, 2)).total == 25


def test_the_imperial_final_example() -> None:
    """R25, R26, R27: 70 from the nobles, 6 for row 4, two columns, 6 and 6 for the missions: 98."""
    drawn = garden("""
        #########
        #.......#
        #.......#
        #########
        #.......#
        N.......N
    """)
    assert final_score(drawn, Score(nobles=70), (0, 8)).total == 98


def test_a_topiary_noble_walks_five_steps_over_a_gardener() -> None:
    """R20: from the terrace by the stairs column and a gardener on e3 to d3, for 3 points."""
    drawn = garden("""
        #########
        ....#....
        ...#.....
        .........
        .........
        .........
    """)
    assert not noble_stops(drawn.connected, 0, 0) & squares("d3")
    state = a_state(drawn, "* a", "eabcdfghie", Variant(edition=IMPERIAL))
    after = state.play(parse_turn("*@0-e3g/d3"), any_chance(state))
    assert after.scores[0].nobles == 3


def test_a_boar_in_an_area_of_five_free_squares_costs_five() -> None:
    """R37: Abel loses a point for each of the five free squares of the boar's area, not for others."""
    drawn = garden("""
        #########
        .########
        ####.####
        ###.b.###
        ####.####
        ###.#.###
    """)
    assert boar_loss(drawn.boar, drawn.built) == 5
    assert final_score(drawn, Score(nobles=20), (0, 1)).boar == -5
