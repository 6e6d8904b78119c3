"""Slow and failing connections: the page reports them."""

from playwright.sync_api import Route, expect

from .page_player import PagePlayer
from .socket_traffic import SocketProxy
from .visitors import Visitors


def test_a_silent_server_is_reported(visitors: Visitors) -> None:
    """The page reports a silent server, and stops when it answers again."""
    page = visitors.new_page()
    proxy, player = SocketProxy(page), PagePlayer(page)
    player.begin()
    player.wait_for_turn()
    expect(page.locator(".silent")).to_have_count(0)
    proxy.hold()
    expect(page.locator(".silent")).to_have_text("Waiting for the server…")
    proxy.release()
    expect(page.locator(".silent, .connection")).to_have_count(0)


def test_a_page_that_fails_to_load(visitors: Visitors) -> None:
    """A page whose script fails to load shows an error, and works after a reload."""
    visitors.ignore_errors("ERR_FAILED")
    page = visitors.new_page()
    page.goto("/")
    page.route("**/assets/features-*", lambda route: route.abort())
    page.get_by_role("link", name="Score-keeper").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("This page did not load")
    page.unroute("**/assets/features-*")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Score a real game")
    assert "keeper." not in page.locator("main").inner_text()


def test_changing_the_language_while_texts_load(visitors: Visitors) -> None:
    """Changing the language while texts load never shows text keys."""
    page = visitors.new_page()
    page.goto("/")
    pending: list[Route] = []
    page.route("**/assets/features-*", lambda route, _request: pending.append(route))
    with page.expect_request("**/assets/features-en*"):
        page.get_by_role("link", name="Score-keeper").click()
    with page.expect_request("**/assets/features-fr*"):
        page.get_by_role("combobox", name="Language").select_option("fr")
    assert page.locator(".result").count() == 0
    for route in pending:
        route.continue_()
    page.locator(".result table").wait_for()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    assert "keeper." not in page.locator("main").inner_text()
