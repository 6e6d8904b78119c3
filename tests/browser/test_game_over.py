"""After the game: the result, and playing again."""

import re

import pytest
from playwright.sync_api import expect

from .layout_checks import faults
from .page_player import PagePlayer
from .recorded_tables import game_at, open_table, recorded, send_update
from .screens import LONG_NAMES, SCREENS
from .visitors import Size, Visitors


def test_missions_are_shown_at_the_end(visitors: Visitors) -> None:
    """R12, R27: each seat shows the motifs of its two missions, with points that sum up to its score."""
    view = recorded("imperial-rewards-boar-4")["over"]["view"]
    page = visitors.new_page()
    open_table(page, view)
    page.locator(".end").wait_for()
    words = page.request.get("/api/editions/imperial/words?language=en").json()
    motifs = words["motifs"]
    seats = page.locator("tr.letters td")
    expect(seats).to_have_count(4)
    for seat, (missions, score) in enumerate(
        zip(view["game"]["missions"], view["game"]["scores"], strict=True)
    ):
        letters = seats.nth(seat).locator("li")
        names = [text.lower() for text in letters.locator(".name").all_inner_texts()]
        assert names == [motifs[column].lower() for column in missions]
        assert sum(map(int, letters.locator("b").all_inner_texts())) == score["missions"]


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_names_are_above_their_points(visitors: Visitors, size: Size) -> None:
    """On phones, shape, name and points of a seat have the same right edge."""
    page = visitors.new_page(size)
    open_table(page, recorded("imperial-rewards-boar-4")["over"]["view"])
    page.locator(".end").wait_for()
    right = """(one) => {
      const text = document.createRange();
      text.selectNodeContents(one);
      return (one.tagName === "svg" ? one : text).getBoundingClientRect().right;
    }"""
    cells = ("thead th svg.seat", "thead .word", "tr.total td")
    edges = [page.locator(f".scores {cell}").last.evaluate(right) for cell in cells]
    assert max(edges) - min(edges) < 8


@pytest.mark.parametrize("size", [(320, 568), (360, 740), (768, 1024), (1440, 900)])
def test_long_names_wrap_between_words(visitors: Visitors, size: Size) -> None:
    """Above the points, all names are complete and begin at the same height."""
    page = visitors.new_page(size, "de")
    SCREENS["end-with-long-names"](page)
    heads = page.locator(".scores thead th")
    texts = [text.replace("\u00ad", "").split() for text in heads.all_text_contents()]
    assert texts == [name.split() for name in LONG_NAMES]
    words = page.locator(".scores thead .word")
    assert words.evaluate_all("words => words.filter((one) => one.scrollWidth > one.clientWidth)") == []
    tops = heads.locator("svg.seat").evaluate_all(
        "shapes => shapes.map((one) => one.getBoundingClientRect().top)"
    )
    assert max(tops) - min(tops) < 1
    assert [fault for fault in faults(page) if "broken" in fault or "too wide" in fault] == []


def test_the_points_are_seen_without_much_scrolling(visitors: Visitors) -> None:
    """On a phone, the table begins in the upper two thirds, even with the longest texts."""
    page = visitors.new_page((360, 740), "de")
    SCREENS["end-with-long-names"](page)
    scores = page.locator(".scores").bounding_box()
    assert scores and scores["y"] < 740 * 2 / 3


def test_points_of_missions_are_in_one_line(visitors: Visitors) -> None:
    """The name of one motif has two lines in French; the points next to it stay where they are."""
    page = visitors.new_page((1440, 900), "fr")
    SCREENS["end"](page)
    tops = page.locator("tr.letters li b").evaluate_all(
        "points => points.map((one) => one.getBoundingClientRect().top)"
    )
    assert len(tops) == 8 and max(tops) - min(tops) < 1


@pytest.mark.parametrize("moving", [True, False])
def test_the_winner_is_celebrated(visitors: Visitors, moving: bool) -> None:
    """The winner is shown first, and any key continues. Without animation, everything is shown at once."""
    page = visitors.new_page(moving=moving)
    sockets = open_table(page, *game_at("imperial-rewards-boar-4", 2))
    page.locator(".turn").wait_for()
    send_update(sockets, recorded("imperial-rewards-boar-4")["over"]["view"], [])
    title = page.locator("h1")
    expect(title).to_have_text("Berta wins: 49 points")
    expect(title).to_be_focused()
    expect(page.locator(".end")).to_have_class(re.compile("victory" if moving else r"^(?!.*victory)"))
    expect(page.locator(".sealed")).to_have_count(8 if moving else 0)
    page.keyboard.press("Shift")
    expect(page.locator(".victory")).to_have_count(0)
    expect(page.locator(".sealed")).to_have_count(0)
    expect(page.locator(".kind-words")).to_contain_text("19 points behind Berta")
    expect(page.locator(".points")).to_have_text("49 points")


def test_a_rematch_against_the_computer_starts_at_once(visitors: Visitors) -> None:
    """Against a computer, one click on Rematch leads to picking sides."""
    page = visitors.new_page()
    player = PagePlayer(page)
    player.begin()
    player.wait_for_turn()
    first = page.url
    page.locator(".menu summary").click()
    for _ in range(2):  # the second click confirms
        page.locator(".menu").get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Rematch").click()
    page.locator("[data-phase]").wait_for()
    assert page.url != first
    player.pick()
    assert player.wait_for_turn()


def test_the_end_names_the_conceding_player(visitors: Visitors) -> None:
    """The end screen names the player who conceded."""
    view = recorded("imperial-rewards-boar-4")["over"]["view"]
    chairs = [{**chair, "conceded": chair["chair"] == 2} for chair in view["chairs"]]
    page = visitors.new_page()
    open_table(page, {**view, "chairs": chairs, "ending": {**view["ending"], "manner": "conceded"}})
    expect(page.locator(".end header")).to_contain_text("because Camilo gave up")
