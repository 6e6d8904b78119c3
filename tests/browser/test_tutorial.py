"""The tutorial: played as suggested in every language, left, resumed, and played differently."""

import re

import pytest
from playwright.sync_api import Page, expect

from ..web.guided_game import CHAPTERS
from .layout_checks import faults
from .tutorial_page import TutorialPage
from .visitors import DESK, PHONE, Size, Visitors

LANGUAGES = ("en", "de", *(pytest.param(other, marks=pytest.mark.exhaustive) for other in ("fr", "es")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_complete_tutorial(visitors: Visitors, language: str) -> None:
    """Each aim is met, each text is complete, and no table stays open."""
    # A computer player may play while its table is being closed; the page then tries again.
    visitors.ignore_errors("status of 409")
    page = visitors.new_page(size=PHONE if language == "de" else DESK, language=language)
    tutorial = TutorialPage(page)
    page.goto("/")
    page.locator("a.newcomer").click()
    tutorial.wait_for("card")  # at once: card, tile, noble and Confirm are the other four clicks to a turn
    texts: list[str] = []
    for chapter in CHAPTERS:
        texts += tutorial.play(chapter)
        tutorial.next_chapter()
    page.wait_for_url("**/learn")
    expect(page.locator(".end li")).to_have_count(4)
    assert len(set(texts)) == len(texts) and not [
        text for text in texts if re.search(r"[{}]|undefined", text)
    ]
    assert len(texts) == 5 * len(CHAPTERS) + 1, "card, tile, noble, ready, played; a gardener's square"
    expect(page.locator(".chapter .done")).to_have_count(len(CHAPTERS))
    _expect_all_over(page, len(CHAPTERS))
    page.locator(".end button.main").click()
    page.wait_for_url("**/table/*")


def _expect_all_over(page: Page, tables: int) -> None:
    """Wait until all tables of the guest are over. The last one is closed in the background."""
    stages = page.evaluate(
        """async () => {
          for (let tries = 0; ; tries++) {
            const { tables } = await (await fetch("/api/me/tables")).json();
            const stages = tables.map(({ stage }) => stage);
            if (tries === 300 || stages.every((stage) => stage === "over")) return stages;
            await new Promise((later) => setTimeout(later, 200));
          }
        }"""
    )
    assert stages == ["over"] * tables


def test_leaving_and_resuming_the_tutorial(visitors: Visitors) -> None:
    """Staged steps survive leaving and a reload, and a finished chapter stays finished."""
    page = visitors.new_page()
    tutorial = TutorialPage(page)
    page.goto("/learn")
    tutorial.begin()
    table = page.url
    tutorial.stage("turn", until="noble")
    page.reload()
    tutorial.wait_for("noble")
    page.locator(".guide a").click()
    page.locator(".learn .actions button.main").click()
    page.wait_for_url(table)
    tutorial.wait_for("noble")
    page.locator(".turn button", has_text="No noble").click()
    assert "ring" in tutorial.wait_for("other")
    page.locator(".turn button.main").click()
    assert tutorial.wait_for("played_other").startswith("0 points")
    page.locator(".guide a").click()
    expect(page.locator(".chapter .done")).to_have_count(1)
    _expect_all_over(page, 1)
    tutorial.begin()
    assert page.url != table and "a few rounds later" in tutorial.wait_for("card")


def test_another_turn_is_accepted(visitors: Visitors) -> None:
    """A turn without the gardener is accepted, and its rule opens. Texts are announced."""
    page = visitors.new_page()
    tutorial = TutorialPage(page)
    tutorial.open("gardener")
    page.keyboard.press("t")
    page.locator(".typed input").fill("b@5-b4")
    page.keyboard.press("Enter")
    text = tutorial.wait_for("other")
    expect(page.locator("[role=status]").filter(has_text=text.removesuffix("R19").strip())).to_have_count(1)
    page.locator(".guide .rule").click()
    expect(page.locator("[data-rule=R19]")).to_be_in_viewport()
    page.keyboard.press("Escape")
    page.locator(".turn button.main").click()
    tutorial.wait_for("played_other")
    tutorial.next_chapter()
    tutorial.wait_for("card")


def test_the_stop_of_a_mission_is_marked(visitors: Visitors) -> None:
    """It is on the tile just laid. After another tile, the text does not speak of a marked ring."""
    page = visitors.new_page(PHONE)
    tutorial = TutorialPage(page)
    tutorial.open("mission")
    tutorial.stage("mission", until="noble")
    marked, ring = page.locator(".garden .hinted.stop"), page.locator(".garden .hinted.stop ~ .ring.stop")
    expect(marked).to_have_count(1)
    colours = [one.evaluate("mark => getComputedStyle(mark).borderTopColor") for one in (marked, ring)]
    assert colours[0] == colours[1]
    page.locator("[data-space='6']").click()
    assert "marked" not in tutorial.wait_for("stuck")
    expect(marked).to_have_count(0)
    expect(page.locator(".space.hinted")).to_have_count(1)


def test_the_tutorial_is_offered_to_newcomers_only(visitors: Visitors) -> None:
    """Once started, it is in the navigation only. Its table is not among the games to continue."""
    page = visitors.new_page()
    TutorialPage(page).open("turn")
    page.goto("/")
    with page.expect_response("**/api/me/tables*"):
        page.reload()
    expect(page.locator("a.newcomer, .own")).to_have_count(0)
    page.get_by_role("navigation").get_by_role("link", name="Learn").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Learn by playing")


@pytest.mark.parametrize("size", [(1440, 900), DESK, (360, 740)])
def test_the_points_of_a_stop_are_shown_once(visitors: Visitors, size: Size) -> None:
    """On a suggested stop, before and after it is staged; no badge hides another one."""
    page = visitors.new_page(size)
    tutorial = TutorialPage(page)
    tutorial.open("gardener")
    for step in ("noble", "ready"):
        if step == "noble":
            tutorial.stage("gardener", until=step)
        else:
            page.locator("[role=gridcell][data-square=f5]").click()
            tutorial.wait_for(step)
        signs = page.locator(".garden .hinted [data-sign]").evaluate_all(
            "flags => flags.map(({ dataset }) => dataset.sign)"
        )
        assert "+5" not in signs, step
        expect(page.locator(".garden .ring.stop b", has_text="+5")).to_have_count(1)
        assert [fault for fault in faults(page) if "badges" in fault] == [], step
