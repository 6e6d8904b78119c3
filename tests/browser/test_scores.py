"""The score sheet: the end of a golden game is entered by touch or keyboard, with the correct result."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sanssouci.editions import shipped_boards, write_boards

from ..cli.command import run
from ..score_sheets import RECORDS, real_table
from .visitors import DESK, PHONE, Size, Visitors

Json = dict[str, Any]
PATHS = {path.stem: path for path in RECORDS}


class Scorer:
    """Enters scores on the page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.seat = page.locator("section.seat")
        page.goto("/scores")
        page.locator(".result table").wait_for()

    def set_up(self, table: Json) -> None:
        """Choose edition, expansions and seats."""
        page = self.page
        page.locator(f"label[data-edition={table['edition']}] input").check()
        for number, expansion in enumerate(("rewards", "wild_boar")):
            if expansion in table["expansions"]:
                page.locator(".game input[type=checkbox]").nth(number).check()
        page.locator(".game .segmented label").nth(len(table["seats"]) - 2).click()

    def open_garden(self, seat: int) -> None:
        """Open the garden of a seat."""
        self.seat.locator(".segmented").first.locator("label").nth(seat).click()

    def choose_tool(self, tool: str) -> None:
        """Choose what taps do: tile, noble, boar or mark."""
        tools = self.seat.locator(".segmented").nth(1)
        tools.get_by_role("radio", name=tool, exact=True).locator("..").click()

    def tap(self, square: str) -> None:
        self.page.locator(f"[data-square={square}]").tap()

    def enter_scores(self, seat: Json, expansions: list[str]) -> None:
        """Enter missions and score track."""
        for number, mission in enumerate(seat["missions"]):
            self.seat.locator("select").nth(number).select_option(mission)
        fields = ["track", *(["track_rewards"] * ("rewards" in expansions))]
        fields += ["track_boar"] * ("wild_boar" in expansions)
        for place, name in enumerate(fields):
            self.seat.locator("input[type=text]").nth(place).fill(str(seat[name]))

    def points(self, part: str) -> list[int]:
        """The points of a part, by seat."""
        texts = self.page.locator(f"[data-part={part}] td").all_inner_texts()
        return [int(text.replace("−", "-")) for text in texts]

    def expect_result(self, result: Json) -> None:
        """Expect all parts, totals and winners of the record."""
        expect(self.page.locator("[data-part=total] td")).to_have_text([str(n) for n in result["scores"]])
        for part in ("rows", "columns", "missions"):
            assert self.points(part) == [parts[part] for parts in result["parts"]], part
        assert self.points("gardeners") == result["gardeners"]
        winners = self.page.locator(".winner").evaluate_all("cells => cells.map(cell => +cell.dataset.seat)")
        assert winners == result["winners"]
        assert self.page.locator(".refused").count() == 0


RECORD_COMPLAINTS = """() => {
  globalThis.complaints = [];
  const record = () => {
    for (const { innerText } of document.querySelectorAll(".refused")) complaints.push(innerText);
  };
  new MutationObserver(record).observe(document.body, { childList: true, subtree: true });
}"""
"""Records every refusal that the page shows, however briefly."""


def enter_by_touch(scorer: Scorer, seat: Json, expansions: list[str]) -> None:
    """Enter tiles first, then nobles and boar, each with its tool."""
    for square in seat["built"]:
        if square[1] != "1":
            scorer.tap(square)
            if square in seat["gardeners"]:
                scorer.tap(square)
    scorer.choose_tool("Nobles")
    for square in seat["nobles"]:
        scorer.tap(square)
    if "wild_boar" in expansions and seat["boar"] is not None:
        scorer.choose_tool("Boar")
        if scorer.page.locator(f"[data-square={seat['boar']}] .boar").count() == 0:
            scorer.tap(seat["boar"])
    scorer.choose_tool("Tiles")


def enter_by_keyboard(scorer: Scorer, seat: Json, expansions: list[str]) -> None:
    """Enter all squares from the palace down, with arrows and letters."""
    press = scorer.page.keyboard.press
    cell = scorer.page.locator("[role=gridcell][tabindex='0']")
    cell.focus()
    for _ in range(6):
        press("ArrowUp")
    press("Home")
    for row in range(1, 7):
        press("ArrowDown")
        press("Home")
        for column in "abcdefghi":
            square = f"{column}{row}"
            expect(scorer.page.locator(f"[data-square={square}]")).to_be_focused()
            if square in seat["built"] and row > 1:
                press("g" if square in seat["gardeners"] else "s")
            if square in seat["nobles"]:
                press("n")
            if column != "i":
                press("ArrowRight")


@pytest.mark.parametrize(
    ("game", "size", "enter"),
    [
        ("imperial-boar-2", PHONE, enter_by_touch),
        pytest.param("ravensburger-base-3", PHONE, enter_by_touch, marks=pytest.mark.exhaustive),
        ("imperial-base-2", DESK, enter_by_keyboard),
    ],
)
def test_entering_a_golden_game(
    visitors: Visitors, game: str, size: Size, enter: Callable[[Scorer, Json, list[str]], None]
) -> None:
    """Entered by touch or keyboard, a golden game gives the result of `verify`. A reload loses nothing.

    The page complains about nothing while the game is being entered.
    """
    assert run("verify", PATHS[game]).returncode == 0
    table, result = real_table(PATHS[game])
    page = visitors.new_page(size)
    scorer = Scorer(page)
    scorer.set_up(table)
    page.evaluate(RECORD_COMPLAINTS)
    for number, seat in enumerate(table["seats"]):
        scorer.open_garden(number)
        enter(scorer, seat, table["expansions"])
        scorer.enter_scores(seat, table["expansions"])
    scorer.expect_result(result)
    assert page.evaluate("complaints") == []
    page.reload()
    scorer.expect_result(result)


def test_undoing_and_clearing_the_sheet(visitors: Visitors) -> None:
    """Undo goes back step by step. Clearing also removes the stored sheet."""
    page = visitors.new_page()
    scorer = Scorer(page)
    built = page.locator("[data-built]")
    for key in ("s", "g", "n"):  # a structure, a gardener there, and a noble that cannot stop on it
        page.locator("[data-square=c3]").focus()
        page.keyboard.press(key)
    expect(page.locator(".toast")).to_contain_text("R20")
    expect(built).to_have_attribute("data-built", "10")
    page.locator("[data-door=c]").click()
    expect(page.locator("[data-square=c1] span.noble")).to_be_visible()
    for _ in range(3):
        page.locator(".seat .toolbar > button").click()
    expect(built).to_have_attribute("data-built", "9")
    expect(page.locator(".seat .toolbar > button")).to_be_disabled()
    page.locator("[data-square=c3]").click()
    assert page.evaluate("localStorage.getItem('sanssouci.sheet')") is not None
    page.locator(".result .actions button").last.click()
    assert page.evaluate("localStorage.getItem('sanssouci.sheet')") is None
    expect(built).to_have_attribute("data-built", "9")
    assert scorer.points("total") == [0, 0]


def test_impossible_sheets_and_ties_are_explained(visitors: Visitors) -> None:
    """An impossible sheet names the rule and has no winner; a tie is decided by gardeners."""
    page = visitors.new_page()
    seats = [
        {"name": name, "built": [f"{column}{row}" for column in "abcdefghi" for row in (1, 2)], **more}
        for name, more in (("Ada", {"track": 9}), ("Berta", {"gardeners": ["c2"], "track": 0}))
    ]
    stored = json.dumps(json.dumps({"edition": "ravensburger", "expansions": [], "seats": seats}))
    page.add_init_script(f"localStorage.setItem('sanssouci.sheet', {stored})")
    scorer = Scorer(page)
    expect(page.locator("[data-code='refusal.track_too_high']")).to_be_visible()
    expect(page.locator("#score-result")).to_have_text("Can’t be scored yet")
    page.locator(".refused .rule").click()
    expect(page.locator("dialog[open] [data-rule=R21]")).to_be_visible()
    page.keyboard.press("Escape")
    assert page.locator(".refused").count() == 1
    page.locator(".seat input[type=text]").first.fill("0")
    expect(page.locator("#score-result")).to_have_text("In the lead: Berta")
    expect(page.locator(".result p").first).to_contain_text("Berta has the most gardeners")
    assert scorer.points("rows") == [8, 8]


def test_untouched_gardens_are_named(visitors: Visitors) -> None:
    """Once one garden is entered, the page names the untouched one."""
    scorer = Scorer(visitors.new_page())
    untouched = scorer.page.locator(".result").get_by_text("Nothing entered yet")
    expect(untouched).to_have_count(0)
    scorer.seat.locator("input[type=text]").first.fill("12")
    expect(untouched).to_contain_text("Seat 2")
    expect(untouched).not_to_contain_text("Seat 1")


def test_a_boards_file_is_checked_and_used(visitors: Visitors) -> None:
    """An invalid boards file names its wrong field; a valid one provides gardens and reward boards."""
    visitors.ignore_errors("status of 422")
    page = visitors.new_page()
    Scorer(page)
    page.locator("details.check summary").click()
    boards = write_boards(shipped_boards("bosquet")).replace('"bosquet"', '"my box"', 1)
    page.locator("textarea").fill(boards.replace('"+1"', '"+9"', 1))
    page.locator(".check form > button").click()
    expect(page.locator(".check .wrong")).to_contain_text("boards.rewards.1.front")
    page.locator(".check input[type=file]").set_input_files(
        {"name": "box.toml", "mimeType": "text/plain", "buffer": boards.encode()}
    )
    page.locator(".check .verdict button").click()
    page.locator(".game input[type=checkbox]").first.check()
    page.locator(".seat select").nth(2).select_option("0.0")
    expect(page.locator("[data-built]")).to_have_attribute("data-built", "15")
    page.locator(".seat select").nth(3).select_option("0.1")
    expect(page.locator("section.seat span.mark")).to_have_count(12)


def test_printing_the_sheet(visitors: Visitors) -> None:
    """A printed sheet has result and gardens, but no buttons or fields."""
    page = visitors.new_page()
    Scorer(page)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".gardens figure")).to_have_count(2)
    expect(page.locator(".result table")).to_be_visible()
    for hidden in ("section.seat", ".game", ".check", ".result .actions", ".totals"):
        expect(page.locator(hidden)).to_be_hidden()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".gardens")).to_have_count(0)
