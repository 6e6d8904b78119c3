"""Animation of turns: what moves, when, and that all parts of the table show the same moment."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from .page_player import PagePlayer
from .recorded_tables import Json, Sockets, game_at, open_table, recorded, send_update
from .visitors import PHONE, Size, Visitors

START = datetime(2026, 5, 1, 12)
FRAME_MS = 20
FORWARD_MS = 240
"""How long a garden takes to come forward (`web/src/game/animation.ts`)."""
COUNT_ANIMATIONS = """() => {
  globalThis.moved = 0;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...frames) {
    globalThis.moved += 1;
    return animate.apply(this, frames);
  };
}"""
"""Counts the animations of a page."""
PLACES = """() => {
  const parts = ".board .garden, .display, .own, .turn-area, .recent-turns, .log-panel, .score-table, footer";
  const places = [...document.querySelectorAll(parts)].map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [one.className, ...[x, y, width, height].map(Math.round)];
  });
  return JSON.stringify([scrollY, places]);
}"""
"""Where the parts of a table are."""
SETTLED = "() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null)))"
SIZES = ((320, 568), (360, 740), PHONE, (844, 390), (768, 1024), (1024, 768), (1440, 900))
END_POINTS = """body => {
  const [glide] = body.getAnimations().filter((animation) => animation.effect.getKeyframes()[0].transform);
  glide.pause();
  return [0, glide.effect.getTiming().duration].map((time) => {
    glide.currentTime = time;
    const { x, y, width, height } = body.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  });
}"""
"""The start and end of a moving element."""


def _open_first_turn(page: Page) -> Sockets:
    page.add_init_script(f"({COUNT_ANIMATIONS})()")
    lobby, first = recorded("solo")[:2]
    sockets = open_table(page, first["view"], [*lobby["events"], *first["events"]])
    page.locator(".turn").wait_for()
    return sockets


def _send_both_turns(sockets: Sockets) -> None:
    """Send the own turn and Berta's: a tile to d5 and a noble to d2, for two points."""
    both = recorded("solo")[2]
    send_update(sockets, both["view"], both["events"])


def _send_own_turn(sockets: Sockets) -> None:
    """Send the own turn only: Berta is to move."""
    first, both = (step["view"] for step in recorded("solo")[1:3])
    own = next(event for event in recorded("solo")[2]["events"] if event["type"] == "play")
    game = {**first["game"], "to_move": 1, "hand": both["game"]["hand"]}
    send_update(sockets, {**first, "seq": own["seq"], "game": game, "options": None, "waiting": [1]}, [own])


def _send_berta(sockets: Sockets) -> None:
    """Send Berta's turn."""
    both = recorded("solo")[2]
    send_update(sockets, both["view"], [event for event in both["events"] if event["type"] == "play"][1:])


def _centre(page: Page, selector: str) -> list[float]:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]


def _shown(page: Page) -> dict[str, Any]:
    """All parts of the page that show Berta's turn."""
    return {
        "log": page.locator(".log li").count(),
        "score": page.locator("button.seat .score").inner_text(),
        "parts": [row.locator("td").last.inner_text() for row in page.locator(".score-table tbody tr").all()][
            :1
        ],
        "since": page.locator(".recent-turns .entry").count(),
    }


def _come_forward(page: Page) -> None:
    """Wait until the garden has come forward, and let the turn begin."""
    expect(page.get_by_role("heading", level=1)).to_contain_text("Berta")
    page.clock.run_for(FRAME_MS)
    page.locator("button.seat.forward").evaluate(
        "seat => Promise.all(seat.getAnimations().map((one) => one.finished))"
    )
    page.clock.run_for(FORWARD_MS)


def _moving_piece(page: Page) -> Locator:
    """The piece that moves, once it is where its movement begins."""
    piece = page.locator(".moving-pieces .piece:has(svg)")
    piece.wait_for(state="attached")
    page.clock.run_for(FRAME_MS)
    piece.wait_for()
    return piece


def test_the_other_garden_comes_forward(visitors: Visitors) -> None:
    """It covers most of the own garden. Escape ends the scene, then it is the user's turn."""
    page = visitors.new_page(moving=True)
    page.clock.install(time=START)
    sockets = _open_first_turn(page)
    page.clock.pause_at(START + timedelta(hours=1))
    small = page.locator("button.seat").bounding_box()
    _send_both_turns(sockets)
    _come_forward(page)
    large, garden = (page.locator(part).bounding_box() for part in ("button.seat", ".board .garden"))
    assert small and large and garden
    assert large["width"] > 1.5 * small["width"] and large["height"] > 0.6 * garden["height"]
    expect(page.get_by_role("heading", level=1)).to_contain_text("Berta")
    page.keyboard.press("Escape")
    expect(page.locator("button.seat.forward")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_contain_text("your turn")


def test_on_a_phone_the_own_turn_comes_after_the_other(visitors: Visitors) -> None:
    """While another turn is shown, header and turn panel name its player. Then the own turn comes."""
    page = visitors.new_page(PHONE, moving=True)
    page.clock.install(time=START)
    sockets = _open_first_turn(page)
    page.clock.pause_at(START + timedelta(hours=1))
    _send_both_turns(sockets)
    page.locator(".peek").wait_for()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Berta to move")
    expect(page.locator(".awaited")).to_have_text("Berta to move")
    page.keyboard.press("Escape")
    expect(page.locator(".peek")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_contain_text("your turn")
    expect(page.locator(".turn .prompt")).to_contain_text("Choose a card")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_else_moves_while_another_turn_is_shown(visitors: Visitors, size: Size) -> None:
    """The garden comes forward, or is shown above the rest. When it is back, it is the own turn.

    No points float then. The own turn was staged before, which scrolls the smallest phones.
    """
    page = visitors.new_page(size, moving=True)
    page.clock.install(time=START)
    sockets = _open_first_turn(page)
    PagePlayer(page).stage()
    page.clock.pause_at(START + timedelta(hours=1))
    _send_own_turn(sockets)
    expect(page.locator(".awaited")).to_have_text("Berta to move")
    page.clock.run_for(2000)
    page.evaluate(SETTLED)
    before, middle = page.evaluate(PLACES), _centre(page, ".board .garden")
    _send_berta(sockets)
    title, points = page.get_by_role("heading", level=1), page.locator(".moving-pieces b")
    forward, back, seat = min(size) > 500, False, page.locator("button.seat")
    garden = page.locator("button.seat.forward" if forward else ".peek")
    page.clock.run_for(100)
    expect(garden).to_have_count(1)
    if forward:
        seat.evaluate("seat => Promise.all(seat.getAnimations().map((one) => one.finished))")
        assert page.evaluate(
            "(place) => document.elementFromPoint(...place).closest('.seat') !== null", middle
        )
    seen = 0
    while "Berta" in title.inner_text():
        assert page.evaluate(PLACES) == before
        expect(page.locator(".turn, [data-ask], [data-space][aria-disabled=false]")).to_have_count(0)
        seen = max(seen, points.count())
        if forward and garden.count() == 0:  # frames are not bound to the clock
            seat.evaluate("seat => Promise.all(seat.getAnimations().map((one) => one.finished))")
            back = True
        page.clock.run_for(2 * FRAME_MS)
    assert seen == 1 and back == forward
    expect(points).to_have_count(0)
    expect(garden).to_have_count(0)
    assert seat.evaluate("seat => getComputedStyle(seat).transform") in ("none", "matrix(1, 0, 0, 1, 0, 0)")


def test_the_panel_names_the_player_whose_turn_is_shown(visitors: Visitors) -> None:
    """Not the player who is to move after that."""
    page = visitors.new_page(PHONE, moving=True)
    view, events = game_at("imperial-rewards-boar-4", 1)
    plays = [event for event in events if event["type"] == "play"]
    own = next(event for event in reversed(plays) if event["chair"] == view["you"]["chair"])
    before = [event for event in events if event["seq"] <= own["seq"]]
    first = next(event for event in plays if event["seq"] > own["seq"])

    def waiting(seq: int, seat: int) -> Json:
        return {
            **view,
            "seq": seq,
            "game": {**view["game"], "to_move": seat},
            "options": None,
            "waiting": [seat],
        }

    page.clock.install(time=START)
    sockets = open_table(page, waiting(own["seq"], 0), before)
    expect(page.locator(".awaited")).to_have_text("Ada to move")
    page.clock.pause_at(START + timedelta(hours=1))
    send_update(sockets, waiting(first["seq"], 1), [first])
    page.locator(".peek").wait_for()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Ada to move")
    expect(page.locator(".awaited")).to_have_text("Ada to move")


def test_no_garden_comes_forward_where_that_is_switched_off(visitors: Visitors) -> None:
    """The setting leaves the turn animated, but in its small garden."""
    page = visitors.new_page(moving=True, preferences={"scenes": False})
    page.clock.install(time=START)
    sockets = _open_first_turn(page)
    page.clock.pause_at(START + timedelta(hours=1))
    _send_both_turns(sockets)
    _moving_piece(page)
    expect(page.locator("button.seat.forward")).to_have_count(0)


def test_a_tile_moves_to_its_square(visitors: Visitors) -> None:
    """A tile moves from its space to its square. Log and score change when its points are counted."""
    page = visitors.new_page(moving=True)
    page.clock.install(time=START)
    sockets = _open_first_turn(page)
    page.clock.pause_at(START + timedelta(hours=1))
    before = _shown(page)
    _send_both_turns(sockets)
    _come_forward(page)
    start, end = _moving_piece(page).evaluate(END_POINTS)
    for position, target in ((start, "[data-space='6']"), (end, "[data-garden='1'] [data-square=d5]")):
        distances = [abs(a - b) for a, b in zip(position, _centre(page, target), strict=True)]
        assert max(distances) < 4, (target, position)
    assert _shown(page) == {**before, "log": 1}  # the own turn, which is finished
    page.clock.run_for(5000)
    expect(page.locator(".moving-pieces .piece:has(svg)")).to_have_count(0)
    expect(page.locator("button.seat .score")).to_have_text("2")
    after = _shown(page)
    assert (after["log"], after["since"]) == (2, 1) and before["score"] == "0"


def test_a_tile_moves_in_the_garden_that_came_forward(visitors: Visitors) -> None:
    """If frames are late, the garden is where it goes before anything moves in it."""
    page = visitors.new_page(moving=True)
    page.clock.install(time=START)
    sockets = _open_first_turn(page)
    page.clock.pause_at(START + timedelta(hours=1))
    page.locator("button.seat").evaluate("seat => { seat.style.transitionDuration = '3600s'; }")
    _send_both_turns(sockets)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Berta")
    page.clock.run_for(FRAME_MS)
    page.clock.run_for(FORWARD_MS)
    _, end = _moving_piece(page).evaluate(END_POINTS)
    garden = page.locator(".board .garden").bounding_box()
    assert garden and garden["x"] < end[0] < garden["x"] + garden["width"]


def test_points_do_not_stay_behind_when_a_garden_goes_back(visitors: Visitors) -> None:
    """They rise in the garden that came forward, and would float above the own one."""
    page = visitors.new_page(moving=True)
    page.clock.install(time=START)
    sockets = _open_first_turn(page)
    page.clock.pause_at(START + timedelta(hours=1))
    _send_both_turns(sockets)
    _come_forward(page)
    points = page.locator(".moving-pieces b")
    while points.count() == 0:
        page.clock.run_for(FRAME_MS)
    points.evaluate_all("marks => marks.forEach((mark) => mark.getAnimations()[0].pause())")
    page.clock.run_for(5000)
    expect(points).to_have_count(0)


def test_reduced_motion_disables_animation(visitors: Visitors) -> None:
    """With reduced motion, the turn is shown at once without animation, whatever the game's setting."""
    page = visitors.new_page(preferences={"speed": "slow"})
    _send_both_turns(_open_first_turn(page))
    expect(page.locator(".log li")).to_have_count(2)
    expect(page.locator("button.seat .score")).to_have_text("2")
    page.locator("[data-space][aria-disabled=false]").first.click()
    assert page.evaluate("[globalThis.moved, document.getAnimations().length]") == [0, 0]


def test_a_staged_tile_is_animated(visitors: Visitors) -> None:
    """With animation on, a chosen tile moves, so the counter of animations works."""
    page = visitors.new_page(moving=True)
    _open_first_turn(page)
    page.locator("[data-space][aria-disabled=false]").first.click()
    page.wait_for_function("() => globalThis.moved > 0")
