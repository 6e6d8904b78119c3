"""A turn is staged: every step can be undone, every no says why, and nothing gets lost on the way."""

import re

from playwright.sync_api import Page, expect

from .guests import Guests
from .hands import Hand


def _at_the_table(guests: Guests) -> Hand:
    hand = Hand(guests.comes())
    hand.begin()
    hand.wait_for_turn()
    return hand


def _staged(page: Page) -> list[str]:
    return page.locator(".turn .told").all_inner_texts()


def test_every_step_can_be_undone(guests: Guests) -> None:
    """Back, step by step, to a turn of which nothing is chosen; then it is played all the same."""
    hand = _at_the_table(guests)
    page, states = hand.page, [_staged(hand.page)]
    undo = page.get_by_role("button", name="Undo")

    def note() -> None:
        """How it stands; what was filled in by itself is no step."""
        if (now := _staged(page)) != states[-1]:
            states.append(now)

    page.locator(".hand .card").first.click()
    note()
    page.locator(".space:not(.faded)").first.click()
    note()
    while (need := hand.need()) is not None:
        hand.choose(need)
        note()
    assert len(states) >= 3
    for state in reversed(states[:-1]):
        undo.click()
        assert _staged(page) == state
    expect(undo).to_be_disabled()
    hand.stage()
    hand.confirm()


def test_what_cannot_be_chosen_says_why(guests: Guests) -> None:
    """A space that the card cannot take: the sentence names a rule, and the rule opens in the rules."""
    hand = _at_the_table(guests)
    page = hand.page
    for card in page.locator(".hand .card").all():
        card.click()
        if page.locator(".space.faded").count():
            break
    page.locator(".space.faded").first.click(force=True)  # it says that it cannot be chosen
    rule = page.locator(".notice").get_by_role("button", name=re.compile("R1[4-7]"))
    number = re.search(r"R\d+", rule.inner_text())
    assert number is not None
    rule.click()
    expect(page.locator(f"[data-rule={number[0]}]")).to_be_in_viewport()


def test_a_staged_turn_survives_a_reload(guests: Guests) -> None:
    """Card and tile are still chosen."""
    hand = _at_the_table(guests)
    page = hand.page
    page.locator(".hand .card").first.click()
    page.locator(".space:not(.faded)").first.click()
    before = _staged(page)
    page.reload()
    hand.wait_for_turn()
    assert _staged(page) == before


def test_a_lost_connection_mends_itself(guests: Guests) -> None:
    """It shows itself; what was staged stays; the turn is played when the line is back."""
    hand = _at_the_table(guests)
    page = hand.page
    hand.stage()
    before = _staged(page)
    page.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    page.context.set_offline(False)
    assert _staged(page) == before
    hand.confirm()
    assert hand.wait_for_turn()


def test_confirm_is_one_click_from_the_hint(guests: Guests) -> None:
    """The hint names a turn with its reasons, stages it, and it is legal."""
    hand = _at_the_table(guests)
    page = hand.page
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint .reasons")).to_be_visible(timeout=30_000)
    page.locator(".hint").get_by_role("button").first.click()
    assert hand.need() is None
    hand.confirm()
