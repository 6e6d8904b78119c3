"""The guided first game: played as it is shown in every language, left, come back to, gone astray."""

import re

import pytest
from playwright.sync_api import Page, expect

from ..web.guided_game import CHAPTERS
from .guests import DESK, PHONE, Guests
from .learned import Guided

LANGUAGES = ("en", "de", *(pytest.param(other, marks=pytest.mark.exhaustive) for other in ("fr", "es")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_guided_game(guests: Guests, language: str) -> None:
    """From a first visit to the end: each aim is ticked, each sentence whole, no table stays open."""
    page = guests.comes(size=PHONE if language == "de" else DESK, language=language)
    guided = Guided(page)
    page.goto("/")
    page.locator("a.newcomer").click()
    guided.begin()
    said: list[str] = []
    for chapter in CHAPTERS:
        said += guided.play(chapter)
        guided.go_on()
    page.wait_for_url("**/learn")
    expect(page.locator(".end li")).to_have_count(4)
    assert len(set(said)) == len(said) and not [one for one in said if re.search(r"[{}]|undefined", one)]
    assert len(said) == 5 * len(CHAPTERS) + 1, "card, tile, noble, whole, played; a gardener's square"
    expect(page.locator(".chapter .done")).to_have_count(len(CHAPTERS))
    _see_all_over(page, len(CHAPTERS))
    page.locator(".end button.main").click()
    page.wait_for_url("**/table/*")


def _see_all_over(page: Page, tables: int) -> None:
    """All tables that one has had are over, or will be soon: the last one is closed behind one's back."""
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


def test_it_can_be_left_and_come_back_to(guests: Guests) -> None:
    """What is staged stays over a pause and a reload; a chapter that was played is left behind."""
    page = guests.comes()
    guided = Guided(page)
    page.goto("/learn")
    guided.begin()
    table = page.url
    guided.stage("turn", until="noble")
    page.reload()
    guided.see("noble")
    page.locator(".guide a").click()
    page.locator(".learn .ways button.main").click()
    page.wait_for_url(table)
    guided.see("noble")
    page.locator(".turn button", has_text="No noble").click()
    assert "ring" in guided.see("other")
    page.locator(".turn button.main").click()
    assert guided.see("played_other").startswith("0 points")
    page.locator(".guide a").click()
    expect(page.locator(".chapter .done")).to_have_count(1)
    _see_all_over(page, 1)
    guided.begin()
    assert page.url != table and "A few rounds later" in guided.see("card")


def test_another_turn_is_let_through(guests: Guests) -> None:
    """A gardener is not insisted on; the rule behind the sentence opens, and what is said is said aloud."""
    page = guests.comes()
    guided = Guided(page)
    guided.open("gardener")
    page.keyboard.press("t")
    page.locator(".typed input").fill("b@5-b4")
    page.keyboard.press("Enter")
    said = guided.see("other")
    expect(page.locator("[role=status]").filter(has_text=said.removesuffix("R19").strip())).to_have_count(1)
    page.locator(".guide .rule").click()
    expect(page.locator("[data-rule=R19]")).to_be_in_viewport()
    page.keyboard.press("Escape")
    page.locator(".turn button.main").click()
    guided.see("played_other")
    guided.go_on()
    guided.see("card")


def test_the_offer_is_for_newcomers(guests: Guests) -> None:
    """Who has begun the guided game finds it among the places, and is not offered it again."""
    page = guests.comes()
    Guided(page).open("turn")
    page.goto("/")
    page.locator(".own a, .own button").first.wait_for()
    expect(page.locator("a.newcomer")).to_have_count(0)
    page.get_by_role("navigation").get_by_role("link", name="Learn").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Learn by playing")
