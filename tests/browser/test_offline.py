"""The app without its server: it opens, says so, keeps drafts and reconnects. New versions are announced."""

import base64
import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from sanssouci.server.middleware.security_headers import CONTENT_SECURITY_POLICY
from sanssouci.server.ops.static_files import built_files

from ..harness.process import ServerProcess
from .recorded_tables import FULLEST, SECRET, TABLE, mock_json, replay, serve_table
from .statistics_data import many_games
from .visitors import TIMEOUT_MS, Visitors

WORKER_IS_ACTIVE = "navigator.serviceWorker.getRegistration().then(found => Boolean(found?.active))"
"""A promise of ``ready`` would never end if the installation failed."""
SETS = "caches.keys().then(names => names.filter(name => name.startsWith('sanssouci-pages-')).length)"
ONE_SET, TWO_SETS = (f"{SETS}.then(number => number === {number})" for number in (1, 2))
RULES = """caches.open('sanssouci-public').then(cache => cache.keys())
    .then(found => found.filter(({url}) => url.includes('rules')).length === 2)"""


@pytest.fixture
def server(chromium: str, tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that the test may stop. Its computer players need not be ready."""
    with ServerProcess(tmp_path / "tables.db", tmp_path / "log") as server:
        server.start()
        server.wait_until_ready("/health")
        yield server


def wait_until_stored(page: Page) -> None:
    """Wait until the app can be opened without its server."""
    wait_for(page, WORKER_IS_ACTIVE)
    wait_for(page, RULES)


def wait_for(page: Page, condition: str, timeout: int = TIMEOUT_MS) -> None:
    """Wait until a promise yields true. Playwright's own function would need ``unsafe-eval``."""
    page.evaluate(f"""new Promise((resolve, reject) => {{
        const poll = () => {condition}.then(met => met ? resolve() : setTimeout(poll, 50));
        poll();
        setTimeout(reject, {timeout}, new Error("it never came true"));
    }})""")


def test_the_app_opens_without_its_server(server: ServerProcess, browser: Browser) -> None:
    """Without its server the app opens, says so, has rules and replays, keeps drafts, and reconnects."""
    visitors = Visitors(server.url, browser)
    visitors.ignore_errors("Failed to load resource|ERR_|502")
    page = visitors.new_page(service_worker=True)
    page.goto("/")
    wait_until_stored(page)
    replay(page, "ravensburger-base-2", 5)
    page.goto("/boards")
    page.get_by_label("A new set from").select_option("bosquet")
    page.get_by_role("button", name="Start").click()
    page.locator("[data-complete]").wait_for()
    page.get_by_label("A new set from").select_option("")
    page.get_by_role("button", name="Start").click()
    page.locator("[data-problem]").wait_for()
    server.stop()

    page.goto("/")
    expect(page.locator("[data-offline]")).to_contain_text("No connection")
    expect(page.locator("h1")).to_have_text("Sanssouci")
    expect(page.locator(".toast")).to_have_count(0)
    expect(page.locator(".play")).to_have_count(0)  # it would fail
    page.locator("[data-offline]").get_by_role("button", name="Rules").click()
    expect(page.locator("[data-rule=R20]")).to_contain_text("noble")
    page.keyboard.press("Escape")
    page.goto("/scores")
    draft = page.locator(".result")
    expect(draft).to_contain_text("The server cannot be reached. Your entries are kept in this browser")
    expect(draft).not_to_contain_text("One moment")
    page.get_by_role("textbox", name="Name of seat 1").fill("Ada")
    page.goto("/replay")
    page.locator(".kept + .drop").wait_for()  # what works is first
    page.locator(".kept").get_by_role("button").click()
    expect(page.get_by_role("slider")).to_have_value("0")
    page.goto("/replay#turn=5")
    expect(page.locator(".replay")).to_be_visible()
    expect(page.get_by_role("slider")).to_have_value("5")
    page.goto("/boards")
    expect(page.get_by_role("button", name="Download the file")).to_be_enabled()  # it was checked before
    sets = page.get_by_role("combobox", name="Your boards")
    sets.select_option("1")
    page.locator("[data-square=b2]").click()
    expect(page.locator(".verdict")).to_contain_text("will be checked later")
    page.reload()
    sets.select_option("1")
    expect(page.locator("[data-count]")).to_have_attribute("data-count", "1")

    server.start()
    server.wait_until_ready("/health")
    expect(page.locator("[data-offline]")).to_have_count(0)
    expect(page.locator("[data-problem='boards.gardens.1.front']")).to_be_visible()
    page.goto("/scores")
    expect(page.locator(".result")).to_contain_text("Ada")
    expect(page.locator(".result")).not_to_contain_text("server")
    visitors.close()
    assert visitors.errors == []


@contextmanager
def unreachable(page: Page) -> Iterator[None]:
    """Let the page load, but no request to the API succeed."""

    def abort(route: Route) -> None:
        route.abort()

    page.route("**/api/**", abort)
    yield
    page.unroute("**/api/**", abort)


def needs_server(page: Page) -> Locator:
    return page.get_by_role("main").get_by_text("This page needs the server")


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("/statistics", ".key-figures"),
        ("/lessons", "main a[href^='/lessons/']"),
        ("/daily", ".today"),
        ("/learn", "main .button.main"),
        (f"/table/{TABLE}", "[data-garden]"),
        (f"/seat/{TABLE}#{SECRET}", "h1:text('Table not found')"),
    ],
)
def test_pages_load_once_the_server_answers(visitors: Visitors, path: str, content: str) -> None:
    """A page that needs the server says so, links to pages that do not, and loads when it answers."""
    visitors.ignore_errors("Failed to load resource")
    page = visitors.new_page()
    mock_json(page, "**/api/me", {"name": "Ada"})
    mock_json(page, "**/api/me/statistics", many_games())
    if "table" in path:
        mock_json(page, "**/api/me/tables*", {"tables": [{"table": TABLE, "your_chairs": [0]}]})
        serve_table(page, FULLEST)
    with unreachable(page):
        page.goto(path)
        expect(needs_server(page)).to_be_visible()
        expect(page.locator("[data-offline]").get_by_role("link", name="Score-keeper")).to_be_visible()
        expect(page.locator(content)).to_have_count(0)
        expect(page.locator(".toast")).to_have_count(0)
    expect(page.locator(content).first).to_be_visible()
    expect(page.locator("[data-offline]")).to_have_count(0)


def test_no_game_starts_without_the_server(visitors: Visitors) -> None:
    """A game can be set up, but starts only when the server answers."""
    visitors.ignore_errors("Failed to load resource")
    page = visitors.new_page()
    begin = page.locator("main form button.main")
    with unreachable(page):
        page.goto("/#new")
        expect(begin).to_be_disabled()
    expect(begin).to_be_enabled()


def test_rules_that_were_never_loaded(visitors: Visitors) -> None:
    """Without the server, and without stored rules, the dialog says why it is empty."""
    visitors.ignore_errors("Failed to load resource")
    page = visitors.new_page()
    with unreachable(page):
        page.goto("/rules")
        expect(page.locator("dialog[open] > p")).to_have_text(re.compile(r"^The server .+\.$"))


def test_a_connection_that_is_lost_between_pages(visitors: Visitors) -> None:
    """A page whose first request fails loads when the server answers."""
    visitors.ignore_errors("Failed to load resource")
    page = visitors.new_page()
    page.goto("/lessons")
    page.locator("main a[href^='/lessons/']").first.wait_for()
    with unreachable(page):
        page.locator("main a[href^='/lessons/']").first.click()
        expect(needs_server(page)).to_be_visible()
        expect(page.locator(".toast")).to_have_count(0)
    expect(page.locator("[data-garden]").first).to_be_visible()


def test_reconnecting_is_announced(visitors: Visitors) -> None:
    """The live region says that the server answers again, and is cleared after some seconds."""
    visitors.ignore_errors("Failed to load resource")
    page = visitors.new_page()
    page.clock.install()
    with unreachable(page):
        page.goto("/scores")
        expect(page.get_by_role("status")).to_contain_text("No connection to the server")
    expect(page.get_by_role("status")).to_contain_text("Connected to the server again.")
    page.clock.run_for(10_000)
    expect(page.get_by_role("status")).to_be_empty()


def test_the_offline_banner_leaves_a_replay_on_the_screen(visitors: Visitors) -> None:
    """On a desk the whole replay is in the window, below the banner."""
    visitors.ignore_errors("Failed to load resource")
    page = visitors.new_page((1440, 900))
    replay(page, "ravensburger-base-2", 5)
    with unreachable(page):
        page.get_by_role("button", name="Review", exact=True).click()
        expect(page.locator("[data-offline]")).to_be_visible()
        page.wait_for_function("() => document.documentElement.scrollHeight <= innerHeight")
        bottom = page.locator(".playback-controls").evaluate("it => it.getBoundingClientRect().bottom")
        assert bottom < 900


def test_nothing_personal_is_stored(server: ServerProcess, browser: Browser) -> None:
    """Only public answers are stored, and replays only until the guest is forgotten."""
    visitors = Visitors(server.url, browser)
    page = visitors.new_page(service_worker=True)
    page.goto("/")
    wait_until_stored(page)
    stored = """Promise.all(['sanssouci-public', 'sanssouci-replays'].map(name =>
        caches.open(name).then(cache => cache.keys()).then(found => found.map(({url}) => url))))"""
    request = """([method, path, body]) => fetch(path, {
        method, body, headers: {'Content-Type': 'application/json'}}).then(found => found.json())"""
    page.evaluate(request, ["POST", "/api/guests", '{"name": "Ada"}'])
    replay(page, "ravensburger-base-2", 5)
    public, replays = page.evaluate(stored)
    kinds = {re.sub(r"^.*?kept/\w+%20", "", url).replace("%2F", "/").partition("%3F")[0] for url in public}
    rules = [f"/api/editions/{edition}" for edition in ("ravensburger", "imperial")]
    expected = [f"{edition}/{what}" for edition in rules for what in ("words", "rules")]
    assert kinds == {"/api/editions", "/api/players", *expected}
    assert [url.partition("kept/")[2][:5] for url in replays] == ["guest", "steps", "file%"]
    page.evaluate(request, ["DELETE", "/api/me", None])
    page.goto("/")
    page.get_by_role("main").get_by_role("button").first.wait_for()
    assert page.evaluate(stored)[1] == []
    visitors.close()
    assert visitors.errors == []


def open_with_worker(page: Page) -> None:
    """Open the page and wait until its worker is installed."""
    page.goto("/")
    wait_for(page, WORKER_IS_ACTIVE)


class _Pages:
    """The files of the app in several versions. The API has no data, so that no server is needed."""

    def __init__(self) -> None:
        self.version = "1"
        built_files()  # reads them once, before many threads ask for them

    def content(self, path: str) -> bytes | None:
        name = path.partition("?")[0].removeprefix("/")
        if name.startswith("api/"):
            return b'{"name": null, "players": [], "tables": [], "editions": [], "boards": [], "motifs": {}}'
        if not name.startswith(("assets/", "sw.js")):
            return self._page()
        found = built_files().file(name)
        if found is None:
            return None
        return self._worker(found.body) if name == "sw.js" else found.body

    def _page(self) -> bytes:
        return built_files().index().body.replace(b"<head>", f'<head data-version="{self.version}">'.encode())

    def _worker(self, script: bytes) -> bytes:
        """The worker with the hash of this version's page."""
        hashes = [
            base64.b64encode(hashlib.sha256(page).digest())
            for page in (built_files().index().body, self._page())
        ]
        script = script.replace(hashes[0], hashes[1])
        return re.sub(
            rb"(version:)[`\"'][^`\"']*[`\"']", rb"\1`" + self.version.encode() + b"`", script, count=1
        )


class _Server(ThreadingHTTPServer):
    request_queue_size = 128
    """A worker fetches all files at once; the default of 5 drops some of them on a busy machine."""


@contextmanager
def _served(pages: _Pages) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = pages.content(self.path)
            kind = (
                "text/javascript"
                if ".js" in self.path
                else "text/css"
                if ".css" in self.path
                else "text/html"
            )
            self.send_response(404 if content is None else 200)
            self.send_header("content-type", kind)
            self.send_header("cache-control", "no-cache")
            self.send_header("content-security-policy", CONTENT_SECURITY_POLICY)
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *_: object) -> None:
            pass

    with _Server(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_new_version_is_announced_and_loaded_whole(chromium: str, browser: Browser) -> None:
    """A new version waits for a reload. A page keeps the files of its version until it is reloaded."""
    pages = _Pages()
    with _served(pages) as site:
        visitors = Visitors(site, browser)
        visitors.ignore_errors("Failed to load resource|ERR_")
        page = visitors.new_page(service_worker=True)
        open_with_worker(page)
        page.reload()
        version = page.locator("head")
        expect(version).to_have_attribute("data-version", "1")
        other = page.context.new_page()
        other.goto("/")
        assert page.evaluate(SETS) == 1

        pages.version = "2"
        page.evaluate("navigator.serviceWorker.ready.then(found => found.update())")
        wait_for(page, TWO_SETS)
        page.reload()
        expect(version).to_have_attribute("data-version", "1")
        page.get_by_role("button", name="Reload").click()
        expect(version).to_have_attribute("data-version", "2")
        assert page.evaluate(SETS) == 2, "another page has the old version"
        expect(other.locator("head")).to_have_attribute("data-version", "1")
        other.reload()
        expect(other.locator("head")).to_have_attribute("data-version", "2")
        other.reload()
        wait_for(other, ONE_SET)
        visitors.close()
    assert visitors.errors == []


def test_an_incomplete_version_is_not_stored(chromium: str, browser: Browser) -> None:
    """While a server is being updated, a page that does not fit the list of files is not stored."""

    class Changing(_Pages):
        def _page(self) -> bytes:
            return super()._page() + (b"<!-- newer -->" if self.version == "2" else b"")

        def _worker(self, script: bytes) -> bytes:
            return (
                super()
                ._worker(script)
                .replace(base64.b64encode(hashlib.sha256(self._page()).digest()), base64.b64encode(bytes(32)))
                if self.version == "2"
                else super()._worker(script)
            )

    pages = Changing()
    with _served(pages) as site:
        visitors = Visitors(site, browser)
        visitors.ignore_errors("Failed to load resource|ERR_|integrity")
        page = visitors.new_page(service_worker=True)
        open_with_worker(page)
        pages.version = "2"
        failed = """navigator.serviceWorker.ready.then(found => found.update().then(() =>
            new Promise(resolve => {
            const worker = found.installing;
            if (worker === null) resolve('redundant');
            else worker.onstatechange = () => resolve(worker.state);
            setTimeout(resolve, 60_000, 'nothing has happened');
        })))"""
        assert page.evaluate(failed) == "redundant"
        page.reload()
        expect(page.locator("head")).to_have_attribute("data-version", "1")
        visitors.close()
    assert visitors.errors == []
