"""What is heard, and how one is called to the table: sounds, the page's title, a word from the browser."""

import json
import re
from time import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .guests import Guests, last_game
from .hands import Hand
from .recorded import game_at, sit_at, tell

LISTEN = """
  window.heard = [];
  for (const source of [OscillatorNode, AudioBufferSourceNode]) {
    const start = source.prototype.start;
    source.prototype.start = function (...when) {
      heard.push(source.name);
      return start.apply(this, when);
    };
  }
"""
"""Notes every tone and every noise that is made."""
TONE, NOISE = "OscillatorNode", "AudioBufferSourceNode"
LOOK_AWAY = "Object.defineProperty(document, 'hidden', { get: () => true })"
KEEP_NOTICES = """
  window.notices = [];
  window.Notification = class {
    static permission = "granted";
    static requestPermission = async () => "granted";
    constructor(title, options) { notices.push({ title, ...options }); }
    close() {}
  };
"""


def _heard(page: Page) -> list[str]:
    heard: list[str] = page.evaluate("heard.splice(0)")
    return heard


def _at_a_table(guests: Guests, **preferences: Any) -> Hand:
    page = guests.comes(preferences=preferences)
    page.add_init_script(LISTEN)
    sit_at(page, *game_at("ravensburger-2", 1))
    hand = Hand(page)
    hand.wait_for_turn()
    return hand


def test_a_tile_knocks_and_a_noble_steps(guests: Guests) -> None:
    """Each is heard when it is staged; choosing a card is silent."""
    hand = _at_a_table(guests)
    hand.cards.last.click()
    hand.page.wait_for_function("navigator.userActivation.hasBeenActive")
    assert _heard(hand.page) == []
    hand.spaces.first.click()
    hand.page.wait_for_function("heard.length >= 2")
    assert sorted(_heard(hand.page)) == [NOISE, TONE]
    hand.choose("noble")
    hand.page.wait_for_function("heard.length >= 1")
    assert set(_heard(hand.page)) == {NOISE}


@pytest.mark.parametrize("quiet", [{"sound": False}, {"volume": 0}])
def test_whoever_wants_silence_has_it(guests: Guests, quiet: dict[str, Any]) -> None:
    """No sound without the setting, or at volume 0."""
    hand = _at_a_table(guests, **quiet)
    hand.stage()
    assert _heard(hand.page) == []


def test_sound_is_set_in_the_settings(guests: Guests) -> None:
    """Volume is heard when it is changed; without sound it cannot be."""
    page = guests.comes()
    page.add_init_script(LISTEN)
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    volume = page.get_by_role("slider", name="Volume")
    volume.fill("80")
    page.wait_for_function("heard.length >= 2")
    page.get_by_role("checkbox", name="Sound").click()
    expect(volume).to_be_disabled()
    kept = json.loads(page.evaluate("localStorage.getItem('sanssouci.preferences')"))
    assert (kept["sound"], kept["volume"]) == (False, 80)


def test_one_is_called_to_the_table(guests: Guests) -> None:
    """A bell, the title, and a word from the browser when nobody looks; none while others are awaited."""
    page = guests.comes(preferences={**last_game("person", "level:1"), "calls": True})
    for script in (LISTEN, KEEP_NOTICES):
        page.add_init_script(script)
    hand = Hand(page)
    hand.begin()
    hand.wait_for_turn()
    expect(page).to_have_title("▶ Your turn – Sanssouci")
    hand.stage()
    page.evaluate(LOOK_AWAY)
    _heard(page)
    page.evaluate("notices.splice(0)")
    told = hand.told()
    hand.confirm()
    hand.see_told(told + 2)
    hand.wait_for_turn()
    page.wait_for_function("notices.length > 0 && heard.length >= 3")
    [notice] = page.evaluate("notices")
    assert notice["title"] == "Your turn" and notice["tag"] in page.url
    assert _heard(page) == [TONE, TONE, TONE]
    page.goto("/")
    expect(page).to_have_title("(1) Sanssouci")


def test_who_is_beside_the_table_is_called_too(guests: Guests) -> None:
    """The title counts the tables that wait, wherever one is; a bell and a word when one more does."""
    page = guests.comes(preferences={"calls": True})
    for script in (LISTEN, KEEP_NOTICES):
        page.add_init_script(script)
    tables = [_own("a" * 16, your_turn=True), _own("b" * 16), _own("c" * 16, stage="lobby")]
    tell(page, "**/api/me", {"name": "Ada"})
    page.route("**/api/me/tables*", lambda route: route.fulfill(json={"tables": tables, "next": None}))
    page.clock.install()
    page.goto("/")
    expect(page).to_have_title("(1) Sanssouci")
    expect(page.locator(".own .turn")).to_have_text(["Your turn"])
    expect(page.locator(".own a").first).to_contain_text("3 days left")
    page.locator(".places a").first.click()
    expect(page).to_have_title(re.compile(r"^\(1\) .+ – Sanssouci"))
    page.evaluate(LOOK_AWAY)
    tables[1]["your_turn"] = tables[2]["your_turn"] = True
    page.clock.run_for(61_000)
    expect(page).to_have_title(re.compile(r"^\(3\) "))
    assert [notice["tag"] for notice in page.evaluate("notices")] == ["b" * 16]
    page.go_back()
    expect(page.locator(".own .turn")).to_have_text(["Your turn", "Your turn", "Get ready"])


def _own(table: str, stage: str = "playing", your_turn: bool = False) -> dict[str, Any]:
    """A table of one's own in a list."""
    view, _ = game_at("ravensburger-2", 1)
    chairs = [{"sitter": "person", "name": name, "player": None, "away": False} for name in ("Ada", "Bob")]
    now = time()
    return {
        "table": table,
        "stage": stage,
        "terms": view["terms"],
        "chairs": chairs,
        "round": 3 if stage == "playing" else None,
        "created_at": now,
        "updated_at": now,
        "your_chairs": [0],
        "owner": True,
        "your_turn": your_turn,
        "deadline": now + 3 * 86400 if your_turn else None,
    }


def test_a_browser_that_cannot_show_notices_says_so_once(guests: Guests) -> None:
    """Where a page may not make one the setting goes off, with a sentence; nothing breaks."""
    page = guests.comes(preferences={**last_game("person", "level:1"), "calls": True})
    page.add_init_script(
        KEEP_NOTICES.replace("notices.push(", 'throw new TypeError("Illegal constructor");(')
    )
    hand = Hand(page)
    hand.begin()
    hand.wait_for_turn()
    hand.stage()
    page.evaluate(LOOK_AWAY)
    told = hand.told()
    hand.confirm()
    hand.see_told(told + 2)
    expect(page.locator(".notice")).to_contain_text("cannot show notifications")
    assert page.evaluate("JSON.parse(localStorage.getItem('sanssouci.preferences')).calls") is False


def test_a_browser_that_allows_no_notices_says_so(guests: Guests) -> None:
    """The setting stays off, and there is a sentence."""
    page = guests.comes()
    page.add_init_script(KEEP_NOTICES.replace('async () => "granted"', 'async () => "denied"'))
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    tick = page.get_by_role("checkbox", name="Notify me")
    tick.click()
    said = page.get_by_role("paragraph").filter(has_text="does not allow notifications")
    expect(page.get_by_role("dialog").locator(said)).to_be_visible()
    expect(tick).not_to_be_checked()


def test_the_game_can_be_installed(guests: Guests) -> None:
    """The manifest is there, and every picture it names, of the size it says."""
    page = guests.comes()
    page.goto("/")
    address = page.locator("link[rel=manifest]").get_attribute("href") or ""
    manifest = page.request.get(address).json()
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    for icon in manifest["icons"]:
        size = page.evaluate(
            """async (address) => {
              const image = new Image();
              image.src = address;
              await image.decode();
              return `${image.naturalWidth}x${image.naturalHeight}`;
            }""",
            icon["src"],
        )
        assert icon["sizes"] in ("any", size)
