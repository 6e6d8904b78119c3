"""R14 to R24: a turn."""

from dataclasses import replace

import pytest

from sanssouci.notation import parse_card, parse_turn, write_turn
from sanssouci.rules import Chance, RefusalCode, Refused, Turn, Variant, members, motif_on, row_of, tiles_on

from ..helpers import a_deal, a_state, any_chance, cards, garden, random_states, squares, stream

OPEN = """
    #########
    ..#......
    .........
    .........
    .........
    .........
"""


def refused(state_garden: str, turn: str, hand: str = "* a", tiles: str = "abcdefghia") -> RefusalCode | None:
    """The code of the refusal of a turn."""
    refusal = a_state(garden(state_garden), hand, tiles).options().refusal(parse_turn(turn))
    return refusal.code if refusal else None


def test_a_card_in_hand_must_be_played() -> None:
    """R14: a card that is not in hand is refused before all other checks."""
    assert refused(OPEN, "b@9-i6g~x/i6") is RefusalCode.CARD_NOT_IN_HAND
    assert refused(OPEN, "a@0-a2") is None


def test_the_played_card_is_public_and_gone() -> None:
    """R14: after the turn, everyone sees that the card is no longer unplayed."""
    state = a_state(garden(OPEN))
    after = state.play(parse_turn("a@0-a2"), any_chance(state))
    for seat in (0, 1, None):
        assert state.view(seat).unplayed[0] & ~after.view(seat).unplayed[0] == cards("a")


def test_it_is_the_turn_of_one_seat() -> None:
    """R14, R1: other seats and spectators have no options, and their turns are refused."""
    view = a_state().view(1)
    assert not view.options() and len(view.options()) == 0 and list(view.options()) == []
    refusal = view.options().refusal(parse_turn("a@0-a2"))
    assert refusal is not None and refusal.code is RefusalCode.NOT_YOUR_TURN
    spectator = a_state().view(None).options()
    refusal = spectator.refusal(parse_turn("a@0-a2"))
    assert not spectator and refusal is not None and refusal.code is RefusalCode.NOT_YOUR_TURN


def test_a_colour_card_takes_from_its_two_rows() -> None:
    """R15: a colour card takes one of the four tiles in its two rows, no other."""
    for space in range(10):
        turn = f"36@{space}-{'abcdefghia'[space]}{2 + space // 2}"
        expected = None if space in (2, 3, 8, 9) else RefusalCode.SPACE_OF_OTHER_ROW
        assert refused(OPEN.replace("..#", "..."), turn, "36 a") is expected


def test_a_motif_card_takes_its_motif_if_it_is_there() -> None:
    """R16: another tile is refused while the motif is on display."""
    assert refused(OPEN, "a@1-b2") is RefusalCode.SPACE_OF_OTHER_MOTIF
    assert refused(OPEN, "a@9-a6") is None


def test_a_motif_card_takes_any_tile_if_its_motif_is_absent() -> None:
    """R16: if the motif is not on display, any of the ten tiles may be taken."""
    state = a_state(garden(OPEN), "a b", "bcdefghibc")
    assert members(state.options().spaces(parse_card("a"))) == tuple(range(10))


def test_the_free_choice_takes_any_tile() -> None:
    """R17: the free choice takes any tile, but not from an empty space."""
    state = a_state(garden(OPEN))
    assert members(state.options().spaces(parse_card("*"))) == tuple(range(10))
    emptied = replace(state, display=state.display | 15 << 36)
    refusal = emptied.options().refusal(parse_turn("*@9-a6"))
    assert refusal is not None and refusal.rule == "R17"


def test_taking_is_never_optional() -> None:
    """R17: every listed turn plays a card, takes a tile and lays it."""
    state = a_state(garden(OPEN))
    for turn in state.options():
        after = state.play(turn, any_chance(state))
        assert after.gardens[0].built.bit_count() == state.gardens[0].built.bit_count() + 1


def test_a_tile_need_not_touch_another() -> None:
    """R18: a tile may lie alone at the far end of the garden."""
    state = a_state(garden(OPEN))
    after = state.play(parse_turn("*@9-a6"), any_chance(state))
    assert after.gardens[0].built & squares("a6")
    assert not after.gardens[0].connected & squares("a6")


def test_a_tile_has_one_square() -> None:
    """R18: a tile goes to its own square while that is free."""
    assert refused(OPEN, "*@9-b6") is RefusalCode.NOT_ITS_OWN_SQUARE
    assert refused(OPEN, "*@9-b6g") is RefusalCode.NOT_ITS_OWN_SQUARE


def test_a_gardener_is_never_placed_by_choice() -> None:
    """R19: a tile on its own free square is a structure."""
    assert refused(OPEN, "*@9-a6g") is RefusalCode.GARDENER_BY_CHOICE


@pytest.mark.parametrize("sign", ["#", "g", "N"])
def test_a_tile_whose_square_is_built_becomes_a_gardener(sign: str) -> None:
    """R19: if its square is built, the tile goes to a free square of the same row or column."""
    built = OPEN.replace("..#", f"#.{sign}")
    assert refused(built, "*@0-c2", tiles="cabdefghia") is RefusalCode.OWN_SQUARE_BUILT
    assert refused(built, "*@0-b2", tiles="cabdefghia") is RefusalCode.NOT_ITS_OWN_SQUARE
    assert refused(built, "*@0-a2g", tiles="cabdefghia") is RefusalCode.GARDENER_ON_BUILT_SQUARE
    assert refused(built, "*@0-d3g", tiles="cabdefghia") is RefusalCode.GARDENER_OUT_OF_LINE
    assert refused(built, "*@0-b2g", tiles="cabdefghia") is None
    assert refused(built, "*@0-c6g", tiles="cabdefghia") is None


def test_a_gardener_goes_anywhere_if_row_and_column_are_full() -> None:
    """R19: if row and column are full, a gardener may go to any free square."""
    full = """
        #########
        #########
        ..#......
        ..g......
        ..#......
        ..#......
    """
    state = a_state(garden(full), "* a", "cabdefghia")
    assert state.options().squares(0) == garden(full).free
    assert state.options().refusal(parse_turn("*@0-i6g")) is None


NOBLES = """
    ##N######
    #########
    ..g......
    ..#......
    #.......#
    ##......#
"""


def stops(drawing: str, turn: str = "*@0-a4", tiles: str = "abcdefghia") -> set[str]:
    """The squares where nobles may stop after a turn, as text."""
    state = a_state(garden(drawing), "* a", tiles)
    played = parse_turn(turn)
    return {
        write_turn(t)[-2:]
        for t in state.options()
        if (t.space, t.square) == (played.space, played.square) and t.noble is not None
    }


def test_a_noble_ends_lower_in_its_own_column() -> None:
    """R20: a noble stops below its current square in its column."""
    found = stops(NOBLES, "*@4-e4", "abcdefghia")
    assert "c1" not in found and "c2" in found and "c4" in found


def test_a_noble_may_cross_a_gardener_but_not_stop_there() -> None:
    """R20: c4 is reached over the gardener on c3; c3 itself is no stop."""
    found = stops(NOBLES, "*@4-e4")
    assert "c4" in found and "c3" not in found
    assert refused(NOBLES, "*@4-e4/c3") is RefusalCode.NOBLE_ON_GARDENER


def test_a_noble_walks_over_built_squares_only() -> None:
    """R20: a5 and a6 are built but not connected; e3 is free."""
    found = stops(NOBLES, "*@4-e4")
    assert not found & {"a5", "a6", "b6", "i5", "i6"}
    assert refused(NOBLES, "*@4-e4/a5") is RefusalCode.NOBLE_NOT_CONNECTED
    assert refused(NOBLES, "*@4-e4/e3") is RefusalCode.NOBLE_ON_FREE_SQUARE
    assert refused(NOBLES, "*@4-e4/c1") is RefusalCode.NOBLE_NOT_LOWER
    lower = NOBLES.replace("##N######\n    #########", "#########\n    ##N######")
    assert refused(lower, "*@4-e4/c1") is RefusalCode.NOBLE_NOT_LOWER, "above the noble"


def test_the_tile_just_laid_can_be_walked_on_and_stood_on() -> None:
    """R20: a new structure connects squares and may be the stop; a gardener only connects."""
    apart = """
        #########
        #........
        .........
        #........
        .........
        .........
    """
    assert {"a3", "a4"} <= stops(apart, "*@2-a3", "bcadefghia")
    gardener = stops(apart, "*@0-a3g", "abcdefghia")
    assert "a4" in gardener and "a3" not in gardener


def test_the_walk_need_not_use_the_new_tile_and_nobles_pass_each_other() -> None:
    """R20: the walk may lead up, sideways and past other nobles, at any length."""
    crowded = """
        #########
        ..NN#N...
        ..#..#...
        ..#.##...
        ..#......
        ..##.....
    """
    # the noble of d must go up from d2, over row 1 and down column c, past the noble on c2, to d6
    assert "d6" in stops(crowded, "*@0-a2") and "d3" not in stops(crowded, "*@0-a2")


def test_moving_a_noble_is_optional_and_one_moves_at_most() -> None:
    """R20: every placement has a turn without a noble, and each turn moves at most one."""
    state = a_state(garden(NOBLES))
    turns = list(state.options())
    without = {(t.card, t.space, t.square, t.boar) for t in turns if t.noble is None}
    assert without == {(t.card, t.space, t.square, t.boar) for t in turns}
    for turn in turns:
        after = state.play(turn, any_chance(state))
        moved = sum(
            a != b for a, b in zip(state.gardens[0].noble_rows, after.gardens[0].noble_rows, strict=True)
        )
        assert moved == (turn.noble is not None)


def test_a_move_scores_the_value_of_the_row() -> None:
    """R21: a move scores the row in which the noble stops."""
    state = a_state(garden(NOBLES))
    for turn in state.options():
        after = state.play(turn, any_chance(state))
        assert after.scores[0].nobles == (0 if turn.noble is None else row_of(turn.noble))
        assert after.scores[0].total == after.scores[0].nobles


def test_the_emptied_space_is_refilled() -> None:
    """R22: the tile from the pouch lies on the space, and the pouch has one less."""
    state = a_state(garden(OPEN))
    after = state.play(parse_turn("*@9-a6"), Chance(4, parse_card("b")))
    assert motif_on(after.display, 9) == 4
    assert after.pouch[4] == state.pouch[4] - 1
    assert tiles_on(after.display)[:9] == tiles_on(state.display)[:9]


def test_impossible_outcomes_of_chance_are_refused() -> None:
    """R22, R23: a tile not in the pouch, a card not in the pile or a missing outcome is refused."""
    state = a_state(garden(OPEN))
    turn = parse_turn("*@9-a6")
    none_left = replace(state, pouch=(0, *state.pouch[1:]))
    for bad in (Chance(0, 1), Chance(9, 1), Chance(None, 1)):
        with pytest.raises(Refused, match="R22"):
            none_left.play(turn, bad)
    for bad in (Chance(1, None), Chance(1, parse_card("a")), Chance(1, -1)):
        with pytest.raises(Refused, match="R23"):
            none_left.play(turn, bad)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_pouch_is_empty_for_the_very_last_turn(seats: int) -> None:
    """R22: the space of the last turn stays empty; before that there are always ten tiles."""
    states = random_states(a_deal(Variant(seats)), stream(100 + seats))
    for state in states[:-1]:
        assert None not in tiles_on(state.display)
    assert sum(states[-2].pouch) == 0
    assert tiles_on(states[-1].display).count(None) == 1


def test_a_card_is_drawn_until_none_is_left() -> None:
    """R23: two cards in hand through round 17; after rounds 17 and 18 there is none to draw."""
    deal = a_deal()
    states = random_states(deal, stream(23))
    for state in states:
        if not state.over:
            assert state.hands[state.to_move].bit_count() == (1 if state.round == 18 else 2)
    assert states[-1].hands == states[-1].piles == (0, 0)
    drawn = [deal.chance(turn).draw for turn in range(36)]
    assert drawn[:32:2] == list(deal.decks[0][2:]) and drawn[32:] == [None] * 4


def test_everyone_may_count_a_pile_but_not_look_into_it() -> None:
    """R24: the number of unplayed cards is public; a state has piles as sets without an order."""
    state = a_deal().start()
    assert [cards.bit_count() - 2 for cards in state.view(None).unplayed] == [16, 16]
    assert state.view(0).pile == state.piles[0] and state.view(None).pile == 0
    deal = a_deal()
    backwards = replace(deal, decks=tuple((*deck[:2], *deck[:1:-1]) for deck in deal.decks))
    assert backwards.start() == state


def test_the_order_of_turns_is_pinned() -> None:
    """R14: turns are sorted by card, space, square, boar and noble; trained networks rely on this."""
    state = a_state(garden(NOBLES), "24 c", "abcdefghia")
    turns = list(state.options())

    def key(turn: Turn) -> tuple[int, ...]:
        boar = -2 if turn.boar is None else turn.boar
        return (turn.card, turn.space, turn.square, boar, -1 if turn.noble is None else turn.noble)

    assert turns == sorted(turns, key=key)
    assert [write_turn(turn) for turn in turns[:3]] == ["c@2-a3g", "c@2-a3g/a1", "c@2-a3g/b1"]
    assert len(turns) == len(state.options()) == len(set(turns))


def test_tables_contain_exactly_the_turns() -> None:
    """R14: combining the tables gives every legal turn and no other."""
    deal = a_deal(Variant(2, "imperial", rewards=True, wild_boar=True))
    for state in random_states(deal, stream(5))[:-1]:
        tables = state.options().tables()
        walked = [
            Turn(card, space, square, tables.gardener[space], boar, noble)
            for card, spaces in tables.spaces.items()
            for space in spaces
            for square in tables.squares[space]
            for boar in tables.boar.get(square, (None,))
            for noble in (None, *members(tables.stops[square, tables.gardener[space]]))
        ]
        assert walked == list(state.options())


def test_options_behave_like_a_collection() -> None:
    """R14: options have truth, membership, length and a repr; invalid turns are not in them."""
    options = a_state(garden(OPEN)).options()
    assert options and parse_turn("a@0-a2") in options and "a@0-a2" not in options
    assert repr(options) == f"<Options: {len(options)} turns>"
    for junk in (Turn(99, 0, 0), Turn(19, 99, 0), Turn(19, 9, 99), Turn(19, -1, 45), Turn(-1, 0, 9)):
        assert junk not in options
    for stop in (99, -1):
        refusal = options.refusal(Turn(19, 9, 45, noble=stop))
        assert refusal is not None and refusal.rule == "R20"
