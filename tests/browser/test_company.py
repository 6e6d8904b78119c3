"""Several people at one table, each at a browser of their own, or all at one."""

from playwright.sync_api import Page

from .guests import Guests, last_game
from .hands import Hand

BOTH = ("rewards", "wild_boar")


def _set_up(page: Page) -> None:
    """Set up the game that is preselected, as the last one was."""
    page.goto("/")
    page.get_by_role("main").get_by_role("button").first.click()
    page.wait_for_url("**/table/*")


def test_four_people_at_four_browsers(guests: Guests) -> None:
    """The fullest game there is, over a join link: everyone plays a round, and sees the same scores."""
    owner = guests.comes(
        preferences=last_game("person", "open", "open", "open", edition="imperial", expansions=BOTH)
    )
    _set_up(owner)
    link = owner.locator("input[readonly]").first.input_value()
    pages = [owner]
    for name in ("Berta", "Camilo", "Dora"):
        page = guests.comes()
        page.goto(link)
        page.get_by_role("textbox").first.fill(name)
        page.locator("main form button.main, main button.main").first.click()
        pages.append(page)
    for page in pages:
        page.get_by_role("button", name="Ready").first.click()
    hands = [Hand(page) for page in pages]
    for hand in hands:
        hand.pick()
    for _ in range(2 * len(hands)):
        hand = next(hand for hand in hands if hand.page.locator(".turn").count())
        hand.stage()
        hand.confirm()
        for other in hands:
            other.page.locator(f".log li:nth-child({hand.told()})").wait_for(state="attached")
    totals = {tuple(hand.page.locator(".score b, .seat .score").all_inner_texts()) for hand in hands}
    assert all(sorted(total) == sorted(next(iter(totals))) for total in totals)


def test_two_people_at_one_screen(guests: Guests) -> None:
    """Between them a curtain: nothing of anybody's hand is on the page until the next one asks for it."""
    page = guests.comes(preferences=last_game("person", "person"))
    _set_up(page)
    hand = Hand(page)
    for _ in range(2):
        page.wait_for_selector("main button.main")
        if page.locator(".curtain").count():
            page.locator(".curtain button").click()
        page.locator("main button.main").last.click()
    for _ in range(4):
        page.wait_for_selector(".curtain, .turn")
        if page.locator(".curtain").count():
            assert page.locator(".card, .missions, [data-card]").count() == 0
            page.locator(".curtain button").click()
        hand.wait_for_turn()
        hand.stage()
        page.locator(".turn button.main").click()
        page.wait_for_selector(".curtain")
