"""Offers to end, pause or take back: everyone sees them and answers in a dialog."""

from playwright.sync_api import Page, expect

from .page_player import PagePlayer
from .test_multiplayer import set_up, sit_down
from .visitors import Visitors, last_game, text_on_screen


def two_players(visitors: Visitors) -> tuple[PagePlayer, PagePlayer]:
    """Two people in two browsers, in the order of their seats, at the first turn."""
    owner, friend = visitors.new_page(preferences=last_game("person", "open")), visitors.new_page()
    set_up(owner)
    sit_down(friend, owner.get_by_role("textbox", name="Invite").input_value(), "Berta")
    players = [PagePlayer(owner), PagePlayer(friend)]
    for player in players:
        player.page.get_by_role("button", name="ready").click()
    for player in players:
        player.take_side()
    for player in players:
        player.page.locator(".table").wait_for()
    first, second = sorted(players, key=lambda player: player.seat)
    return first, second


def ask(page: Page, what: str) -> None:
    page.locator(".menu summary").click()
    page.locator(".menu").get_by_role("button", name=what).click()


def leave_for_statistics(page: Page) -> None:
    page.goto("/statistics")
    page.locator(".none").wait_for()


def go_home(page: Page) -> None:
    """The start page asks the server for changes at once."""
    page.get_by_role("link", name="Sanssouci").first.click()


def test_a_turn_is_taken_back_by_agreement(visitors: Visitors) -> None:
    """The other person answers while looking back. A declined offer is announced, an accepted one happens."""
    first, second = two_players(visitors)
    first.wait_for_turn()
    first.stage()
    first.confirm()
    second.wait_for_turn()
    ask(first.page, "Ask for a break")
    dialog = second.page.get_by_role("dialog")
    expect(dialog).to_contain_text("asks for a break")
    expect(dialog).to_contain_text("Without an answer")
    dialog.get_by_role("button", name="Decline").click()
    expect(first.page.locator(".toast")).to_contain_text("declined")
    expect(dialog).to_have_count(0)

    second.page.keyboard.press("b")  # the other person looks at the past
    second.page.get_by_role("slider").wait_for()
    ask(first.page, "Ask to take back my turn")
    notice = first.page.get_by_role("region", name="Open offer")
    expect(notice).to_contain_text("Waiting for")
    second.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    second.page.get_by_role("region", name="Open offer").get_by_role("button", name="Answer").click()
    dialog.get_by_role("button", name="Agree").click()
    first.wait_for_turn()
    expect(notice).to_have_count(0)
    expect(first.page.locator(".log li").last).to_contain_text("took a turn back")
    for player in (first, second):
        expect(player.page.locator(".changed, .display .fresh"), "signs of the turn").to_have_count(0)


def test_a_break_ends_for_everyone_at_once(visitors: Visitors) -> None:
    """During a break nobody can play. One person resumes the game for both."""
    first, second = two_players(visitors)
    first.wait_for_turn()
    ask(second.page, "Ask for a break")
    first.page.get_by_role("dialog").get_by_role("button", name="Agree").click()
    for player in (first, second):
        text_on_screen(player.page, "The game is paused.").first.wait_for()
        expect(player.page.locator(".turn")).to_have_count(0)
    second.page.get_by_role("button", name="Resume the game").click()
    first.wait_for_turn()
    expect(second.page.locator(".replaced")).to_have_count(0)


def test_an_offer_is_seen_on_every_page(visitors: Visitors) -> None:
    """A person on another page of the app sees an offer, follows its link to the table, and answers there."""
    first, second = two_players(visitors)
    first.wait_for_turn()
    leave_for_statistics(second.page)
    ask(first.page, "Ask for a break")
    first.page.get_by_role("region", name="Open offer").wait_for()
    go_home(second.page)
    toast = second.page.locator(".toast")
    expect(toast).to_contain_text("asks for a break")
    toast.get_by_role("link", name="Answer").click()
    second.page.get_by_role("dialog").get_by_role("button", name="Agree").click()
    text_on_screen(first.page, "The game is paused.").first.wait_for()


def test_an_offer_is_seen_over_the_rules_and_at_another_table(visitors: Visitors) -> None:
    """Its message is in the open dialog, so that its link can be used; at a table, other tables are asked."""
    first, second = two_players(visitors)
    first.wait_for_turn()
    table = second.page.url
    ask(first.page, "Ask for a break")
    first.page.get_by_role("region", name="Open offer").wait_for()
    second.page.goto("/rules")
    rules = second.page.get_by_role("dialog")
    rules.wait_for()
    answer = second.page.locator(".toast").get_by_role("link", name="Answer")
    answer.click()
    second.page.wait_for_url(table)
    second.page.get_by_role("dialog").get_by_role("button", name="later").click()
    second.page.goto("/#new")
    second.page.locator("main form button.main").click()
    second.page.wait_for_url("**/table/*")
    answer.click()
    second.page.wait_for_url(table)
    second.page.get_by_role("dialog").get_by_role("button", name="Agree").click()


def test_a_message_goes_with_its_offer(visitors: Visitors) -> None:
    """On another page it vanishes with its offer. At the table it hides the notice of the offer."""
    first, second = two_players(visitors)
    first.wait_for_turn()
    leave_for_statistics(second.page)
    ask(first.page, "Ask for a break")
    notice = first.page.get_by_role("region", name="Open offer")
    notice.wait_for()
    go_home(second.page)
    toast = second.page.locator(".toast")
    expect(toast).to_contain_text("asks for a break")

    first.page.locator("[data-square=e1][role=gridcell]").click()
    expect(first.page.locator(".toast")).to_be_visible()
    expect(notice).to_be_hidden()
    first.page.locator(".toast").get_by_role("button", name="Close").click()
    notice.get_by_role("button", name="Withdraw").click()
    expect(notice).to_have_count(0)
    second.page.get_by_role("link", name="Statistics").click()
    second.page.locator(".none").wait_for()
    go_home(second.page)
    expect(toast).to_have_count(0)


def test_an_offer_is_announced_once(visitors: Visitors) -> None:
    """A closed message about an offer does not come back. Tables of one person are not asked."""
    first, second = two_players(visitors)
    first.wait_for_turn()
    ask(first.page, "Ask for a break")
    first.page.get_by_role("region", name="Open offer").wait_for()
    second.page.goto("/")
    toast = second.page.locator(".toast")
    toast.get_by_role("button", name="Close").click()
    asked: list[str] = []
    second.page.on("request", lambda request: asked.append(request.url))
    with second.page.expect_response("**/api/me/tables*"):
        second.page.get_by_role("link", name="Statistics").click()
    second.page.locator(".none").wait_for()
    expect(toast).to_have_count(0)
    assert not [url for url in asked if "/api/tables/" in url]


def test_a_declined_end_is_not_asked_for_again_at_once(visitors: Visitors) -> None:
    """The menu says when it can be asked again, and has no other way to ask in the same turn."""
    first, second = two_players(visitors)
    first.wait_for_turn()
    for asking, asked in ((first, second), (second, first)):
        ask(asking.page, "Ask to end the game")
        asked.page.get_by_role("dialog").get_by_role("button", name="Decline").click()
        expect(asking.page.locator(".toast")).to_contain_text("declined")
        asking.page.locator(".menu summary").click()
        menu = asking.page.locator(".menu")
        expect(menu.get_by_role("button", name="Ask to end the game")).to_be_disabled()
        expect(menu).to_contain_text("You can ask again after the next turn.")
        expect(menu.get_by_role("button", name="End the game for everyone")).to_have_count(0)
        asking.page.keyboard.press("Escape")
    first.stage()
    first.confirm()
    second.wait_for_turn()
    second.page.locator(".menu summary").click()
    expect(second.page.locator(".menu").get_by_role("button", name="Ask to end the game")).to_be_enabled()
