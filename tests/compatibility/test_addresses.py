"""Addresses, the guest's cookie and the record in a browser: what outlives an update on the user's side.

The rest of the browser's storage is read by web/src/app/compatibility.test.ts.
"""

from http.cookies import SimpleCookie
from pathlib import Path

from sanssouci.server.ops.static_files import StaticFiles

from ..server.house import House, Person
from ..workers.pools import within
from .generations import Generation

YEAR = 365 * 86_400


def test_every_address_shows_the_page(generation: Generation) -> None:
    """Links open in a browser; what stands behind ``#`` never reaches the server."""
    (generation.scratch / "assets").mkdir()
    (generation.scratch / "index.html").write_text("<title>Sanssouci</title>", encoding="utf-8")

    async def story() -> None:
        house = House(generation.state)
        house.pages = StaticFiles.read(generation.scratch)
        await house.open()
        for address in generation.json("addresses.json"):
            answer = await house.nobody().ask("GET", address.split("#")[0], accept="text/html")
            assert (answer.status_code, answer.text) == (200, "<title>Sanssouci</title>"), address
        await house.close()

    within(story())


def test_the_cookie_of_a_guest_is_the_same(tmp_path: Path, generation: Generation) -> None:
    """Its name is the one that browsers have kept; it lasts a year and is sent to this site only."""
    kept = SimpleCookie(generation.json("secrets.json")["guests"]["Ada"]["cookie"])
    (name,) = kept

    async def story(house: House, secure: str) -> None:
        await house.open()
        site = house.settings.public_url or "http://localhost:8017"
        answer = await Person(house, {"origin": site, "host": site.split("/")[-1]}).ask(
            "POST", "/api/guests", {"name": "Ada"}
        )
        await house.close()
        assert answer.status_code == 201, answer.text
        cookie = SimpleCookie(answer.headers["set-cookie"])[name]
        assert (cookie["max-age"], cookie["path"], cookie["samesite"]) == (str(YEAR), "/", "lax")
        assert (
            cookie["httponly"] is True and cookie["domain"] == "" and bool(cookie["secure"]) == bool(secure)
        )

    within(story(House(tmp_path / "plain"), ""))
    within(story(House(tmp_path / "public", public_url="https://play.example.org"), "secure"))


def test_the_record_that_a_browser_holds_is_shown(generation: Generation) -> None:
    """After a reload the page sends it to the server again."""
    held = generation.json("browser-storage.json")["sessionStorage"]["sanssouci.record"]

    async def story() -> None:
        async with generation.server() as house:
            answer = await house.nobody().send("/api/records/steps", held.encode("utf-8"))
            assert answer.status_code == 200, answer.text

    within(story())
