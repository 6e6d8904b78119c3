"""Drawn positions with the expected reasons for a turn."""

from dataclasses import replace

from sanssouci.notation import parse_turn
from sanssouci.review import reasons, say_reason
from sanssouci.rules import IMPERIAL, Garden, Mark, Score, State, Variant

from ..helpers import a_state, garden, squares

NAMES = ("Ada", "Berta")


def sentences(state: State, turn: str, instead_of: str | None = None) -> list[str]:
    """The reasons for a turn, in English."""
    other = parse_turn(instead_of) if instead_of else None
    found = reasons(state.view(state.to_move), parse_turn(turn), other)
    return [say_reason(reason, state.variant.edition, "en", NAMES) for reason in found]


GARDEN = garden(
    """
    #########
    .........
    ..##.....
    ...#.....
    .........
    .........
    """
)
"""c3, d3 and d4 are built but not connected."""


def test_a_tile_connects_squares() -> None:
    """R20: the tile on d2 connects c3, d3 and d4; the noble of column d takes the lowest."""
    state = a_state(GARDEN, hand="* 24", tiles="dbcaefghia")
    reasons_given = sentences(state, "24@0-d2/d4")
    assert (
        "Without this tile the noble of column d (topiary) could not reach d4, worth 4 points."
        in reasons_given
    )
    assert (
        "The tile opens a new stop: the noble of column c (pavilion) can later score 3 points on c3."
        in reasons_given
    )
    assert "The card free choice stays in hand for later: it takes any tile." in reasons_given
    assert "It scores 4 points right away; no turn scores more." in reasons_given
    assert (
        "Column d (topiary) then needs only d5 and d6; once complete, it brings 5 points at the end."
        in reasons_given
    )


def test_a_small_step_first() -> None:
    """R21: a noble that stops halfway can score again later."""
    state = a_state(GARDEN, hand="* 24", tiles="dbcaefghia")
    reasons_given = sentences(state, "24@0-d2/d2")
    assert "Without this tile no noble could score more than 1 point now; with it, 2 points." in reasons_given
    assert (
        "From there the noble of column d (topiary) can later go on to d4, for another 4 points."
        in reasons_given
    )


def test_a_mission_counts_once_more() -> None:
    """R27: the reason for a mission gives the extra points at the end."""
    own = replace(GARDEN, nobles=squares("a1"), built=GARDEN.built | squares("a2 a3"))
    reasons_given = sentences(a_state(own, hand="* 24", tiles="dbcaefghia"), "24@0-d2/a3")
    assert (
        "At the end, the mission brings 2 points more, because the noble of column a (labyrinth) "
        "stands in row 3 instead of in row 1." in reasons_given
    )


def test_a_motif_card_becomes_a_free_choice() -> None:
    """R16: taking the last pavilion makes the pavilion card a free choice."""
    state = a_state(GARDEN, hand="c 24", tiles="cbdaefghia")
    card = "The card pavilion stays in hand"
    free = f"{card} and is a free choice until its motif comes up again"
    assert f"{free}: this turn takes the last one on display." in sentences(state, "24@0-c2")
    assert f"{card} as a free choice: its motif is not on display." in sentences(
        a_state(GARDEN, hand="c 24", tiles="abdaefghia"), "24@0-a2"
    )


FULL_ROW = """
    #########
    ####.####
    .........
    .........
    .........
    .........
    """


def with_rival(rival: Garden, turn: int = 0) -> State:
    """A state in which seat 0 is to move and seat 1 has this garden."""
    state = a_state(GARDEN, hand="* 24", tiles="eabcdfghia")
    return replace(state, gardens=(state.gardens[0], rival), turn=turn)


def test_a_row_of_another_seat_is_denied() -> None:
    """R25: Berta lacks only e2 for row 2, and the turn takes the only stairs of that row."""
    state = with_rival(garden(FULL_ROW))
    denied = "Berta would complete row 2 with this tile: 8 points at the end."
    assert denied in sentences(state, "24@0-e2")
    assert denied not in sentences(state, "24@1-a2")
    assert denied not in sentences(with_rival(garden(FULL_ROW.replace("####.####", "###..####"))), "24@0-e2")


def test_nothing_is_denied_without_a_fitting_card() -> None:
    """R15: a tile that Berta's unplayed cards cannot take is not denied to her."""
    state = with_rival(garden(FULL_ROW))
    nothing = replace(state, hands=(state.hands[0], 1 << 14), piles=(state.piles[0], 0))  # the card 36
    assert not [line for line in sentences(nothing, "24@0-e2") if "Berta" in line]


def test_a_loss_is_counted_on_the_score_of_its_own_seat() -> None:
    """R32: Berta has no points to lose on a -3, so the tile is worth more to her."""
    variant = Variant(2, IMPERIAL, rewards=True)
    berta = garden(FULL_ROW.replace("####.####", "....#...."), {"e3": Mark.MINUS_3})
    state = a_state(GARDEN, hand="* 34", tiles="abecdfghia", variant=variant)
    state = replace(state, gardens=(GARDEN, berta), scores=(Score(nobles=10), Score()))
    denied = "Berta could score 3 points with this tile, but at most 2 points with any other on display."
    assert denied in sentences(state, "34@2-e3")
    rich = replace(state, scores=(Score(nobles=10), Score(nobles=10)))
    assert not [line for line in sentences(rich, "34@2-e3") if "Berta" in line]


def test_reasons_for_rewards() -> None:
    """R30, R32: a bonus square is a reason, and so is avoiding a loss."""
    variant = Variant(2, IMPERIAL, rewards=True)
    own = garden(FULL_ROW, {"d4": Mark.PLUS_3, "f4": Mark.MINUS_2})
    state = a_state(own, hand="* 24", tiles="abcadfghia", variant=variant)
    rich = replace(state, scores=(replace(state.scores[0], nobles=10), state.scores[1]))
    assert "The marked square d4 brings 3 points right away." in sentences(rich, "24@4-d4")
    spared = "It avoids the marked square f4, which would cost 2 points."
    assert spared in sentences(rich, "24@4-d4", instead_of="24@5-f4")
    assert spared not in sentences(rich, "24@5-f4", instead_of="24@4-d4")
    assert "It scores 3 points right away; the other turn loses 2 points." in sentences(
        rich, "24@4-d4", "24@5-f4"
    )


def test_a_boar_without_a_way_out() -> None:
    """R35, R36: a boar that leaves, or is trapped by the move, is a reason."""
    variant = Variant(2, IMPERIAL, wild_boar=True)
    trapped = garden(
        """
        #########
        ....#....
        ...#b#...
        ....#....
        .........
        .........
        """
    )
    state = a_state(trapped, hand="* 34", tiles="abecdfghia", variant=variant)
    leaves = (
        "The boar has nowhere left to run and leaves the garden: 4 points, and it costs nothing at the end."
    )
    assert leaves in sentences(state, "34@2-e3~x")
    half_open = replace(trapped, built=trapped.built & ~squares("d3") | squares("c3 d2 d4"))
    reasons_given = sentences(replace(state, gardens=(half_open, *state.gardens[1:])), "34@2-e3~d3")
    assert "The boar is shut in on d3: a tile there drives it out, for 4 points." in reasons_given
    assert not [line for line in reasons_given if "shrinks" in line], "one square less is not a reason"
