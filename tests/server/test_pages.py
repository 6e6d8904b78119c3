"""The pages of the browser game as a browser asks for them: caching, packing, addresses, and no more."""

import gzip
import re
from pathlib import Path

import pytest

from sanssouci.locale import LANGUAGES, UserError
from sanssouci.server.limits.rate_limits import Limit, read_rates
from sanssouci.server.ops.static_files import StaticFiles, built_files
from sanssouci.server.routes.spa import SCREENS

from .house import House, housed

PAGE = "<!doctype html><title>Sanssouci</title>" + "<p>a garden</p>" * 50
SCRIPT = "const garden = 'ä';\n" * 100
TABLE = "0123456789abcdef"


def built(folder: Path) -> StaticFiles:
    """Pages as Vite builds them, with files that are none."""
    (folder / "assets").mkdir()
    for name, text in {
        "index.html": PAGE,
        "favicon.svg": "<svg/>",
        "made-from.sha256": "0" * 64,
        "assets/index-abc.js": SCRIPT,
        "assets/index-abc.css": "p{}",
        "assets/index-abc.js.map": "{}",
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "assets" / "tile-abc.png").write_bytes(b"\x89PNG" * 100)
    return StaticFiles.read(folder)


async def give_pages(house: House) -> None:
    """The house opens again, and has them."""
    static = house.path.parent / "static"
    static.mkdir()
    house.pages = built(static)
    await house.restart()


@housed()
async def test_every_screen_is_the_same_page(house: House) -> None:
    """Links open it; which screen is shown the page finds out. It is asked for anew each time."""
    await give_pages(house)
    for path in SCREENS:
        answer = await house.nobody().ask("GET", path.format(table=TABLE, review="R" * 43, lesson="ways-1"))
        assert (answer.status_code, answer.text) == (200, PAGE), path
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["cache-control"] == "no-cache"
        assert "script-src 'self'" in answer.headers["content-security-policy"]


@housed()
async def test_assets_are_kept_for_ever(house: House) -> None:
    """Their names change with their content."""
    await give_pages(house)
    for name, kind in {
        "index-abc.js": "text/javascript; charset=utf-8",
        "index-abc.css": "text/css; charset=utf-8",
        "tile-abc.png": "image/png",
    }.items():
        answer = await house.nobody().ask("GET", f"/assets/{name}")
        assert answer.status_code == 200 and answer.headers["content-type"] == kind
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    icon = await house.nobody().ask("GET", "/favicon.svg")
    assert icon.headers["content-type"] == "image/svg+xml" and icon.headers["cache-control"] == "no-cache"


@housed()
async def test_a_page_that_has_not_changed_is_not_sent_again(house: House) -> None:
    """By its tag, packed or not, weak or not; another tag gets the page."""
    await give_pages(house)
    first = await house.nobody().ask("GET", "/", accept_encoding="identity")
    packed = await house.nobody().ask("GET", "/", accept_encoding="gzip")
    tag, packed_tag = first.headers["etag"], packed.headers["etag"]
    assert tag != packed_tag
    for known in (tag, packed_tag, f"W/{packed_tag}", f'"other", {tag}', "*"):
        again = await house.nobody().ask("GET", "/", if_none_match=known)
        assert (again.status_code, again.content) == (304, b""), known
        assert again.headers["etag"] and again.headers["cache-control"] == "no-cache"
    for unknown in ('"other"', tag.strip('"'), tag[:-2] + '"'):
        assert (await house.nobody().ask("GET", "/", if_none_match=unknown)).status_code == 200, unknown


@housed()
async def test_text_is_packed_for_those_who_take_it(house: House) -> None:
    """Caches are told that there are two kinds of it; pictures are packed already."""
    await give_pages(house)

    async def encoding(path: str, accepted: str) -> str | None:
        answer = await house.nobody().ask("GET", path, accept_encoding=accepted)
        assert answer.headers["vary"] == "accept-encoding"
        assert "index" not in path or answer.text == SCRIPT
        found: str | None = answer.headers.get("content-encoding")
        return found

    for accepted in (
        "gzip",
        "gzip, deflate, br, zstd",
        "br;q=1.0, gzip;q=0.8",
        "*",
        "GZIP; q=1",
        "gzip;q=0.05",
    ):
        assert await encoding("/assets/index-abc.js", accepted) == "gzip", accepted
    for accepted in ("identity", "", "br", "gzip;q=0", "gzip; q=0.000", "gzipped"):
        assert await encoding("/assets/index-abc.js", accepted) is None, accepted
    assert await encoding("/assets/tile-abc.png", "gzip") is None
    assert len(gzip.compress(SCRIPT.encode())) < len(SCRIPT) / 10


@housed()
async def test_head_is_get_without_the_body(house: House) -> None:
    """For the page and for a script; nothing can be sent to either."""
    await give_pages(house)
    for path in ("/", "/assets/index-abc.js"):
        head, get = [await house.nobody().ask(method, path) for method in ("HEAD", "GET")]
        assert head.status_code == 200 and head.content == b""
        for name in ("content-length", "content-type", "etag", "cache-control"):
            assert head.headers[name] == get.headers[name]
        assert (await house.nobody().ask("POST", path)).status_code == 405


@housed()
async def test_what_was_not_built_is_not_there(house: House) -> None:
    """Neither files beside the page nor those that lie above it; and no page for an address of none."""
    await give_pages(house)
    (house.path.parent / "secret.js").write_text("secret")
    for path in (
        "/assets/index-other.js",
        "/assets/index-abc.js.map",
        "/assets/",
        "/assets/../index.html",
        "/assets/..%2findex.html",
        "/assets/..%2f..%2fsecret.js",
        "/assets/%2e%2e/%2e%2e/secret.js",
        "/assets/%2fetc%2fpasswd",
        "/assets/index-abc.js%00",
        "/assets/..%5cindex.html",
        "/made-from.sha256",
        "/index.html",
        "/static/index.html",
        "/table",
        f"/table/{TABLE}/more",
        "/palace",
    ):
        answer = await house.nobody().ask("GET", path)
        assert answer.status_code == 404, path
        assert answer.json()["error"]["code"] == "server.no_such_page"
        assert "immutable" not in answer.headers.get("cache-control", "")


@housed()
async def test_a_person_at_a_wrong_address_sees_the_page(house: House) -> None:
    """It says in their language that there is nothing; programs, scripts and the API get the error."""
    await give_pages(house)
    for path in ("/palace", f"/table/{TABLE}/more", "/table"):
        answer = await house.nobody().ask("GET", path, accept="text/html,*/*;q=0.8")
        assert (answer.status_code, answer.text) == (404, PAGE)
        assert answer.headers["cache-control"] == "no-cache"
    for path, accept in (
        ("/palace", "*/*"),
        ("/api/palace", "text/html"),
        ("/assets/palace.js", "text/html"),
    ):
        answer = await house.nobody().ask("GET", path, accept=accept)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "server.no_such_page")


@housed()
async def test_a_wrong_address_at_a_server_without_pages(house: House) -> None:
    """A person, too, is told that there are no pages."""
    house.pages = StaticFiles.read(house.path.parent / "nothing")
    await house.restart()
    answer = await house.nobody().ask("GET", "/palace", accept="text/html")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "server.no_pages")


@pytest.mark.parametrize("language", LANGUAGES)
@housed()
async def test_a_server_without_pages_says_so(house: House, language: str) -> None:
    """One sentence, in the reader's language; all else works."""
    house.pages = StaticFiles.read(house.path.parent / "nothing")
    await house.restart()
    answer = await house.nobody().ask("GET", "/", accept_language=language)
    sentence = UserError("server.no_pages").translate(language)
    assert answer.status_code == 404
    assert answer.json()["error"] == {"code": "server.no_pages", "rule": None, "sentence": sentence}
    assert (await house.nobody().ask("GET", "/api/players")).status_code == 200


ONCE = read_rates(",".join(f"{bucket}=1/minute" for bucket in Limit if bucket is not Limit.REQUEST))


@housed(rates=ONCE, address_factor=1)
async def test_a_page_costs_no_more_than_its_requests(house: House) -> None:
    """Whoever may read once a minute may load the page as often as anybody; a flood is still stopped."""
    await give_pages(house)
    for _ in range(50):
        for path in ("/", "/assets/index-abc.js", "/assets/index-abc.css", "/favicon.svg"):
            assert (await house.nobody().ask("GET", path)).status_code == 200
    statuses = {(await house.nobody().ask("GET", "/")).status_code for _ in range(600)}
    assert statuses == {200, 429}


@housed(public_url="https://play.example.org")
async def test_where_links_begin_is_told(house: House) -> None:
    """At the public address, if there is one."""
    assert (await house.nobody().get("/api/editions"))["site"] == "https://play.example.org"


def test_the_built_page_keeps_the_policy() -> None:
    """No script or style stands in the page itself, and every file that it names is there."""
    page = built_files().index().body.decode()
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)
    assert all("src=" in tag and not text for tag, text in re.findall(r"<script([^>]*)>([^<]*)", page))
    named = re.findall(r'(?:src|href)="/([^"]+)"', page)
    assert len(named) >= 3 and all(built_files().file(name) for name in named)
