"""What moves when a turn is shown, what does not, and that all of the table shows the same moment."""

from datetime import datetime, timedelta
from typing import Any

from playwright.sync_api import Page, expect

from .guests import Guests
from .recorded import Lines, go_on, recorded, sit_at

BEGIN = datetime(2026, 5, 1, 12)
COUNT = """() => {
  globalThis.moved = 0;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...frames) {
    globalThis.moved += 1;
    return animate.apply(this, frames);
  };
}"""
"""Counts what is set in motion on a page."""
WAY = """body => {
  const [glide] = body.getAnimations().filter((animation) => animation.effect.getKeyframes()[0].transform);
  glide.pause();
  return [0, glide.effect.getTiming().duration].map((time) => {
    glide.currentTime = time;
    const { x, y, width, height } = body.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  });
}"""
"""Where something that glides begins and ends."""


def _at_the_first_turn(page: Page) -> Lines:
    page.add_init_script(f"({COUNT})()")
    lobby, first = recorded("solo")[:2]
    lines = sit_at(page, first["view"], [*lobby["events"], *first["events"]])
    page.locator(".turn").wait_for()
    return lines


def _both_play(lines: Lines) -> None:
    """The own turn, and Berta's answer: a tile to d5, a noble to d2, for two points."""
    both = recorded("solo")[2]
    go_on(lines, both["view"], both["events"])


def _centre(page: Page, selector: str) -> list[float]:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]


def _told(page: Page) -> dict[str, Any]:
    """What is said of Berta at this moment, in all places."""
    return {
        "log": page.locator(".log li").count(),
        "score": page.locator("button.seat .score").inner_text(),
        "parts": [row.locator("td").last.inner_text() for row in page.locator(".parts tbody tr").all()][:1],
        "since": page.locator(".since .one").count(),
    }


def test_a_tile_moves_to_its_square(guests: Guests) -> None:
    """From its space to its square; log, score and its parts tell of it when its points are counted."""
    page = guests.comes(moving=True)
    page.clock.install(time=BEGIN)
    lines = _at_the_first_turn(page)
    page.clock.pause_at(BEGIN + timedelta(hours=1))
    before = _told(page)
    _both_play(lines)
    body = page.locator(".flight .body:has(svg)")
    body.wait_for()
    start, end = body.evaluate(WAY)
    for there, wanted in ((start, "[data-space='6']"), (end, "[data-garden='1'] [data-square=d5]")):
        off = [abs(one - other) for one, other in zip(there, _centre(page, wanted), strict=True)]
        assert max(off) < 4, (wanted, there)
    assert _told(page) == {**before, "log": 1}  # the own turn, which is over
    page.clock.run_for(5000)
    expect(page.locator(".flight .body:has(svg)")).to_have_count(0)
    expect(page.locator("button.seat .score")).to_have_text("2")
    after = _told(page)
    assert (after["log"], after["since"]) == (2, 1) and before["score"] == "0"


def test_nothing_moves_where_the_system_asks_for_stillness(guests: Guests) -> None:
    """Whatever the game is set to: the turn is there at once, and nothing was set in motion."""
    page = guests.comes(preferences={"speed": "slow"})
    _both_play(_at_the_first_turn(page))
    expect(page.locator(".log li")).to_have_count(2)
    expect(page.locator("button.seat .score")).to_have_text("2")
    page.locator("[data-space][aria-disabled=false]").first.click()
    assert page.evaluate("[globalThis.moved, document.getAnimations().length]") == [0, 0]


def test_a_staged_tile_glides(guests: Guests) -> None:
    """Where motion is on, a tile that is chosen moves too: the count of the test above can fail."""
    page = guests.comes(moving=True)
    _at_the_first_turn(page)
    page.locator("[data-space][aria-disabled=false]").first.click()
    page.wait_for_function("globalThis.moved > 0")
