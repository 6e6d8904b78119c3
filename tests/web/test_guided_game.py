"""The chapters of the guided game demonstrate what they claim, by the rules."""

import pytest

from sanssouci.notation import parse_turn, write_turn, write_view
from sanssouci.rules import Turn, column_of, members, row_of

from .guided_game import CHAPTERS, SEAT, position, shown


def _turn(chapter: str) -> Turn:
    return parse_turn(shown(chapter))


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_chapter_shows_a_turn_that_scores(chapter: str) -> None:
    """R21: the learner is to move, and the legal turn shown moves a noble to row 3 or lower."""
    state, turn = position(chapter), _turn(chapter)
    assert state.to_move == SEAT and turn in state.options()
    assert turn.noble is not None and row_of(turn.noble) >= 3


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_chapter_leaves_a_choice(chapter: str) -> None:
    """Both cards can be played, and the card shown takes more than one tile."""
    options, turn = position(chapter).options(), _turn(chapter)
    assert options.cards.bit_count() == 2
    assert len(members(options.spaces(turn.card))) > 1
    assert options.stops(turn.square, turn.gardener).bit_count() > 1


def test_the_first_turn_needs_its_tile() -> None:
    """R20: without the tile of the first turn, no noble could reach row 3."""
    state, turn = position("turn"), _turn("turn")
    built = members(state.gardens[SEAT].built)[0]
    stops = members(state.gardens[SEAT].noble_stops_after(built, False))
    assert state.turn == SEAT and not turn.gardener and max(map(row_of, stops)) < 3


def test_the_gardener_chapter_has_an_alternative() -> None:
    """R19: the tile becomes a gardener, but the same card could take a tile that does not."""
    options, turn = position("gardener").options(), _turn("gardener")
    assert turn.gardener and options.gardener(turn.space)
    assert not all(options.gardener(space) for space in members(options.spaces(turn.card)))


def test_one_card_is_a_free_choice_and_the_other_is_not() -> None:
    """R16: the played motif is not on display, the other one is."""
    view = write_view(position("free").view(SEAT))
    card = shown("free")[0]
    (other,) = set(view["hand"]) - {card}
    assert card in view["hand"] and card not in view["display"] and other in view["display"]
    assert len(members(position("free").options().spaces(_turn("free").card))) == 10


def test_the_mission_chapter_moves_a_mission_noble() -> None:
    """R27: the turn shown improves a mission, and other turns do not."""
    state, turn = position("mission"), _turn("mission")
    missions = state.missions[SEAT]
    assert turn.noble is not None and column_of(turn.noble) in missions
    others = [one for one in state.options() if one.noble is None or column_of(one.noble) not in missions]
    assert [write_turn(one) for one in others]
