"""R1 to R13: components, set-up and the choices before the game."""

from collections import Counter
from dataclasses import replace
from typing import TypeVar

import pytest

from sanssouci.dealer import BulkGame, StackedDealer, parse_seed, prepare
from sanssouci.editions import load_edition
from sanssouci.notation import write_refusal
from sanssouci.rules import (
    ALL,
    CARDS,
    COLOUR_PAIRS,
    COLUMN,
    EDITIONS,
    FREE,
    IMPERIAL,
    ROW,
    ROW_1,
    Deal,
    GardenBoard,
    Phase,
    RefusalCode,
    Refused,
    RewardBoard,
    Setup,
    SetupView,
    Variant,
    deal_refusal,
    deck_of,
    members,
    row_of_space,
    set_of,
    tiles_on,
    variant_refusal,
)

from ..helpers import VARIANTS, a_deal, a_reward_side, random_states, squares, stream

T = TypeVar("T")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_seat_has_eighteen_turns_in_order(seats: int) -> None:
    """R1: a game has 18 rounds, in which every seat has one turn in order."""
    states = random_states(a_deal(Variant(seats)), stream(seats))
    movers = [state.to_move for state in states[:-1]]
    assert movers == list(range(seats)) * 18
    assert [state.round for state in states[:-1]] == [n for n in range(1, 19) for _ in range(seats)]
    assert states[-1].over and states[-1].round == states[-1].view(0).round == 18, "no round 19 after the end"


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_two_to_four_seats(seats: int) -> None:
    """R1: another number of seats is refused."""
    refusal = variant_refusal(Variant(seats))
    assert refusal is not None and (refusal.code, refusal.rule) == (RefusalCode.WRONG_SEATS, "R1")


def test_the_garden_has_54_squares_and_15_are_printed() -> None:
    """R2: nine columns, six rows; all of row 1 and six more squares are printed."""
    assert ALL.bit_count() == 54
    assert [row.bit_count() for row in ROW[1:]] == [9] * 6
    assert [column.bit_count() for column in COLUMN] == [6] * 9
    for garden in a_deal().start().gardens:
        assert garden.built == garden.printed
        assert garden.built & ROW_1 == ROW_1
        assert garden.built.bit_count() == 15
        assert garden.gardeners == 0


@pytest.mark.parametrize("printed", ["a3 a5 c2 g2 h4", "a3 a5 c2 g2 h4 i3 i4", "a1 a5 c2 g2 h4 i3"])
def test_a_garden_without_six_printed_squares_in_rows_2_to_6_is_refused(printed: str) -> None:
    """R2: six squares are printed, none of them in row 1, which is always printed."""
    deal = replace(a_deal(), printed=(squares(printed), squares("a3 a5 c2 g2 h4 i3")))
    refusal = deal_refusal(deal)
    assert refusal is not None and (refusal.code, refusal.rule) == (RefusalCode.WRONG_PRINTED_SQUARES, "R2")


@pytest.mark.parametrize(("seats", "tiles", "each"), [(2, 45, 5), (3, 63, 7), (4, 81, 9)])
def test_tiles_in_play(seats: int, tiles: int, each: int) -> None:
    """R3: 45, 63 or 81 tiles, that is 5, 7 or 9 of each motif."""
    dealt = BulkGame(bytes(32), 1).dealer().tiles(Variant(seats))
    assert len(dealt) == tiles
    assert Counter(dealt) == dict.fromkeys(range(9), each)


def test_a_deal_with_other_tiles_is_refused() -> None:
    """R3: a tile too many, too few, or of the wrong motif is refused."""
    right = a_deal()
    for tiles in (right.tiles[1:], (*right.tiles, 0), (1, *right.tiles[1:]), (9, *right.tiles[1:])):
        refusal = deal_refusal(replace(right, tiles=tiles))
        assert refusal is not None and refusal.rule == "R3"


def test_a_deck_has_nine_motifs_eight_pairs_and_the_free_choice() -> None:
    """R4: the same 18 cards for every seat."""
    cards = members(Variant().deck)
    assert len(cards) == 18
    assert cards[:9] == tuple(range(9)) and cards[-1] == FREE
    pairs = [COLOUR_PAIRS[card - 9] for card in cards[9:-1]]
    assert (2, 3) not in pairs and (4, 5) not in pairs
    assert Counter(row for pair in pairs for row in pair) == {2: 3, 3: 3, 4: 3, 5: 3, 6: 4}


def test_decks_that_differ_or_lack_a_card_are_refused() -> None:
    """R4: decks have eight pairs, the same for all seats, none twice."""
    right = a_deal()
    other_pair = tuple(9 if card == 10 else card for card in right.decks[0])
    twice = (right.decks[0][0], *right.decks[0][:-1])
    for decks in ((right.decks[0], other_pair), (twice, twice), (right.decks[0],), (right.decks[0][1:],) * 2):
        refusal = deal_refusal(replace(right, decks=decks))
        assert refusal is not None and refusal.rule == "R4"
    nine_pairs = set_of([*range(8), *range(9, 18), FREE])
    odd = replace(right, variant=replace(right.variant, deck=nine_pairs), decks=(members(nine_pairs),) * 2)
    refusal = deal_refusal(odd)
    assert refusal is not None and refusal.rule == "R4", "nine pairs and eight motifs are 18 cards too"
    seven = replace(right.variant, deck=deck_of(COLOUR_PAIRS[:7]))
    refusal = variant_refusal(seven)
    assert refusal is not None and refusal.rule == "R4"
    assert len(CARDS) == 20


def test_missions_are_nine_different_cards() -> None:
    """R5: there is one mission per motif, and each seat gets two different ones."""
    right = a_deal()
    for missions in (((0, 1), (1, 2)), ((0, 1),), ((0, 1, 2), (3, 4)), ((0, 9), (1, 2))):
        refusal = deal_refusal(replace(right, missions=missions))
        assert refusal is not None and refusal.rule == "R5"


def test_every_seat_has_a_noble_for_every_column() -> None:
    """R6, R10: nine nobles start on the terrace, and scores start at 0."""
    state = a_deal(Variant(3)).start()
    for garden, score in zip(state.gardens, state.scores, strict=True):
        assert garden.noble_rows == (0,) * 9
        assert score.total == 0


def test_the_display_has_two_spaces_for_each_row() -> None:
    """R7: ten spaces; space s belongs to row 2 + s // 2."""
    assert [row_of_space(space) for space in range(10)] == [2, 2, 3, 3, 4, 4, 5, 5, 6, 6]


def test_the_first_seat_can_be_drawn() -> None:
    """R8: a drawn first seat is uniformly distributed."""
    drawn = Counter(BulkGame(parse_seed("8"), n).dealer().first_seat(3) for n in range(1, 601))
    assert set(drawn) == {0, 1, 2} and min(drawn.values()) > 150


def a_setup(variant: Variant, sides: int = 2) -> Setup:
    board = GardenBoard((squares("a3 a5 c2 g2 h4 i3"), squares("b2 d2 f3 a4 i4 i5"))[:sides])
    return Setup.with_gardens(variant, (board,) * variant.seats)


def test_the_owner_picks_the_garden_side_before_anything_is_dealt() -> None:
    """R9: sides are picked before missions; an unknown side and a second pick are refused."""
    setup = a_setup(Variant(2))
    assert setup.phase is Phase.GARDEN_SIDES
    with pytest.raises(ValueError, match="missions"):
        setup.deal_missions(((0, 1), (2, 3)))
    for side in (2, -1):
        with pytest.raises(Refused, match="R9"):
            setup.pick(0, side)
    setup = setup.pick(0, 1)
    with pytest.raises(Refused, match="R9"):
        setup.pick(0, 0)
    setup = setup.pick(1, 0)
    assert setup.phase is Phase.MISSIONS
    deal = setup.deal_missions(((0, 1), (2, 3))).deal(a_deal().decks, a_deal().tiles)
    assert deal.printed == (squares("b2 d2 f3 a4 i4 i5"), squares("a3 a5 c2 g2 h4 i3"))


def test_an_invalid_seat_is_refused() -> None:
    """R1: an invalid seat can neither pick nor view, before the game and in it."""
    setup, state = a_setup(Variant(2)), a_deal().start()
    for seat in (-1, 2, 7):
        for call in (
            lambda seat=seat: setup.pick(seat, 0),
            lambda seat=seat: setup.view(seat),
            lambda seat=seat: state.view(seat),
        ):
            with pytest.raises(Refused, match="R1:") as caught:
                call()
            assert str(seat + 1) in write_refusal(caught.value.refusal)


def test_every_refusal_of_a_set_up_has_a_text() -> None:
    """R2, R9, R12, R29, R34: too few gardens, a bad side, decks dealt too early."""
    board = GardenBoard((squares("a3 a5 c2 g2 h4 i3"),))
    for variant, gardens, rule in (
        (Variant(2), (board,), "R2"),
        (Variant(2), (board, GardenBoard(())), "R2"),
        (Variant(2, wild_boar=True), (board,), "R2"),
        (Variant(2, wild_boar=True), (board, board), "R34"),
        (Variant(2, deck=0), (board, GardenBoard((0,))), "R2"),
        (Variant(2, deck=0), (board, board), "R4"),
        (
            Variant(2, IMPERIAL, wild_boar=True),
            (GardenBoard((squares("e4 a5 c2 g2 h4 i3"),)), GardenBoard((squares("a3"),))),
            "R2",
        ),
        (Variant(2), (board, GardenBoard((squares("a3"),))), "R2"),
        (Variant(2, IMPERIAL, wild_boar=True), (board, GardenBoard((squares("e4 a5 c2 g2 h4 i3"),))), "R34"),
    ):
        with pytest.raises(Refused) as caught:
            Setup.with_gardens(variant, gardens)
        assert write_refusal(caught.value.refusal).startswith(f"{rule}: ")
    setup = Setup.with_gardens(Variant(2, rewards=True), (board, board))
    with pytest.raises(ValueError, match="decks"):
        setup.deal(a_deal().decks, a_deal().tiles)
    with pytest.raises(Refused, match="R5"):
        setup.deal_missions(((0, 1),), (RewardBoard((a_reward_side(),)),) * 2)
    with pytest.raises(Refused, match="R29"):
        setup.deal_missions(((0, 1), (2, 3)))
    with pytest.raises(Refused) as caught:
        setup.pick(0, 5)
    assert "R12" in write_refusal(caught.value.refusal)


def test_an_unknown_edition_is_refused() -> None:
    """R8: there are two editions."""
    with pytest.raises(ValueError, match="deluxe"):
        Variant(2, "deluxe")


def test_the_box_decides_which_colour_pairs_are_dealt() -> None:
    """R4: the colour pairs come from the boards, not from the variant."""
    own = replace(load_edition(IMPERIAL).boards, deck=deck_of(COLOUR_PAIRS[:8]))
    deal, _ = prepare(Variant(2, IMPERIAL), own, StackedDealer(), lambda seat, view: 0)
    assert deal.variant.deck == own.deck and set_of(deal.decks[0]) == own.deck


def test_a_board_with_one_side_leaves_nothing_to_pick() -> None:
    """R9: one-sided boards of a custom file need no pick."""
    setup = a_setup(Variant(2), sides=1)
    assert setup.phase is Phase.MISSIONS
    with pytest.raises(Refused, match="R12"):
        setup.pick(0, 0)


def test_hands_are_the_top_two_cards_and_secret() -> None:
    """R11: each seat holds the top two of its 18 cards; others see only their number."""
    deal = a_deal(Variant(2))
    state = deal.start()
    assert state.hands == (set_of(deal.decks[0][:2]), set_of(deal.decks[1][:2]))
    assert state.piles[0] == set_of(deal.decks[0][2:])
    view = state.view(0)
    assert view.hand == state.hands[0]
    assert view.hand_sizes == (2, 2)
    assert view.unplayed == (deal.variant.deck,) * 2
    assert state.view(None).hand == 0


def test_missions_are_for_their_owner_until_the_end() -> None:
    """R12: missions are visible to their owner, and to everyone after the end."""
    states = random_states(a_deal(Variant(3)), stream(12))
    for state in states[:-1]:
        assert state.view(1).missions == (None, (2, 3), None)
        assert state.view(None).missions == (None, None, None)
    assert states[-1].view(1).missions == states[-1].view(None).missions == ((0, 1), (2, 3), (4, 5))


def test_reward_sides_are_picked_after_the_missions_and_shown_together() -> None:
    """R12, R29: seats pick after seeing their missions; picks are revealed together."""
    boards = (RewardBoard((a_reward_side(), a_reward_side() ^ 0b11)),) * 2
    setup = a_setup(Variant(2, rewards=True)).pick(0, 0).pick(1, 1)
    setup = setup.deal_missions(((0, 1), (2, 3)), boards)
    assert setup.phase is Phase.REWARD_SIDES
    picked = setup.pick(0, 1)
    assert picked.view(0).reward_sides == (1, None)
    assert picked.view(1).reward_sides == picked.view(None).reward_sides == (None, None)
    assert picked.view(1).picked == (True, False)
    assert picked.view(1).missions == (None, (2, 3))
    with pytest.raises(Refused, match="R12"):
        picked.pick(0, 0)
    with pytest.raises(Refused, match="R29"):
        picked.pick(1, 2)
    both = picked.pick(1, 0)
    assert both.view(None).reward_sides == (1, 0)
    assert both.phase is Phase.READY
    assert both.deal(a_deal().decks, a_deal().tiles).marks == (boards[0].sides[1], boards[1].sides[0])


def test_two_set_ups_that_differ_in_sealed_picks_and_missions_look_equal() -> None:
    """R12: picks and missions of another seat do not change a view."""
    boards = (RewardBoard((a_reward_side(), a_reward_side() ^ 0b11)),) * 2
    start = a_setup(Variant(2, rewards=True))
    assert start.pick(0, 0).view(1) == start.pick(0, 1).view(1)
    settled = start.pick(0, 0).pick(1, 0)
    one = settled.deal_missions(((0, 1), (2, 3)), boards)
    two = settled.deal_missions(((5, 4), (2, 3)), boards)
    assert one.view(1) == two.view(1) and one.view(None) == two.view(None)
    assert one.view(0) != two.view(0)
    assert one.pick(0, 0).view(1) == two.pick(0, 1).view(1)


@pytest.mark.parametrize("edition", EDITIONS)
def test_chance_and_choice_come_in_the_order_of_the_rules(edition: str) -> None:
    """R9, R12, R13: gardens, sides, missions and reward boards, sides, then decks and tiles."""
    events: list[str] = []

    class RecordingDealer(StackedDealer):
        def shuffled(self, pile: str, items: tuple[T, ...]) -> tuple[T, ...]:
            events.append(pile)
            return super().shuffled(pile, items)

    def pick(seat: int, view: SetupView) -> int:
        assert seat == view.seat
        events.append(f"{view.phase.value} {seat}")
        return view.sides()[-1]

    variant = Variant(2, edition, rewards=True)
    deal, dealt = prepare(variant, load_edition(edition).boards, RecordingDealer(), pick)
    assert events == [
        "gardens",
        *("garden_sides 0", "garden_sides 1"),
        *("missions", "rewards"),
        *("reward_sides 0", "reward_sides 1"),
        *("deck/0", "deck/1", "tiles"),
    ]
    assert dealt.garden_sides == dealt.reward_sides == (1, 1)
    assert deal_refusal(deal) is None


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_ten_tiles_are_laid_out(variant: Variant) -> None:
    """R13: the first ten tiles fill the display, the rest are in the pouch."""
    deal = a_deal(variant)
    state = deal.start()
    assert tiles_on(state.display) == deal.tiles[:10]
    assert sum(state.pouch) == 9 * variant.tiles_per_motif - 10


def test_the_boar_belongs_to_the_imperial_edition() -> None:
    """R34: Ravensburger has no wild boar."""
    assert variant_refusal(Variant(2, IMPERIAL, wild_boar=True)) is None
    refusal = variant_refusal(Variant(2, wild_boar=True))
    assert refusal is not None and refusal.rule == "R34"


def test_an_invalid_deal_cannot_start() -> None:
    """R1: the first rule that a set-up breaks is reported."""
    bad: Deal = replace(a_deal(), variant=Variant(5), tiles=(), missions=())
    with pytest.raises(Refused, match="R1:"):
        bad.start()
