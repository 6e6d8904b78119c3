"""Reviews on a real server: requested, awaited, read by keyboard, shared, deleted."""

import re

from playwright.sync_api import expect

from .recorded_tables import replay, show_review
from .visitors import Visitors


def test_a_record_is_reviewed_shared_and_deleted(visitors: Visitors) -> None:
    """A review shows progress and result, can be read by link, and is deleted by its owner."""
    visitors.ignore_errors("status of 404")
    page = visitors.new_page()
    replay(page, "imperial-base-2", 3)
    page.get_by_role("button", name="Review").click()
    expect(page).to_have_url(re.compile("/review/[A-Za-z0-9_-]{43}$"))
    expect(page.get_by_role("progressbar").or_(page.locator("svg.graph"))).to_be_visible()
    expect(page.locator("svg.graph")).to_be_visible(timeout=300_000)
    expect(page.locator("polyline.course")).to_have_count(2)
    link = page.get_by_label("Link to this review").input_value()
    assert link == page.url
    friend = visitors.new_page()
    friend.goto(link)
    expect(friend.locator("svg.graph")).to_be_visible()
    expect(friend.get_by_role("button", name="Delete this review")).to_have_count(0)
    parts = [friend.locator(f"td[data-part={part}]") for part in ("start", "skill", "others", "luck", "end")]
    for seat in range(2):
        *most, end = [_number(part.nth(seat).inner_text()) for part in parts]
        assert sum(most) == end
    page.get_by_role("button", name="Delete this review").click()
    page.get_by_role("button", name="Delete for good").click()
    expect(page).to_have_url(re.compile("/$"))
    friend.reload()
    expect(friend.locator("svg.graph")).to_have_count(0)
    expect(friend.locator(".error-page h1")).to_be_visible()


def test_the_graph_by_keyboard_and_as_a_table(visitors: Visitors) -> None:
    """Arrow keys move the cursor and announce the shares, which equal those of the table."""
    page = visitors.new_page()
    show_review(page, "imperial-rewards-boar-4")
    cursor = page.get_by_role("slider")
    cursor.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    announced = cursor.get_attribute("aria-valuetext") or ""
    page.get_by_text("As a table").click()
    row = page.locator(".review table").first.locator("tbody tr").nth(2)
    assert announced.startswith("Turn 2 of 72")
    assert [f"{share}%" for share in re.findall(r"(\d+)%", announced)] == row.locator("td").all_inner_texts()


def test_a_missed_turn_is_explained(visitors: Visitors) -> None:
    """A missed turn opens by keyboard and shows the played and better gardens with a reason."""
    page = visitors.new_page()
    show_review(page, "imperial-rewards-boar-4")
    turn = page.locator("details[data-turn]").first
    turn.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(turn.locator("figure figcaption b")).to_have_text(["Played", "Better"])
    expect(turn.locator(".why p").first).to_be_visible()


def _number(text: str) -> int:
    """The number before its confidence range."""
    return int(text.split("±", maxsplit=1)[0].strip().replace("−", "-"))


def test_a_turning_point_links_to_the_replay(visitors: Visitors) -> None:
    """The link opens the turn in the replay, survives a reload, and leads back to the review."""
    page = visitors.new_page()
    show_review(page, "imperial-rewards-boar-4")
    review = page.url
    page.get_by_role("link", name="See this turn in the replay").first.click()
    page.locator(".replay").wait_for()
    found = re.search(r"/replay#review=([A-Za-z0-9_-]{43})&turn=(\d+)$", page.url)
    assert found is not None and review.endswith(found[1])
    page.reload()
    expect(page.get_by_role("heading", name=f"Turn {found[2]} of 72", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Continue from here")).to_have_count(0)
    page.get_by_role("button", name="Back to the review").click()
    expect(page).to_have_url(review)
    expect(page.locator("svg.graph")).to_be_visible()
