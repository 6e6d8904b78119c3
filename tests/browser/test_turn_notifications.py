"""Turn notifications: sounds, the page title, and browser notifications."""

import json
import re
from time import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .page_player import PagePlayer
from .recorded_tables import game_at, mock_json, open_table
from .visitors import Visitors, last_game

RECORD_SOUNDS = """
  window.sounds = [];
  for (const source of [OscillatorNode, AudioBufferSourceNode]) {
    const start = source.prototype.start;
    source.prototype.start = function (...when) {
      sounds.push(source.name);
      return start.apply(this, when);
    };
  }
"""
"""Records every tone and every noise."""
TONE, NOISE = "OscillatorNode", "AudioBufferSourceNode"
HIDE_PAGE = "Object.defineProperty(document, 'hidden', { get: () => true })"
RECORD_NOTIFICATIONS = """
  window.notices = [];
  window.Notification = class {
    static permission = "granted";
    static requestPermission = async () => "granted";
    constructor(title, options) { notices.push({ title, ...options }); }
    close() {}
  };
"""


def _sounds(page: Page) -> list[str]:
    sounds: list[str] = page.evaluate("sounds.splice(0)")
    return sounds


def _open_game(visitors: Visitors, **preferences: Any) -> PagePlayer:
    page = visitors.new_page(preferences=preferences)
    page.add_init_script(RECORD_SOUNDS)
    open_table(page, *game_at("ravensburger-2", 1))
    player = PagePlayer(page)
    player.wait_for_turn()
    return player


def test_sounds_of_staging_a_turn(visitors: Visitors) -> None:
    """Staging a tile or a noble makes a sound; choosing a card does not."""
    player = _open_game(visitors)
    player.cards.last.click()
    player.page.wait_for_function("() => navigator.userActivation.hasBeenActive")
    assert _sounds(player.page) == []
    player.spaces.first.click()
    player.page.wait_for_function("() => sounds.length >= 2")
    assert sorted(_sounds(player.page)) == [NOISE, TONE]
    player.choose("noble")
    player.page.wait_for_function("() => sounds.length >= 1")
    assert set(_sounds(player.page)) == {NOISE}


@pytest.mark.parametrize("preferences", [{"sound": False}, {"volume": 0}])
def test_sound_can_be_turned_off(visitors: Visitors, preferences: dict[str, Any]) -> None:
    """There is no sound if it is off or at volume 0."""
    player = _open_game(visitors, **preferences)
    player.stage()
    assert _sounds(player.page) == []


def test_sound_settings(visitors: Visitors) -> None:
    """Changing the volume plays a sound. Without sound, the volume is disabled."""
    page = visitors.new_page()
    page.add_init_script(RECORD_SOUNDS)
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    volume = page.get_by_role("slider", name="Volume")
    volume.fill("80")
    page.wait_for_function("() => sounds.length >= 2")
    page.get_by_role("checkbox", name="Sound").click()
    expect(volume).to_be_disabled()
    stored = json.loads(page.evaluate("localStorage.getItem('sanssouci.preferences')"))
    assert (stored["sound"], stored["volume"]) == (False, 80)


def test_notifications_at_the_own_turn(visitors: Visitors) -> None:
    """The own turn rings a bell, changes the title, and notifies if the page is hidden."""
    page = visitors.new_page(preferences={**last_game("person", "level:1"), "calls": True})
    for script in (RECORD_SOUNDS, RECORD_NOTIFICATIONS):
        page.add_init_script(script)
    player = PagePlayer(page)
    player.begin()
    player.wait_for_turn()
    expect(page).to_have_title("▶ Your turn – Sanssouci")
    player.stage()
    page.evaluate(HIDE_PAGE)
    _sounds(page)
    page.evaluate("notices.splice(0)")
    before = player.log_length()
    player.confirm()
    player.wait_for_log(before + 2)
    player.wait_for_turn()
    page.wait_for_function("() => notices.length > 0 && sounds.length >= 3")
    [notice] = page.evaluate("notices")
    assert notice["title"] == "Your turn" and notice["tag"] in page.url
    assert _sounds(page) == [TONE, TONE, TONE]
    page.goto("/")
    expect(page).to_have_title("(1) Sanssouci")


def test_notifications_on_other_pages(visitors: Visitors) -> None:
    """On every page, the title counts waiting tables, and a new one notifies."""
    page = visitors.new_page(preferences={"calls": True})
    for script in (RECORD_SOUNDS, RECORD_NOTIFICATIONS):
        page.add_init_script(script)
    tables = [
        _listed_table("a" * 16, your_turn=True),
        _listed_table("b" * 16),
        _listed_table("c" * 16, stage="lobby"),
    ]
    mock_json(page, "**/api/me", {"name": "Ada"})
    page.route("**/api/me/tables*", lambda route: route.fulfill(json={"tables": tables, "next": None}))
    mock_json(page, "**/api/tables/*", game_at("ravensburger-2", 1)[0])  # asked for offers
    page.clock.install()
    page.goto("/")
    expect(page).to_have_title("(1) Sanssouci")
    expect(page.locator(".own .turn")).to_have_text(["Your turn"])
    expect(page.locator(".own a").first).to_contain_text("3 days left")
    page.locator(".menu-links a").first.click()
    expect(page).to_have_title(re.compile(r"^\(1\) .+ – Sanssouci"))
    page.evaluate(HIDE_PAGE)
    tables[1]["your_turn"] = tables[2]["your_turn"] = True
    page.clock.run_for(61_000)
    expect(page).to_have_title(re.compile(r"^\(3\) "))
    assert [notice["tag"] for notice in page.evaluate("notices")] == ["b" * 16]
    page.go_back()
    expect(page.locator(".own .turn")).to_have_text(["Your turn", "Your turn", "Get ready"])


def _listed_table(table: str, stage: str = "playing", your_turn: bool = False) -> dict[str, Any]:
    """A table in the list of the user's tables."""
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


def test_unsupported_notifications_are_turned_off(visitors: Visitors) -> None:
    """If the browser cannot show notifications, the setting is turned off with a message."""
    page = visitors.new_page(preferences={**last_game("person", "level:1"), "calls": True})
    page.add_init_script(
        RECORD_NOTIFICATIONS.replace("notices.push(", 'throw new TypeError("Illegal constructor");(')
    )
    player = PagePlayer(page)
    player.begin()
    player.wait_for_turn()
    player.stage()
    page.evaluate(HIDE_PAGE)
    before = player.log_length()
    player.confirm()
    player.wait_for_log(before + 2)
    expect(page.locator(".toast")).to_contain_text("cannot show notifications")
    assert page.evaluate("JSON.parse(localStorage.getItem('sanssouci.preferences')).calls") is False


def test_denied_notifications_stay_off(visitors: Visitors) -> None:
    """If notifications are denied, the setting stays off with a message."""
    page = visitors.new_page()
    page.add_init_script(RECORD_NOTIFICATIONS.replace('async () => "granted"', 'async () => "denied"'))
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    checkbox = page.get_by_role("checkbox", name="Notify me")
    checkbox.click()
    message = page.get_by_role("paragraph").filter(has_text="does not allow notifications")
    expect(page.get_by_role("dialog").locator(message)).to_be_visible()
    expect(checkbox).not_to_be_checked()


def test_the_game_can_be_installed(visitors: Visitors) -> None:
    """The manifest and all its icons exist, with the stated sizes."""
    page = visitors.new_page()
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
