"""The board editor: boards are entered by touch or keyboard, checked, kept, shared and played."""

import tomllib
from pathlib import Path
from urllib.parse import urlparse

import pytest
from playwright.sync_api import Page, expect

from sanssouci.editions import parse_boards, shipped_boards

from ..cli.command import run
from .visitors import DESK, PHONE, Size, Visitors

GARDENS = shipped_boards("bosquet").layouts()["gardens"]


def open_side(page: Page, board: int, side: str = "front") -> None:
    page.locator(f"[data-side='boards.gardens.{board}.{side}']").click()


def enter_fronts(page: Page) -> None:
    """Enter the fronts of four gardens, whose boards have no back."""
    page.get_by_role("checkbox", name="These boards have a back").uncheck()
    for number, (front, _) in enumerate(GARDENS, start=1):
        open_side(page, number)
        for square in front:
            page.locator(f"[data-square={square}]").click()


def test_boards_are_entered_kept_and_downloaded(visitors: Visitors, tmp_path: Path) -> None:
    """R2: boards entered by touch pass `boards check`, survive a reload, and new games offer them."""
    page = visitors.new_page(PHONE)
    page.goto("/boards")
    expect(page.locator("[data-problem='boards.gardens.1.front']")).to_contain_text("six different squares")
    enter_fronts(page)
    page.get_by_label("Name of the set").fill("Ada's box")
    expect(page.locator("[data-complete]")).to_contain_text("Ada's box")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the file").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert run("boards", "check", file).returncode == 0
    assert [board["front"] for board in tomllib.loads(file.read_text())["boards"]["gardens"]] == [
        front for front, _ in GARDENS
    ]
    page.reload()
    expect(page.locator("[data-complete]")).to_contain_text("Ada's box")
    page.get_by_role("button", name="Set up a game").click()
    expect(page.get_by_label("Gardens and boards").locator("option:checked")).to_have_text("Ada's box")
    page.locator("main form button.main").click()
    page.locator("[data-garden]").first.wait_for()
    table = page.url.rsplit("/", 1)[1]
    boards = page.request.get(f"/api/tables/{table}/boards")
    assert parse_boards(boards.body()) == parse_boards(file.read_bytes())


def test_a_side_is_entered_by_keyboard(visitors: Visitors) -> None:
    """Arrows and Enter enter a side, U takes a step back, and row 1 is refused with its rule."""
    page = visitors.new_page(DESK)
    page.goto("/boards")
    press, count = page.keyboard.press, page.locator("[data-count]")
    page.locator("[data-square=a1]").focus()
    press("Enter")
    expect(page.locator(".toast")).to_contain_text("R2")
    press("ArrowDown")
    press("Enter")
    expect(page.locator("[role=status]")).to_contain_text("a2, printed. 1 square")
    press("ArrowRight")
    press("Enter")
    expect(count).to_have_attribute("data-count", "2")
    press("u")
    expect(count).to_have_attribute("data-count", "1")
    page.get_by_role("checkbox", name="Enter reward boards").check()
    page.locator("[data-square=e3]").focus()
    press("4")
    expect(page.locator("[data-square=e3]")).to_have_attribute(
        "aria-label", "e3, stairs, free, mark +3 for a gardener"
    )
    press("ArrowUp")
    press("1")
    expect(page.locator(".toast")).to_contain_text("R29")


def test_boards_are_shared_by_link(visitors: Visitors) -> None:
    """A link shows the boards to others, who may keep them; no request contains the link."""
    page = visitors.new_page()
    page.goto("/boards")
    page.get_by_label("A new set from").select_option("bosquet")
    page.get_by_role("button", name="Start").click()
    page.locator("[data-complete]").wait_for()
    link = page.get_by_label("Link to these boards").input_value()
    other = visitors.new_page()
    requested: list[str] = []
    other.on("request", lambda request: requested.append(request.url))
    other.goto(f"/boards#{urlparse(link).fragment}")
    expect(other.locator(".shared")).to_contain_text("My box")
    other.locator("[data-complete]").wait_for()
    assert not any("gardens=" in urlparse(url).path + urlparse(url).query for url in requested)
    assert other.evaluate("localStorage.getItem('sanssouci.boards')") is None
    other.get_by_role("button", name="Keep them").click()
    expect(other.locator(".shared")).to_have_count(0)
    other.goto("/scores")
    other.locator("details.game select").select_option(label="My box")
    expect(other.locator(".seat select").nth(2).locator("option")).to_have_count(9)


def test_a_set_is_deleted_by_two_clicks(visitors: Visitors) -> None:
    """Boards take long to enter: one click deletes nothing, and a change in between asks again."""
    page = visitors.new_page()
    page.goto("/boards")
    page.get_by_role("button", name="Start").click()
    delete, surely = (page.get_by_role("button", name=name) for name in ("Delete “", "Delete for good"))
    delete.click()
    page.locator("[data-square=b2]").click()
    delete.click()
    expect(page.locator("[data-count]")).to_have_attribute("data-count", "1")
    surely.click()
    expect(page.locator("[data-count]")).to_have_attribute("data-count", "0")
    expect(delete).to_have_count(0)


def test_sets_of_another_tab_are_kept(visitors: Visitors) -> None:
    """A set that another tab adds or deletes is not lost or restored by changes in this one."""
    page = visitors.new_page()
    page.goto("/boards")
    page.locator("[data-square=b2]").click()
    other = page.context.new_page()
    other.goto("/boards")
    other.get_by_role("button", name="Start").click()
    sets = page.get_by_role("combobox", name="Your boards").locator("option")
    expect(sets).to_have_text(["My box", "My box 2"])
    page.locator("[data-square=c3]").click()
    expect(other.locator("[data-count]")).to_have_attribute("data-count", "0")
    other.reload()
    expect(other.locator("[data-count]")).to_have_attribute("data-count", "2")
    for name in ("Delete “", "Delete for good"):
        other.get_by_role("button", name=name).click()
    expect(sets).to_have_text(["My box 2"])
    expect(page.locator("[data-count]")).to_have_attribute("data-count", "0")


def test_new_sets_have_different_names(visitors: Visitors) -> None:
    """A new set gets a name that no other set has."""
    page = visitors.new_page()
    page.goto("/boards")
    for _ in range(3):
        page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("combobox", name="Your boards").locator("option")).to_have_text(
        ["My box", "My box 2", "My box 3"]
    )


def test_the_heading_of_a_side_is_tidy(visitors: Visitors) -> None:
    """The longest heading has one line on the narrowest phones; neither arrow beside it has a border."""
    page = visitors.new_page((320, 568), "de")
    page.goto("/boards")
    page.get_by_role("checkbox", name="Belohnungstafeln eintragen").check()
    heading = page.get_by_role("heading", name="Belohnungen 1, Vorderseite")
    assert heading.evaluate("it => it.offsetHeight < 2 * parseFloat(getComputedStyle(it).fontSize)")
    open_side(page, 1)
    arrows = page.locator(".step")
    expect(arrows.first).to_be_disabled()
    for arrow in arrows.all():
        expect(arrow).to_have_css("border-top-color", "rgba(0, 0, 0, 0)")
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_a_damaged_link(visitors: Visitors) -> None:
    """A damaged link is reported; one with too few squares is shown with its problems."""
    page = visitors.new_page()
    page.goto("/boards#gardens=c2")
    expect(page.locator(".notice")).to_contain_text("incomplete")
    page.goto("/boards#name=box&gardens=c2.d2.e2.zz")
    expect(page.locator("[data-problem='boards.gardens.1.front']")).to_be_visible()
    expect(page.locator("[data-count]")).to_have_attribute("data-count", "1")


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_refusal_hides_nothing_that_it_speaks_of(visitors: Visitors, size: Size) -> None:
    """It is not over the tapped square, wherever the page is scrolled, and goes with the next square."""
    page = visitors.new_page(size)
    page.goto("/boards")
    square, toast = page.locator("[data-square=a1]"), page.locator(".toast")
    for place in ("center", "start"):
        square.evaluate("(one, block) => one.scrollIntoView({ block })", place)
        square.click()
        message, tapped = toast.bounding_box(), square.bounding_box()
        assert message and tapped
        assert message["y"] > tapped["y"] + tapped["height"] or message["y"] + message["height"] < tapped["y"]
    page.locator("[data-square=a2]").click()
    expect(toast).to_have_count(0)
