"""The data files of editions: names, colours, and properties of the shipped boards."""

import re
from collections import Counter
from importlib.resources import files

import pytest

from sanssouci.editions import SHIPPED, BoardSet, boar_can_start, load_edition, shipped_boards
from sanssouci.rules import (
    BELOW_ROW_1,
    COLOUR_PAIRS,
    EDITIONS,
    IMPERIAL,
    OUR_DECK,
    REWARD_AREA,
    REWARDS,
    WILD_BOAR,
    Mark,
    deck_of,
    is_reward_side,
    marked_squares,
    members,
    row_of,
)

from ..helpers import squares

LANGUAGES = {"en", "de", "fr", "es"}
TWO_SIDED_SETS = ["parterre", "bosquet"]
MOTIFS = (
    *("labyrinth", "statue", "pavilion", "topiary", "stairs"),
    *("fountain", "rose_arch", "herb_spiral", "vine"),
)


@pytest.mark.parametrize("name", EDITIONS)
def test_an_edition_names_everything_in_four_languages(name: str) -> None:
    """R2: six rows and nine columns have a name in every language; rows have a colour."""
    edition = load_edition(name)
    assert len(edition.rows) == 6 and len(edition.columns) == 9
    for names in (*(row.names for row in edition.rows), *edition.columns, *edition.expansions.values()):
        assert set(names) == LANGUAGES and all(text.strip() for text in names.values())
    colours = [row.colour for row in edition.rows]
    assert len(set(colours)) == 6 and all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours)
    for language in LANGUAGES:
        assert len({names[language] for names in edition.columns}) == 9
        assert len({row.names[language] for row in edition.rows}) == 6
    assert edition.motifs == MOTIFS


def test_the_names_of_the_rulebooks() -> None:
    """Columns and rows have the names of the rulebooks in German, French and English."""
    ravensburger, imperial = load_edition("ravensburger"), load_edition("imperial")
    assert ravensburger.columns[7] == {
        "en": "herb spiral",
        "de": "Kräuterschnecke",
        "fr": "escargot d’herbes",
        "es": "espiral de hierbas",
    }
    german = [row.names["de"] for row in ravensburger.rows]
    assert german == ["Beige", "Weiß", "Grau", "Orange", "Violett", "Türkis"]
    assert [row.names["en"] for row in imperial.rows][2:] == ["yellow", "blue", "purple", "grey"]
    assert set(ravensburger.expansions) == {REWARDS} and set(imperial.expansions) == {REWARDS, WILD_BOAR}


@pytest.mark.parametrize("name", TWO_SIDED_SETS)
def test_shipped_sets_are_complete_and_varied(name: str) -> None:
    """R9, R29: four two-sided gardens and four two-sided reward boards, all sides different."""
    boards = shipped_boards(name)
    gardens = [side for board in boards.gardens for side in board.sides]
    rewards = [side for board in boards.rewards for side in board.sides]
    assert len(gardens) == len(set(gardens)) == len(rewards) == len(set(rewards)) == 8
    assert all(side.bit_count() == 6 and side & ~BELOW_ROW_1 == 0 for side in gardens)
    assert all(is_reward_side(side) for side in rewards)
    assert boards.deck == OUR_DECK


@pytest.mark.parametrize("name", TWO_SIDED_SETS)
def test_shipped_sets_are_balanced(name: str) -> None:
    """R33, R34: prints are outside the reward board; all sides have the same rows and marks."""
    boards = shipped_boards(name)
    rows = {
        tuple(row_of(square) for square in members(side)) for board in boards.gardens for side in board.sides
    }
    assert rows == {(2, 2, 3, 3, 4, 5)}
    assert not any(side & REWARD_AREA for board in boards.gardens for side in board.sides)
    assert boar_can_start(boards)
    marks = [Counter(marked_squares(side).values()) for board in boards.rewards for side in board.sides]
    assert all(count == marks[0] for count in marks)
    assert set(marks[0]) == set(Mark) - {Mark.NONE}


def test_the_reference_set_gives_every_seat_the_same_garden() -> None:
    """The reference set, used to measure strength and speed, has the same garden for every seat."""
    boards = shipped_boards("reference")
    assert [board.sides for board in boards.gardens] == [(squares("a3 a5 c2 g2 h4 i3"),)] * 4
    assert boards.rewards == shipped_boards("parterre").rewards


def test_the_hash_depends_on_the_layouts() -> None:
    """The hash of a set depends on every board, but not on its name."""
    boards = shipped_boards("parterre")
    renamed = BoardSet("other", boards.gardens, boards.rewards, boards.deck)
    assert renamed.sha256 == boards.sha256
    turned = BoardSet("other", boards.gardens[::-1], boards.rewards, boards.deck)
    assert turned.sha256 != boards.sha256
    other_pairs = BoardSet("other", boards.gardens, boards.rewards, deck_of(COLOUR_PAIRS[:8]))
    other_rewards = BoardSet("other", boards.gardens, boards.rewards[::-1], boards.deck)
    assert len({boards.sha256, other_pairs.sha256, other_rewards.sha256}) == 3
    assert len({shipped_boards(name).sha256 for name in SHIPPED}) == 3


def test_the_files_credit_the_boards_to_the_project() -> None:
    """Each file says that its boards are designed for this project, unlike those of the rulebooks."""
    for name in SHIPPED.values():
        text = files("sanssouci.editions").joinpath("data", f"{name}.toml").read_text(encoding="utf-8")
        assert "project's own design" in text


def test_each_edition_has_a_default_set() -> None:
    """Ravensburger uses parterre by default, Imperial bosquet."""
    assert load_edition("ravensburger").boards == shipped_boards("parterre")
    assert load_edition(IMPERIAL).boards == shipped_boards("bosquet")
