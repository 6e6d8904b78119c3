"""Reviews in the browser, on a real server: asked for, waited for, read by keyboard, shared, deleted."""

import re

from playwright.sync_api import expect

from .guests import Guests
from .recorded import replay
from .reviewed import show_review


def test_a_record_is_reviewed_shared_and_deleted(guests: Guests) -> None:
    """From the replay: progress, then all that was found; who has the link sees it, its guest deletes it."""
    guests.forgive("status of 404")
    page = guests.comes()
    replay(page, "imperial-base-2", 3)
    page.get_by_role("button", name="Review").click()
    expect(page).to_have_url(re.compile("/review/[A-Za-z0-9_-]{43}$"))
    expect(page.get_by_role("progressbar").or_(page.locator("svg.graph"))).to_be_visible()
    expect(page.locator("svg.graph")).to_be_visible(timeout=300_000)
    expect(page.locator("polyline.course")).to_have_count(2)
    link = page.get_by_label("Link to this review").input_value()
    assert link == page.url
    friend = guests.comes()
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
    expect(friend.locator(".lost h1")).to_be_visible()


def test_the_graph_is_read_by_keyboard_and_as_a_table(guests: Guests) -> None:
    """The cursor goes from turn to turn and says the shares, which the table has too."""
    page = guests.comes()
    show_review(page, "imperial-rewards-boar-4")
    cursor = page.get_by_role("slider")
    cursor.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    said = cursor.get_attribute("aria-valuetext") or ""
    page.get_by_text("As a table").click()
    row = page.locator(".review table").first.locator("tbody tr").nth(2)
    assert said.startswith("Turn 2 of 72")
    assert [f"{share}%" for share in re.findall(r"(\d+)%", said)] == row.locator("td").all_inner_texts()


def test_a_missed_turn_opens_by_keyboard_with_both_gardens_and_why(guests: Guests) -> None:
    """Played and better side by side, and a reason."""
    page = guests.comes()
    show_review(page, "imperial-rewards-boar-4")
    turn = page.locator("details[data-turn]").first
    turn.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(turn.locator("figure figcaption b")).to_have_text(["Played", "Better"])
    expect(turn.locator(".why p").first).to_be_visible()


def _number(text: str) -> int:
    """Without its range."""
    return int(text.split("±", maxsplit=1)[0].strip().replace("−", "-"))


def test_a_turning_point_leads_to_its_turn_in_the_replay_and_back(guests: Guests) -> None:
    """The address names the review and the turn, so a reload comes back there."""
    page = guests.comes()
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
