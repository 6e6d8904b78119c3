"""Forgetting: the settings delete the guest from the server."""

from playwright.sync_api import expect

from .page_player import PagePlayer
from .visitors import Visitors, text_on_screen


def test_the_server_forgets_the_guest(visitors: Visitors) -> None:
    """The settings say what is lost and ask again; then the guest and this browser’s links are gone."""
    page = visitors.new_page()
    PagePlayer(page).begin()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Forget me").click()
    expect(text_on_screen(page, "a stand-in plays for you")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    assert page.request.get("/api/me").json()["name"] is not None
    page.get_by_role("button", name="Forget me").click()
    page.get_by_role("button", name="Forget me for good").click()
    expect(text_on_screen(page, "This server has forgotten you.")).to_be_visible()
    expect(page).to_have_url(visitors.site + "/")
    assert page.request.get("/api/me").json()["name"] is None
    assert page.evaluate("localStorage.getItem('sanssouci.links')") == "[]"
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("button", name="Forget me")).to_have_count(0)
