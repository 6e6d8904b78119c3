"""Everyone at a table has a colour: picked on the way in, changed before the game, worn in it."""

import re

from playwright.sync_api import Locator, Page, expect

from .guests import PHONE, Guests, last_game
from .post import Line
from .test_company import set_up


def _colour(page: Page, name: str, chair: int | None = None) -> Locator:
    group = page.get_by_role("group", name="Your colour" if chair is None else f"Colour of chair {chair}")
    return group.get_by_role("radio", name=re.compile(rf"^{name}\b"))


def _worn(page: Page) -> list[str | None]:
    """The colours of the chairs in a lobby."""
    page.locator(".chair .sign").first.wait_for()
    return [sign.get_attribute("data-colour") for sign in page.locator(".chair .sign").all()]


def _kept(page: Page) -> object:
    return page.evaluate("JSON.parse(localStorage.getItem('sanssouci.preferences')).colour")


def test_two_guests_pick_their_colours(guests: Guests) -> None:
    """One that a person has cannot be taken, a computer player gives its own away; all are worn then."""
    owner, friend = (
        guests.comes(preferences={**last_game("person", "open", "level:1"), "colour": "teal"}),
        guests.comes(size=PHONE),
    )
    set_up(owner)
    assert _worn(owner) == ["teal", None, "red"]
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
    assert _worn(owner) == _worn(friend) == ["teal", "red", "blue"], "the computer player has what was left"
    _colour(friend, "red", 2).press("ArrowRight")
    expect(_colour(friend, "blue", 2)).to_be_checked()
    expect(owner.locator(".chair .sign").last).to_have_attribute("data-colour", "red")
    owner.get_by_role("button", name="Change Chair 3").click()
    _colour(owner, "grey", 3).check()
    expect(friend.locator(".chair .sign").last).to_have_attribute("data-colour", "grey")
    assert (_kept(owner), _kept(friend)) == ("teal", "blue"), "the wish for the next table"
    for page in (owner, friend):
        page.get_by_role("button", name="ready").click()
    for page in (owner, friend):
        page.locator("[data-phase]").wait_for()
        assert _of_seats(page) == ["blue", "grey", "teal"]


def _of_seats(page: Page) -> list[str]:
    """In what the seats are painted, sorted."""
    script = "seat => document.documentElement.style.getPropertyValue(`--seat-${seat}`)"
    return sorted(re.findall(r"--seat-([a-z]+)", " ".join(page.evaluate(script, seat) for seat in range(3))))


def test_people_at_one_screen_pick_theirs_when_the_game_is_set_up(guests: Guests) -> None:
    """Each another one; by the next game they are remembered, and elsewhere seats are as they always are."""
    page = guests.comes(preferences=last_game("person", "person"))
    page.goto("/#new")
    expect(_colour(page, "red", 2)).to_be_disabled()
    _colour(page, "violet", 2).check()
    expect(_colour(page, "violet", 1)).to_be_disabled()
    _colour(page, "grey", 1).check()
    page.locator("main form button.main").click()
    page.wait_for_url("**/table/*")
    page.locator("[data-phase], .curtain").first.wait_for()
    assert _of_seats(page) == ["grey", "violet"]
    page.goto("/#new")
    expect(_colour(page, "grey", 1)).to_be_checked()
    expect(_colour(page, "violet", 2)).to_be_checked()
    assert _of_seats(page) == []


def test_a_colour_that_somebody_was_quicker_to_take_is_refused_in_a_sentence(guests: Guests) -> None:
    """And the own one is still shown as chosen."""
    page, friend = guests.comes(preferences=last_game("person", "open")), guests.comes()
    line = Line(page)
    set_up(page)
    friend.goto(page.get_by_role("textbox", name="Invite").input_value())
    _colour(friend, "teal").check()
    line.hold()
    friend.get_by_role("button", name="Take a seat").click()
    friend.wait_for_url("**/table/*")
    _colour(page, "teal", 1).check()
    line.release()
    expect(page.get_by_text("Someone at the table already has that colour.")).to_be_visible()
    expect(_colour(page, "red", 1)).to_be_checked()
    expect(_colour(page, "teal", 1)).to_be_disabled()
