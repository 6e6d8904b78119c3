"""Links to a table: renewed before the game, shared while it goes on, and to a turn of it when it is over."""

import re

from playwright.sync_api import Locator, Page, expect

from .guests import Guests, last_game
from .hands import Hand
from .looks import faults
from .test_company import set_up, sit_down
from .test_replay import finished_table

NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"
KEEP_COPIES = """
  window.copies = [];
  const value = { writeText: async (text) => void copies.push(text) };
  Object.defineProperty(navigator, "clipboard", { value });
"""
NETWORK = "http://192.168.1.7:8017"


def _field(page: Page | Locator, name: str) -> Locator:
    return page.get_by_role("textbox", name=name)


def test_who_was_sent_away_comes_again_by_a_renewed_link(guests: Guests) -> None:
    """The owner is told what it means before; the old link is worth nothing then."""
    guests.forgive("status of 4")
    owner, friend = guests.comes(preferences=last_game("person", "open")), guests.comes()
    set_up(owner)
    old = _field(owner, "Invite").input_value()
    sit_down(friend, old, "Berta")
    owner.get_by_role("button", name="Change Chair 2").click()
    expect(owner.get_by_text("Berta is sitting here")).to_be_visible()
    owner.get_by_role("button", name="Remove").click()
    expect(friend.locator("main h1")).not_to_contain_text("The table is set")
    owner.get_by_role("button", name="Renew link").click()
    expect(_field(owner, "Invite")).not_to_have_value(old)
    friend.goto(old)
    expect(friend.get_by_role("button", name="Take a seat")).to_have_count(0)
    sit_down(friend, _field(owner, "Invite").input_value(), "Berta")
    expect(friend.locator(".chair.own")).to_contain_text("Berta")


def test_a_game_that_goes_on_has_its_links(guests: Guests) -> None:
    """Against the computer too: somebody watches it, and passes the link on; oneself plays elsewhere."""
    page, watcher, elsewhere = (
        guests.comes(preferences=last_game("person", "level:1")),
        guests.comes(),
        guests.comes(),
    )
    hand = Hand(page)
    hand.begin()
    hand.wait_for_turn()
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
    Hand(elsewhere).wait_for_turn()


def _open_links(page: Page) -> Locator:
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Links").click()
    return page.get_by_role("dialog")


def test_a_link_to_a_turn_is_for_everyone(guests: Guests) -> None:
    """With the key to watch, and as others find the server; without a clipboard it stands there to copy."""
    ada, bob, camilo = guests.comes(), guests.comes(), guests.comes()
    exposure = {"extent": "network", "urls": [NETWORK], "may_open": False}
    made = finished_table(ada)
    for page, script in ((bob, KEEP_COPIES), (camilo, NO_CLIPBOARD)):
        page.add_init_script(script)
        page.route("**/api/reach", lambda route: route.fulfill(json=exposure))
        page.goto(f"/replay#table={made['table']}&key={made['watch']}&turn=23")
        page.get_by_role("button", name="Copy a link to this turn").click()
    wanted = f"{NETWORK}/replay#table={made['table']}&key={made['watch']}&turn=23"
    bob.wait_for_function("copies.length > 0")
    assert bob.evaluate("copies") == [wanted]
    expect(_field(camilo.get_by_role("dialog"), "Link to this turn")).to_have_value(wanted)


def test_a_link_that_is_not_for_everyone_says_so(guests: Guests) -> None:
    """Who only sat at the table has no key for others; at a listed table nobody needs one."""
    ada = guests.comes()
    ada.add_init_script(KEEP_COPIES)
    made = finished_table(ada)
    ada.goto(f"/replay#table={made['table']}&turn=3")
    ada.get_by_role("button", name="Copy a link to this turn").click()
    dialog = ada.get_by_role("dialog")
    expect(dialog).to_contain_text("only those who played can open this one")
    expect(_field(dialog, "Link to this turn")).to_have_value(re.compile(f"table={made['table']}&turn=3$"))
    assert ada.evaluate("copies") == [] and faults(ada) == []
    ada.keyboard.press("Escape")
    look = {"terms": {"visibility": "open"}}
    ada.route(f"**/api/tables/{made['table']}", lambda route: route.fulfill(json=look))
    ada.get_by_role("button", name="Copy a link to this turn").click()
    ada.wait_for_function("copies.length > 0")
