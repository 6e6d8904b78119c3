"""Addresses, the guest's cookie and the stored record: browser data that outlives an update.

The rest of the browser's storage is read by web/src/app/compatibility.test.ts.
"""

from http.cookies import SimpleCookie
from pathlib import Path

from sanssouci.server.ops.static_files import StaticFiles

from ..harness.server import InProcessServer
from ..workers.pools import run_with_timeout
from .generations import Generation

YEAR = 365 * 86_400


def test_every_address_shows_the_page(generation: Generation) -> None:
    """Every stored address opens the page; the fragment after ``#`` never reaches the server."""
    (generation.scratch / "assets").mkdir()
    (generation.scratch / "index.html").write_text("<title>Sanssouci</title>", encoding="utf-8")

    async def scenario() -> None:
        server = InProcessServer(generation.state)
        server.pages = StaticFiles.read(generation.scratch)
        await server.open()
        for address in generation.json("addresses.json"):
            answer = await server.client().request("GET", address.split("#")[0], accept="text/html")
            assert (answer.status_code, answer.text) == (200, "<title>Sanssouci</title>"), address
        await server.close()

    run_with_timeout(scenario())


def test_the_cookie_of_a_guest_is_the_same(tmp_path: Path, generation: Generation) -> None:
    """The cookie has the stored name, lasts a year and is sent to this site only."""
    stored = SimpleCookie(generation.json("secrets.json")["guests"]["Ada"]["cookie"])
    (name,) = stored

    async def scenario(server: InProcessServer, secure: str) -> None:
        await server.open()
        site = server.settings.public_url or "http://localhost:8017"
        answer = await server.client({"origin": site, "host": site.split("/")[-1]}).request(
            "POST", "/api/guests", {"name": "Ada"}
        )
        await server.close()
        assert answer.status_code == 201, answer.text
        cookie = SimpleCookie(answer.headers["set-cookie"])[name]
        assert (cookie["max-age"], cookie["path"], cookie["samesite"]) == (str(YEAR), "/", "lax")
        assert (
            cookie["httponly"] is True and cookie["domain"] == "" and bool(cookie["secure"]) == bool(secure)
        )

    run_with_timeout(scenario(InProcessServer(tmp_path / "plain"), ""))
    run_with_timeout(
        scenario(InProcessServer(tmp_path / "public", public_url="https://play.example.org"), "secure")
    )


def test_a_record_in_browser_storage_is_accepted(generation: Generation) -> None:
    """The server accepts the record that a page sends again after a reload."""
    stored = generation.json("browser-storage.json")["sessionStorage"]["sanssouci.record"]

    async def scenario() -> None:
        async with generation.server() as server:
            answer = await server.client().request(
                "POST", "/api/records/steps", content=stored.encode("utf-8")
            )
            assert answer.status_code == 200, answer.text

    run_with_timeout(scenario())
