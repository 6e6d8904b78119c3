"""Dragging a tile to its square and a noble to its stop, by mouse and by finger."""

from playwright.sync_api import Locator, Page, expect

from .page_player import PagePlayer
from .recorded_tables import game_at, open_table
from .visitors import PHONE, Size, Visitors


def table(visitors: Visitors, size: Size | None = None) -> PagePlayer:
    page = visitors.new_page(size) if size else visitors.new_page()
    open_table(page, *game_at("ravensburger-2", 1))
    page.locator(".turn").wait_for()
    return PagePlayer(page)


def centre(thing: Locator) -> tuple[float, float]:
    box = thing.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def grab(page: Page, thing: Locator) -> None:
    """Begin to drag with the mouse."""
    x, y = centre(thing)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 12, y)
    page.locator(".drag-ghost").wait_for(state="attached")


def drop(page: Page, thing: Locator) -> None:
    page.mouse.move(*centre(thing))
    page.mouse.up()
    expect(page.locator(".drag-ghost")).to_have_count(0)


def test_a_turn_is_staged_by_dragging_with_the_mouse(visitors: Visitors) -> None:
    """Legal squares light up, an illegal drop explains itself, and Escape cancels."""
    player = table(visitors)
    page, tile = player.page, player.spaces.first
    grab(page, tile)
    page.locator("[data-target]").first.wait_for()
    drop(page, page.locator("[data-square]:not([data-target])").last)
    expect(page.locator(".toast.bad")).to_be_visible()
    grab(page, tile)
    page.keyboard.press("Escape")
    expect(page.locator(".drag-ghost")).to_have_count(0)
    page.mouse.up()
    assert all(value in ("", "–") for value in player.staged()), "nothing was chosen"

    grab(page, tile)
    square = page.locator("[data-target]").first
    name = square.get_attribute("data-square")
    drop(page, square)
    expect(page.locator(f".laid[data-square={name}]")).to_have_count(1)
    noble = page.locator(".garden[data-garden] [data-door]:has(svg)").first
    column = noble.get_attribute("data-door")
    cloth = noble.locator(".base").evaluate("(one) => getComputedStyle(one).fill")
    grab(page, noble)
    ghost = page.locator(".drag-ghost .base").evaluate("(one) => getComputedStyle(one).fill")
    assert ghost == cloth, "a dragged noble keeps its colour"
    other = page.locator(f".garden[data-garden] [data-square]:not([data-square^={column}])").first
    drop(page, other)
    expect(page.locator(".toast.bad")).to_contain_text("own column")


def test_only_the_noble_of_a_staged_square_is_dragged(visitors: Visitors) -> None:
    """It is drawn in front of the square, whose picture stays where it is."""
    player = table(visitors)
    player.stage()
    page = player.page
    grab(page, page.locator("[role=gridcell].staged:not(.laid)"))
    ghost = page.locator(".drag-ghost")
    expect(ghost.locator("svg")).to_have_count(1)
    expect(ghost.locator("[data-seat]")).to_have_count(1)
    page.keyboard.press("Escape")


def test_dragging_while_another_player_is_on_turn(visitors: Visitors) -> None:
    """A tile that is dropped then is explained, as a click is."""
    page = visitors.new_page()
    view, events = game_at("ravensburger-2", 1)
    other = {**view["game"], "to_move": 1 - view["you"]["seat"]}
    open_table(page, {**view, "game": other, "options": None, "waiting": []}, events)
    page.locator(".awaited, .staging h2").first.wait_for()
    grab(page, page.locator("[data-space]").first)
    drop(page, page.locator(".garden[data-garden] [data-square=e4]"))
    expect(page.locator(".toast")).to_contain_text("not your turn")


def test_a_tile_is_dragged_with_a_finger_and_the_page_still_scrolls(visitors: Visitors) -> None:
    """A finger that holds a tile drags it. One that moves at once scrolls the page."""
    player = table(visitors, PHONE)
    page, tile = player.page, player.spaces.first
    touch = page.context.new_cdp_session(page)

    def finger(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    start = centre(tile)
    finger("touchStart", start)
    page.locator(".drag-ghost").wait_for(state="attached")
    square = page.locator("[data-target]").first
    name, goal = square.get_attribute("data-square"), centre(square)
    for share in (0.25, 0.5, 0.75, 1.0):
        x, y = (share * end + (1 - share) * begin for begin, end in zip(start, goal, strict=True))
        finger("touchMove", (x, y))
    finger("touchEnd")
    expect(page.locator(f".laid[data-square={name}]")).to_have_count(1)
    assert page.evaluate("scrollY") == 0

    x, y = centre(tile)
    finger("touchStart", (x, y))
    for distance in range(10, 200, 20):
        finger("touchMove", (x, y - distance))
    finger("touchEnd")
    page.wait_for_function("() => scrollY > 0")
    expect(page.locator(".drag-ghost")).to_have_count(0)
