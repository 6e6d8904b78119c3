"""The score-keeper: a golden game's end is entered by finger or by keys, and counts as its record says."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sanssouci.editions import shipped_boards, write_boards

from ..cli.command import run
from ..real_tables import RECORDS, real_table
from .guests import DESK, PHONE, Guests

Json = dict[str, Any]
PATHS = {path.stem: path for path in RECORDS}


class Scorer:
    """Somebody with the box and this page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.seat = page.locator("section.seat")
        page.goto("/scores")
        page.locator(".result table").wait_for()

    def set_up(self, table: Json) -> None:
        """Edition, expansions and seats."""
        page = self.page
        page.locator(f"label[data-edition={table['edition']}] input").check()
        for number, expansion in enumerate(("rewards", "wild_boar")):
            if expansion in table["expansions"]:
                page.locator(".game input[type=checkbox]").nth(number).check()
        page.locator(".game .keys label").nth(len(table["seats"]) - 2).click()

    def turn_to(self, seat: int) -> None:
        """The garden of a seat."""
        self.seat.locator(".keys").first.locator("label").nth(seat).click()

    def take(self, tool: str) -> None:
        """What taps do from now on: tile, noble, boar or mark, as far as they are played."""
        self.seat.locator(".keys").nth(1).get_by_role("radio", name=tool, exact=True).locator("..").click()

    def tap(self, square: str) -> None:
        """One square, with a finger."""
        self.page.locator(f"[data-square={square}]").tap()

    def tell(self, seat: Json, expansions: list[str]) -> None:
        """Missions and score track."""
        for number, mission in enumerate(seat["missions"]):
            self.seat.locator("select").nth(number).select_option(mission)
        typed = ["track", *(["track_rewards"] * ("rewards" in expansions))]
        typed += ["track_boar"] * ("wild_boar" in expansions)
        for place, name in enumerate(typed):
            self.seat.locator("input[type=text]").nth(place).fill(str(seat[name]))

    def points(self, part: str) -> list[int]:
        """What the table shows of a part, seat by seat."""
        texts = self.page.locator(f"[data-part={part}] td").all_inner_texts()
        return [int(text.replace("−", "-")) for text in texts]

    def agrees(self, result: Json) -> None:
        """All parts, totals and the winners are those of the record."""
        expect(self.page.locator("[data-part=total] td")).to_have_text([str(n) for n in result["scores"]])
        for part in ("rows", "columns", "missions"):
            assert self.points(part) == [parts[part] for parts in result["parts"]], part
        assert self.points("gardeners") == result["gardeners"]
        winners = self.page.locator(".winner").evaluate_all("them => them.map(one => +one.dataset.seat)")
        assert winners == result["winners"]
        assert self.page.locator(".refused").count() == 0


def by_finger(scorer: Scorer, seat: Json, expansions: list[str]) -> None:
    """Tiles first, then nobles and boar, each with its tool."""
    for square in seat["built"]:
        if square[1] != "1":
            scorer.tap(square)
            if square in seat["gardeners"]:
                scorer.tap(square)
    scorer.take("Nobles")
    for square in seat["nobles"]:
        scorer.tap(square)
    if "wild_boar" in expansions and seat["boar"] is not None:
        scorer.take("Boar")
        if scorer.page.locator(f"[data-square={seat['boar']}] .boar").count() == 0:
            scorer.tap(seat["boar"])
    scorer.take("Tiles")


def by_keys(scorer: Scorer, seat: Json, expansions: list[str]) -> None:
    """All squares from the palace down, with arrows and letters; the focus is in the garden."""
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
    "game", ["imperial-boar-2", pytest.param("ravensburger-base-3", marks=pytest.mark.exhaustive)]
)
def test_a_golden_end_is_tapped_on_a_phone(guests: Guests, game: str) -> None:
    """Garden by garden with a finger it comes to what `verify` finds right; a reload loses nothing."""
    assert run("verify", PATHS[game]).returncode == 0
    table, result = real_table(PATHS[game])
    page = guests.comes(PHONE)
    scorer = Scorer(page)
    scorer.set_up(table)
    for number, seat in enumerate(table["seats"]):
        scorer.turn_to(number)
        by_finger(scorer, seat, table["expansions"])
        scorer.tell(seat, table["expansions"])
    scorer.agrees(result)
    page.reload()
    scorer.agrees(result)


def test_a_golden_end_is_typed_on_a_desk(guests: Guests) -> None:
    """With arrows and letters alone in the garden."""
    assert run("verify", PATHS["imperial-base-2"]).returncode == 0
    table, result = real_table(PATHS["imperial-base-2"])
    page = guests.comes(DESK)
    scorer = Scorer(page)
    scorer.set_up(table)
    for number, seat in enumerate(table["seats"]):
        scorer.turn_to(number)
        by_keys(scorer, seat, table["expansions"])
        scorer.tell(seat, table["expansions"])
    scorer.agrees(result)


def test_what_was_done_can_be_undone_and_everything_cleared(guests: Guests) -> None:
    """Step by step to the empty sheet; once cleared, nothing is kept in the browser."""
    page = guests.comes()
    scorer = Scorer(page)
    built = page.locator("[data-built]")
    for key in ("s", "g", "n"):  # a structure, a gardener there, and a noble who cannot stand on it
        page.locator("[data-square=c3]").focus()
        page.keyboard.press(key)
    expect(page.locator(".notice")).to_contain_text("R20")
    expect(built).to_have_attribute("data-built", "10")
    page.locator("[data-door=c]").click()
    expect(page.locator("[data-square=c1] span.noble")).to_be_visible()
    for _ in range(3):
        page.locator(".seat .above > button").click()
    expect(built).to_have_attribute("data-built", "9")
    expect(page.locator(".seat .above > button")).to_be_disabled()
    page.locator("[data-square=c3]").click()
    assert page.evaluate("localStorage.getItem('sanssouci.sheet')") is not None
    page.locator(".result .actions button").last.click()
    assert page.evaluate("localStorage.getItem('sanssouci.sheet')") is None
    expect(built).to_have_attribute("data-built", "9")
    assert scorer.points("total") == [0, 0]


def test_what_cannot_be_is_told_and_a_tie_explained(guests: Guests) -> None:
    """With the rule, which opens; nobody wins until it is put right, then gardeners decide."""
    page = guests.comes()
    seats = [
        {"name": name, "built": [f"{column}{row}" for column in "abcdefghi" for row in (1, 2)], **more}
        for name, more in (("Ada", {"track": 9}), ("Berta", {"gardeners": ["c2"], "track": 0}))
    ]
    kept = json.dumps(json.dumps({"edition": "ravensburger", "expansions": [], "seats": seats}))
    page.add_init_script(f"localStorage.setItem('sanssouci.sheet', {kept})")
    scorer = Scorer(page)
    expect(page.locator("[data-code='refusal.track_too_high']")).to_be_visible()
    expect(page.locator("#keeper-result")).to_have_text("Can’t be scored yet")
    page.locator(".refused .rule").click()
    expect(page.locator("dialog[open] [data-rule=R21]")).to_be_visible()
    page.keyboard.press("Escape")
    assert page.locator(".refused").count() == 1
    page.locator(".seat input[type=text]").first.fill("0")
    expect(page.locator("#keeper-result")).to_have_text("In the lead: Berta")
    expect(page.locator(".result p").first).to_contain_text("Berta has the most gardeners")
    assert scorer.points("rows") == [8, 8]


def test_who_is_awaited_is_said(guests: Guests) -> None:
    """While one garden is entered and the other untouched; nobody is before the first is begun."""
    scorer = Scorer(guests.comes())
    awaited = scorer.page.locator(".result").get_by_text("Nothing entered yet")
    expect(awaited).to_have_count(0)
    scorer.seat.locator("input[type=text]").first.fill("12")
    expect(awaited).to_contain_text("Seat 2")
    expect(awaited).not_to_contain_text("Seat 1")


def test_a_boards_file_is_checked_and_used(guests: Guests) -> None:
    """What is wrong is told with its field; a good one lays out gardens and reward boards."""
    guests.forgive("status of 422")
    page = guests.comes()
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


def test_a_printed_sheet_has_result_and_gardens_and_nothing_to_press(guests: Guests) -> None:
    """Buttons and fields stay off the paper."""
    page = guests.comes()
    Scorer(page)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".gardens figure")).to_have_count(2)
    expect(page.locator(".result table")).to_be_visible()
    for hidden in ("section.seat", ".game", ".check", ".result .actions", ".totals"):
        expect(page.locator(hidden)).to_be_hidden()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".gardens")).to_have_count(0)
