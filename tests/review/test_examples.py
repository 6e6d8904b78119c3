"""Single positions, drawn, with what is to be said of a turn: the examples that a person would give."""

from dataclasses import replace

from sanssouci.notation import parse_turn
from sanssouci.review import reasons, say_reason
from sanssouci.rules import IMPERIAL, Garden, Mark, Score, State, Variant

from ..helpers import a_state, garden, squares

NAMES = ("Ada", "Berta")


def told(state: State, turn: str, instead_of: str | None = None) -> list[str]:
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
"""c3, d3 and d4 are built, but no walk leads there."""


def test_a_tile_joins_what_was_cut_off() -> None:
    """R20: the tile on d2 connects c3, d3 and d4; the noble of column d takes the lowest."""
    state = a_state(GARDEN, hand="* 24", tiles="dbcaefghia")
    said = told(state, "24@0-d2/d4")
    assert "Without this tile the noble of column d (topiary) could not reach d4, worth 4 points." in said
    assert (
        "The tile opens a new stop: the noble of column c (pavilion) can later score 3 points on c3." in said
    )
    assert "The card free choice (*) stays in hand for later: it takes any tile." in said
    assert "It scores 4 points right away; no turn scores more." in said
    assert "Column d then needs only d5 and d6; once complete, it brings 5 points at the end." in said


def test_a_small_step_first() -> None:
    """R21: a noble that stops halfway can score again later."""
    state = a_state(GARDEN, hand="* 24", tiles="dbcaefghia")
    said = told(state, "24@0-d2/d2")
    assert "Without this tile no noble could score more than 1 point now; with it, 2 points." in said
    assert "From there the noble of column d (topiary) can later go on to d4, for another 4 points." in said


def test_a_mission_counts_once_more() -> None:
    """R27: seat 0 has the missions a and b; what its noble reaches is told as what the end adds."""
    own = replace(GARDEN, nobles=squares("a1"), built=GARDEN.built | squares("a2 a3"))
    said = told(a_state(own, hand="* 24", tiles="dbcaefghia"), "24@0-d2/a3")
    assert (
        "For its mission, the noble of column a (labyrinth) counts 2 points more at the end: "
        "it then stands in row 3 instead of in row 1." in said
    )


def test_a_motif_card_becomes_a_free_choice() -> None:
    """R16: whoever takes the last pavilion can use the pavilion card for any tile, until one comes up."""
    state = a_state(GARDEN, hand="c 24", tiles="cbdaefghia")
    card = "The card pavilion (c) stays in hand"
    free = f"{card} and is a free choice until its motif comes up again"
    assert f"{free}: this turn takes the last one on display." in told(state, "24@0-c2")
    assert f"{card} as a free choice: its motif is not on display." in told(
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
    """Seat 0 is to move, and seat 1 has this garden."""
    state = a_state(GARDEN, hand="* 24", tiles="eabcdfghia")
    return replace(state, gardens=(state.gardens[0], rival), turn=turn)


def test_a_row_of_another_seat_is_denied() -> None:
    """R25: Berta lacks only e2 for row 2, and the only stairs of that row are taken."""
    state = with_rival(garden(FULL_ROW))
    denied = "Berta would complete row 2 with this tile: 8 points at the end."
    assert denied in told(state, "24@0-e2")
    assert denied not in told(state, "24@1-a2")
    assert denied not in told(with_rival(garden(FULL_ROW.replace("####.####", "###..####"))), "24@0-e2")


def test_nothing_is_denied_to_who_cannot_take_it() -> None:
    """R15: with no card left that could take the tile, it is no loss to Berta; only public cards count."""
    state = with_rival(garden(FULL_ROW))
    nothing = replace(state, hands=(state.hands[0], 1 << 14), piles=(state.piles[0], 0))  # the card 36
    assert not [line for line in told(nothing, "24@0-e2") if "Berta" in line]


def test_a_loss_is_counted_on_the_score_of_its_own_seat() -> None:
    """R32: Berta has no points to lose on her -3, so the stairs would bring her all that the noble scores."""
    variant = Variant(2, IMPERIAL, rewards=True)
    berta = garden(FULL_ROW.replace("####.####", "....#...."), {"e3": Mark.MINUS_3})
    state = a_state(GARDEN, hand="* 34", tiles="abecdfghia", variant=variant)
    state = replace(state, gardens=(GARDEN, berta), scores=(Score(nobles=10), Score()))
    denied = "Berta could score 3 points with this tile, but at most 2 points with any other on display."
    assert denied in told(state, "34@2-e3")
    rich = replace(state, scores=(Score(nobles=10), Score(nobles=10)))
    assert not [line for line in told(rich, "34@2-e3") if "Berta" in line]


def test_rewards_and_what_they_cost() -> None:
    """R30, R32: what a marked square brings, and what another turn would lose."""
    variant = Variant(2, IMPERIAL, rewards=True)
    own = garden(FULL_ROW, {"d4": Mark.PLUS_3, "f4": Mark.MINUS_2})
    state = a_state(own, hand="* 24", tiles="abcadfghia", variant=variant)
    rich = replace(state, scores=(replace(state.scores[0], nobles=10), state.scores[1]))
    assert "The marked square d4 brings 3 points right away." in told(rich, "24@4-d4")
    spared = "It avoids the marked square f4, which would cost 2 points."
    assert spared in told(rich, "24@4-d4", instead_of="24@5-f4")
    assert spared not in told(rich, "24@5-f4", instead_of="24@4-d4")
    assert "It scores 3 points right away; the other turn loses 2 points." in told(rich, "24@4-d4", "24@5-f4")


def test_a_boar_without_a_way_out() -> None:
    """R35, R36: it leaves, and that is what is told; or it runs to where there is no way on."""
    variant = Variant(2, IMPERIAL, wild_boar=True)
    shut_in = garden(
        """
        #########
        ....#....
        ...#b#...
        ....#....
        .........
        .........
        """
    )
    state = a_state(shut_in, hand="* 34", tiles="abecdfghia", variant=variant)
    leaves = (
        "The boar has nowhere left to run and leaves the garden: 4 points, and it costs nothing at the end."
    )
    assert leaves in told(state, "34@2-e3~x")
    half_open = replace(shut_in, built=shut_in.built & ~squares("d3") | squares("c3 d2 d4"))
    said = told(replace(state, gardens=(half_open, *state.gardens[1:])), "34@2-e3~d3")
    assert "The boar is shut in on d3: a tile there drives it out, for 4 points." in said
    assert not [line for line in said if "shrinks" in line], "one square less is nothing to speak of"
