"""Static files: caching, compression, routes, and access to nothing else."""

import gzip
import re
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import pytest

from sanssouci.locale import LANGUAGES, UserError
from sanssouci.server.ops.static_files import StaticFiles, built_files
from sanssouci.server.rate_limits import Limit, read_rates
from sanssouci.server.routes.spa import SCREENS

from ..harness.server import InProcessServer, with_server

PAGE = "<!doctype html><title>Sanssouci</title>" + "<p>a garden</p>" * 50
SCRIPT = "const garden = 'ä';\n" * 100
TABLE = "0123456789abcdef"


def build_pages(folder: Path) -> StaticFiles:
    """Pages as Vite builds them, with some files that must not be served."""
    (folder / "assets").mkdir()
    (folder / ".vite").mkdir()
    for name, text in {
        "index.html": PAGE,
        "favicon.svg": "<svg/>",
        "sw.js": "const files = {};",
        "made-from.sha256": "0" * 64,
        ".vite/manifest.json": "{}",
        "assets/index-abc.js": SCRIPT,
        "assets/index-abc.css": "p{}",
        "assets/index-abc.js.map": "{}",
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "assets" / "tile-abc.png").write_bytes(b"\x89PNG" * 100)
    (folder / "assets" / "serif-abc.woff2").write_bytes(b"wOF2" * 100)
    return StaticFiles.read(folder)


async def add_pages(server: InProcessServer) -> None:
    """Restart the server with pages."""
    static = server.path.parent / "static"
    static.mkdir()
    server.pages = build_pages(static)
    await server.restart()


@with_server()
async def test_every_screen_route_serves_the_page(server: InProcessServer) -> None:
    """Every route of a screen serves the same page, with its security policy and without caching."""
    await add_pages(server)
    for path in SCREENS:
        answer = await server.client().request(
            "GET", path.format(table=TABLE, review="R" * 43, lesson="ways-1")
        )
        assert (answer.status_code, answer.text) == (200, PAGE), path
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["cache-control"] == "no-cache"
        assert "script-src 'self'" in answer.headers["content-security-policy"]


@with_server()
async def test_assets_are_cached_for_ever(server: InProcessServer) -> None:
    """Assets are immutable, because their names change with their content; icon and worker are not."""
    await add_pages(server)
    for name, kind in {
        "index-abc.js": "text/javascript; charset=utf-8",
        "index-abc.css": "text/css; charset=utf-8",
        "tile-abc.png": "image/png",
        "serif-abc.woff2": "font/woff2",
    }.items():
        answer = await server.client().request("GET", f"/assets/{name}")
        assert answer.status_code == 200 and answer.headers["content-type"] == kind
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    worker = await server.client().request("GET", "/sw.js")
    assert worker.headers["content-type"] == "text/javascript; charset=utf-8"
    assert worker.headers["cache-control"] == "no-cache"
    assert "worker-src 'self'" in worker.headers["content-security-policy"]
    icon = await server.client().request("GET", "/favicon.svg")
    assert icon.headers["content-type"] == "image/svg+xml" and icon.headers["cache-control"] == "no-cache"


@with_server()
async def test_an_unchanged_page_is_a_304(server: InProcessServer) -> None:
    """A request with a known ETag, weak or compressed, gets a 304; another ETag gets the page."""
    await add_pages(server)
    first = await server.client().request("GET", "/", accept_encoding="identity")
    compressed = await server.client().request("GET", "/", accept_encoding="gzip")
    tag, compressed_tag = first.headers["etag"], compressed.headers["etag"]
    assert tag != compressed_tag
    for known in (tag, compressed_tag, f"W/{compressed_tag}", f'"other", {tag}', "*"):
        again = await server.client().request("GET", "/", if_none_match=known)
        assert (again.status_code, again.content) == (304, b""), known
        assert again.headers["etag"] and again.headers["cache-control"] == "no-cache"
    for unknown in ('"other"', tag.strip('"'), tag[:-2] + '"'):
        assert (await server.client().request("GET", "/", if_none_match=unknown)).status_code == 200, unknown


@with_server()
async def test_text_is_compressed_on_request(server: InProcessServer) -> None:
    """Text is compressed if the client accepts gzip, with a Vary header; pictures are not."""
    await add_pages(server)

    async def encoding(path: str, accepted: str) -> str | None:
        answer = await server.client().request("GET", path, accept_encoding=accepted)
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


@with_server()
async def test_head_is_get_without_the_body(server: InProcessServer) -> None:
    """HEAD has the headers of GET without a body, and POST is not allowed."""
    await add_pages(server)
    for path in ("/", "/assets/index-abc.js"):
        head, get = [await server.client().request(method, path) for method in ("HEAD", "GET")]
        assert head.status_code == 200 and head.content == b""
        for name in ("content-length", "content-type", "etag", "cache-control"):
            assert head.headers[name] == get.headers[name]
        assert (await server.client().request("POST", path)).status_code == 405


@with_server()
async def test_other_files_are_not_served(server: InProcessServer) -> None:
    """Other files of the folder, files outside it and unknown routes are a 404."""
    await add_pages(server)
    (server.path.parent / "secret.js").write_text("secret")
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
        "/.vite/manifest.json",
        "/index.html",
        "/static/index.html",
        "/table",
        f"/table/{TABLE}/more",
        "/palace",
    ):
        answer = await server.client().request("GET", path)
        assert answer.status_code == 404, path
        assert answer.json()["error"]["code"] == "server.no_such_page"
        assert "immutable" not in answer.headers.get("cache-control", "")


@with_server()
async def test_an_unknown_route_serves_the_page_to_browsers(server: InProcessServer) -> None:
    """A browser gets the page with a 404; programs, assets and API routes get a JSON error."""
    await add_pages(server)
    for path in ("/palace", f"/table/{TABLE}/more", "/table"):
        answer = await server.client().request("GET", path, accept="text/html,*/*;q=0.8")
        assert (answer.status_code, answer.text) == (404, PAGE)
        assert answer.headers["cache-control"] == "no-cache"
    for path, accept in (
        ("/palace", "*/*"),
        ("/api/palace", "text/html"),
        ("/assets/palace.js", "text/html"),
    ):
        answer = await server.client().request("GET", path, accept=accept)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "server.no_such_page")


@with_server()
async def test_an_unknown_route_without_pages(server: InProcessServer) -> None:
    """A browser at a server without pages gets an error that says so."""
    server.pages = StaticFiles.read(server.path.parent / "nothing")
    await server.restart()
    answer = await server.client().request("GET", "/palace", accept="text/html")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "server.no_pages")


@pytest.mark.parametrize("language", LANGUAGES)
@with_server()
async def test_a_server_without_pages(server: InProcessServer, language: str) -> None:
    """The page is a 404 with a message in the reader's language, and the API works."""
    server.pages = StaticFiles.read(server.path.parent / "nothing")
    await server.restart()
    answer = await server.client().request("GET", "/", accept_language=language)
    sentence = UserError("server.no_pages").translate(language)
    assert answer.status_code == 404
    assert answer.json()["error"] == {"code": "server.no_pages", "rule": None, "sentence": sentence}
    assert (await server.client().request("GET", "/api/players")).status_code == 200


ONCE_A_MINUTE = read_rates(",".join(f"{limit}=1/minute" for limit in Limit if limit is not Limit.REQUEST))


@with_server(rates=ONCE_A_MINUTE, address_factor=1)
async def test_pages_count_only_as_requests(server: InProcessServer) -> None:
    """Pages count towards the limit of requests only, not of reads."""
    await add_pages(server)
    for _ in range(50):
        for path in ("/", "/assets/index-abc.js", "/assets/index-abc.css", "/favicon.svg"):
            assert (await server.client().request("GET", path)).status_code == 200
    statuses = {(await server.client().request("GET", "/")).status_code for _ in range(600)}
    assert statuses == {200, 429}


@with_server(public_url="https://play.example.org")
async def test_the_public_url_is_published(server: InProcessServer) -> None:
    """Clients learn the public URL for links."""
    assert (await server.client().get("/api/editions"))["site"] == "https://play.example.org"


def test_the_built_page_follows_the_security_policy() -> None:
    """The built page has no inline script or style, and every file that it names exists."""
    page = built_files().index().body.decode()
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)
    assert all("src=" in tag and not text for tag, text in re.findall(r"<script([^>]*)>([^<]*)", page))
    files = re.findall(r'(?:src|href)="/([^"]+)"', page)
    assert len(files) >= 3 and all(built_files().file(name) for name in files)


def test_the_service_worker_lists_every_file() -> None:
    """The built service worker has the hash of the page and of every asset."""
    worker = built_files().file("sw.js")
    assert worker is not None
    listed = dict(re.findall(r'"(/[^"]*)":[`"\']sha256-([^`"\']+)', worker.body.decode()))
    for path, digest in listed.items():
        file = built_files().file(path[1:] or "index.html")
        assert file is not None and b64encode(sha256(file.body).digest()).decode() == digest, path
    page = built_files().index().body.decode()
    assert set(re.findall(r'(?:src|href)="(/assets/[^"]+)"', page)) <= listed.keys()
    assets = files("sanssouci").joinpath("static", "assets").iterdir()
    assert listed.keys() == {"/", *(f"/assets/{asset.name}" for asset in assets)}
