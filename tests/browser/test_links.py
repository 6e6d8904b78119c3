"""Links: renewed in the lobby, shared during the game, and links to a turn of a finished game."""

import re

from playwright.sync_api import Locator, Page, expect

from .layout_checks import faults
from .page_player import PagePlayer
from .test_multiplayer import set_up, sit_down
from .test_replay import finished_table
from .visitors import Visitors, last_game, text_on_screen

NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"
RECORD_COPIES = """
  window.copies = [];
  const value = { writeText: async (text) => void copies.push(text) };
  Object.defineProperty(navigator, "clipboard", { value });
"""
NETWORK = "http://192.168.1.7:8017"


def _field(page: Page | Locator, name: str) -> Locator:
    return page.get_by_role("textbox", name=name)


def test_renewing_a_link_invalidates_the_old_one(visitors: Visitors) -> None:
    """A removed person cannot use the old join link, but can use the renewed one."""
    visitors.ignore_errors("status of 4")
    owner, friend = visitors.new_page(preferences=last_game("person", "open")), visitors.new_page()
    set_up(owner)
    old = _field(owner, "Invite").input_value()
    sit_down(friend, old, "Berta")
    owner.get_by_role("button", name="Change Chair 2").click()
    expect(text_on_screen(owner, "Berta is sitting here")).to_be_visible()
    owner.get_by_role("button", name="Remove").click()
    expect(friend.locator("main h1")).not_to_contain_text("The table is set")
    owner.get_by_role("button", name="Renew link").click()
    expect(_field(owner, "Invite")).not_to_have_value(old)
    friend.goto(old)
    expect(friend.get_by_role("button", name="Take a seat")).to_have_count(0)
    sit_down(friend, _field(owner, "Invite").input_value(), "Berta")
    expect(friend.locator(".chair.own")).to_contain_text("Berta")


def test_links_of_a_running_game(visitors: Visitors) -> None:
    """A running game offers a watch link for others, and the own seat link for another device."""
    page, watcher, elsewhere = (
        visitors.new_page(preferences=last_game("person", "level:1")),
        visitors.new_page(),
        visitors.new_page(),
    )
    player = PagePlayer(page)
    player.begin()
    player.wait_for_turn()
    dialog = _open_links(page)
    watch = _field(dialog, "watch").input_value()
    dialog.get_by_text("Continue on another device").click()
    seat = _field(dialog, "’s chair").input_value()
    assert faults(page) == []
    page.keyboard.press("Escape")
    expect(page.locator(".menu summary")).to_be_focused()
    watcher.goto(watch)
    watcher.locator(".table").wait_for()
    expect(watcher.locator("[data-card]")).to_have_count(0)
    assert _field(_open_links(watcher), "watch").input_value() == watch
    elsewhere.goto(seat)
    PagePlayer(elsewhere).wait_for_turn()


def _open_links(page: Page) -> Locator:
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Links").click()
    return page.get_by_role("dialog")


def test_a_link_to_a_turn_contains_the_watch_key(visitors: Visitors) -> None:
    """The copied link has the watch key and the network address. Without a clipboard it is shown as text."""
    ada, bob, camilo = visitors.new_page(), visitors.new_page(), visitors.new_page()
    exposure = {"extent": "network", "urls": [NETWORK], "may_open": False}
    made = finished_table(ada)
    for page, script in ((bob, RECORD_COPIES), (camilo, NO_CLIPBOARD)):
        page.add_init_script(script)
        page.route("**/api/reach", lambda route: route.fulfill(json=exposure))
        page.goto(f"/replay#table={made['table']}&key={made['watch']}&turn=23")
        page.get_by_role("button", name="Copy a link to this turn").click()
    expected = f"{NETWORK}/replay#table={made['table']}&key={made['watch']}&turn=23"
    bob.wait_for_function("() => copies.length > 0")
    assert bob.evaluate("copies") == [expected]
    expect(_field(camilo.get_by_role("dialog"), "Link to this turn")).to_have_value(expected)


def test_a_link_without_a_watch_key_warns(visitors: Visitors) -> None:
    """Without a watch key, the page warns that only players can open the link, except at listed tables."""
    ada = visitors.new_page()
    ada.add_init_script(RECORD_COPIES)
    made = finished_table(ada)
    ada.goto(f"/replay#table={made['table']}&turn=3")
    ada.get_by_role("button", name="Copy a link to this turn").click()
    dialog = ada.get_by_role("dialog")
    expect(dialog).to_contain_text("Only the players can open this link")
    expect(_field(dialog, "Link to this turn")).to_have_value(re.compile(f"table={made['table']}&turn=3$"))
    assert ada.evaluate("copies") == [] and faults(ada) == []
    ada.keyboard.press("Escape")
    table_json = {"terms": {"visibility": "open"}}
    ada.route(f"**/api/tables/{made['table']}", lambda route: route.fulfill(json=table_json))
    ada.get_by_role("button", name="Copy a link to this turn").click()
    ada.wait_for_function("() => copies.length > 0")
