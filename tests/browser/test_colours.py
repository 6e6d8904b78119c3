"""Colours: picked when joining, changed in the lobby, shown in the game."""

import json
import re

from playwright.sync_api import Locator, Page, expect

from .recorded_tables import RECORDS
from .socket_traffic import SocketProxy
from .test_multiplayer import set_up
from .visitors import PHONE, Visitors, last_game, text_on_screen


def _colour(page: Page, name: str, chair: int | None = None) -> Locator:
    group = page.get_by_role("group", name="Your colour" if chair is None else f"Colour of chair {chair}")
    return group.get_by_role("radio", name=re.compile(rf"^{name}\b"))


def _chair_colours(page: Page) -> list[str | None]:
    """The colours of the chairs in a lobby."""
    page.locator(".chair .icon").first.wait_for()
    return [sign.get_attribute("data-colour") for sign in page.locator(".chair .icon").all()]


def _stored_colour(page: Page) -> object:
    return page.evaluate("JSON.parse(localStorage.getItem('sanssouci.preferences')).colour")


def test_two_guests_pick_their_colours(visitors: Visitors) -> None:
    """A person's colour cannot be taken, a computer's can. The game shows the chosen colours."""
    owner, friend = (
        visitors.new_page(preferences={**last_game("person", "open", "level:1"), "colour": "teal"}),
        visitors.new_page(size=PHONE),
    )
    set_up(owner)
    assert _chair_colours(owner) == ["teal", None, "red"]
    friend.goto(owner.get_by_role("textbox", name="Invite").input_value())
    friend.get_by_role("textbox", name="name").fill("Berta")
    expect(_colour(friend, "teal")).to_be_disabled()
    expect(_colour(friend, "teal")).to_have_accessible_name(re.compile("^teal: .+ has it$"))
    expect(_colour(friend, "blue")).to_be_checked()
    _colour(friend, "red").check()
    friend.get_by_role("button", name="Take a seat").click()
    friend.wait_for_url("**/table/*")
    expect(_colour(friend, "red", 2)).to_be_checked()
    expect(_colour(owner, "red", 1)).to_be_disabled()
    assert _chair_colours(owner) == _chair_colours(friend) == ["teal", "red", "blue"], (
        "the computer player gets a free colour"
    )
    _colour(friend, "red", 2).press("ArrowRight")
    expect(_colour(friend, "blue", 2)).to_be_checked()
    expect(owner.locator(".chair .icon").last).to_have_attribute("data-colour", "red")
    owner.get_by_role("button", name="Change Chair 3").click()
    _colour(owner, "grey", 3).check()
    expect(friend.locator(".chair .icon").last).to_have_attribute("data-colour", "grey")
    assert (_stored_colour(owner), _stored_colour(friend)) == ("teal", "blue"), (
        "the choice for the next table"
    )
    for page in (owner, friend):
        page.get_by_role("button", name="ready").click()
    for page in (owner, friend):
        page.locator("[data-phase]").wait_for()
        assert _seat_colours(page) == ["blue", "grey", "teal"]


def _seat_colours(page: Page) -> list[str]:
    """The colours of the seats in the game, sorted."""
    script = "seat => document.documentElement.style.getPropertyValue(`--seat-${seat}`)"
    return sorted(re.findall(r"--seat-([a-z]+)", " ".join(page.evaluate(script, seat) for seat in range(3))))


def test_people_who_share_a_screen_pick_colours_in_the_setup(visitors: Visitors) -> None:
    """Each picks another colour, which is remembered for the next game. Other pages keep the defaults."""
    page = visitors.new_page(preferences=last_game("person", "person"))
    page.goto("/#new")
    expect(_colour(page, "red", 2)).to_be_disabled()
    _colour(page, "violet", 2).check()
    expect(_colour(page, "violet", 1)).to_be_disabled()
    _colour(page, "grey", 1).check()
    page.locator("main form button.main").click()
    page.wait_for_url("**/table/*")
    page.locator("[data-phase], .pass-device").first.wait_for()
    assert _seat_colours(page) == ["grey", "violet"]
    page.goto("/#new")
    expect(_colour(page, "grey", 1)).to_be_checked()
    expect(_colour(page, "violet", 2)).to_be_checked()
    assert _seat_colours(page) == []


def test_a_colour_taken_meanwhile_is_refused(visitors: Visitors) -> None:
    """The page shows the reason, and the own colour stays selected."""
    page, friend = visitors.new_page(preferences=last_game("person", "open")), visitors.new_page()
    proxy = SocketProxy(page)
    set_up(page)
    friend.goto(page.get_by_role("textbox", name="Invite").input_value())
    _colour(friend, "teal").check()
    proxy.hold()
    friend.get_by_role("button", name="Take a seat").click()
    friend.wait_for_url("**/table/*")
    _colour(page, "teal", 1).check()
    proxy.release()
    expect(text_on_screen(page, "Someone at the table already has that colour.")).to_be_visible()
    expect(_colour(page, "red", 1)).to_be_checked()
    expect(_colour(page, "teal", 1)).to_be_disabled()


def test_replays_and_reviews_have_the_colours_of_the_game(visitors: Visitors) -> None:
    """The record of a table holds them. Other pages have the usual ones."""
    page = visitors.new_page()
    record = json.loads((RECORDS / "imperial-rewards-2.json").read_text())
    for seat, colour in zip(record["seats"], ("teal", "red"), strict=True):
        seat["colour"] = colour
    page.goto("/replay")
    page.get_by_role("textbox").fill(json.dumps(record))
    page.get_by_role("button", name="Show").click()
    page.locator(".replay").wait_for()
    assert _seat_colours(page) == ["red", "teal"]
    page.get_by_role("button", name="Review").click()
    page.wait_for_url("**/review/*")
    page.locator(".review svg").first.wait_for()
    assert _seat_colours(page) == ["red", "teal"]
    page.goto("/")
    assert _seat_colours(page) == []
