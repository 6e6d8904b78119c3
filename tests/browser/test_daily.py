"""The daily garden: started with one click, resumed, and finished with a result to share."""

import json

from playwright.sync_api import expect

from .screens import SCREENS
from .test_statistics import play_on
from .visitors import Visitors


def test_a_daily_garden_from_start_to_result(visitors: Visitors) -> None:
    """The table can be resumed, and the copied result contains the points and the garden."""
    page = visitors.new_page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/")
    page.get_by_role("link", name="Daily garden").click()
    page.get_by_role("button", name="Play today").click()
    page.wait_for_url("**/table/*")
    table = page.url
    page.goto("/daily")
    page.get_by_role("link", name="Continue today").click()
    page.wait_for_url(table)
    view = play_on(page)
    seat = view["you"]["seat"]
    scores = [score["total"] for score in view["game"]["scores"]]
    page.get_by_role("link", name="your result").click()
    result = page.locator(".result p")
    expect(result).to_contain_text(f"{scores[seat]} : {scores[1 - seat]}")
    page.get_by_role("button", name="Copy result").click()
    pasted = page.evaluate("navigator.clipboard.readText()")
    lines = pasted.splitlines()
    assert result.inner_text().splitlines() == lines[:-7] and "127.0.0.1" not in pasted
    symbols = "".join(lines[-6:])
    garden = view["game"]["gardens"][seat]
    assert len(symbols) == 54 and len(symbols) - symbols.count("□") == len(garden["built"])
    assert symbols.count("▣") == len(garden["nobles"]) and symbols.count("▦") == len(garden["gardeners"])
    drawn = page.locator(".result svg")
    assert [drawn.locator(part).count() for part in ("rect", ".built", "circle", "path")] == [
        54,
        len(garden["built"]),
        len(garden["nobles"]),
        len(garden["gardeners"]),
    ]
    expect(page.locator(".days li")).to_have_count(1)
    stored = json.loads(page.evaluate("localStorage.getItem('sanssouci.daily')"))
    assert stored[0]["day"] == view["terms"]["daily"] and stored[0]["end"]["total"] == scores[seat]


def test_a_result_is_copied_by_keyboard_without_a_clipboard(visitors: Visitors) -> None:
    """Without TLS there is no clipboard: the text is shown and selected, each time."""
    page = visitors.new_page()
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    SCREENS["daily-over"](page)
    for _ in range(2):
        page.get_by_role("button", name="Copy result").click()
        selected = page.wait_for_function("() => getSelection().toString()").json_value()
        assert len(selected.splitlines()) >= 9 and "■" in selected
        page.get_by_role("heading", level=1).click()


def test_two_browsers_get_the_same_garden(visitors: Visitors) -> None:
    """Two browsers get separate tables with the same deal."""
    views = []
    for _ in range(2):
        page = visitors.new_page()
        page.goto("/daily")
        page.get_by_role("button", name="Play today").click()
        page.wait_for_url("**/table/*")
        views.append(play_on(page, turns=3))
    one, other = views
    assert one["table"] != other["table"] and one["commitment"] == other["commitment"]
    assert [chair["seat"] for chair in one["chairs"]] == [chair["seat"] for chair in other["chairs"]]
    assert one["game"]["hand"] == other["game"]["hand"]
    assert one["game"]["display"] == other["game"]["display"]
