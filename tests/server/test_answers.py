"""How the server answers: nothing is a 500, nothing is a page, and every no is in the reader's language."""

import json
from http.cookies import SimpleCookie
from typing import Any

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send

from sanssouci.locale import LANGUAGES
from sanssouci.server.limits.rate_limits import read_rates
from sanssouci.server.middleware.head_requests import HeadRequests

from ..workers.pools import within
from .house import HOST, ORIGIN, House, Person, housed


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/palace", 404),
        ("GET", "/api", 404),
        ("GET", "/api/tables/", 404),
        ("GET", "/api/no/such/thing", 404),
        ("POST", "/health", 405),
        ("OPTIONS", "/api/tables", 405),
        ("DELETE", "/api/tables/0123456789abcdef", 405),
        ("PUT", "/nowhere", 404),
        ("GET", "/api/tables/0123456789abcdef", 404),
        ("GET", "/api/tables/..%2f..%2fetc", 404),
    ],
)
@housed()
async def test_what_is_not_there_is_said_in_json(house: House, method: str, path: str, status: int) -> None:
    """Each language has its own sentence, the code is the same."""
    answers = [await house.nobody().ask(method, path, accept_language=language) for language in LANGUAGES]
    assert {answer.status_code for answer in answers} == {status}
    errors = [answer.json()["error"] for answer in answers]
    assert len({error["sentence"] for error in errors}) == len(LANGUAGES)
    assert {tuple(sorted(error)) for error in errors} == {("code", "rule", "sentence")}
    assert len({error["code"] for error in errors}) == 1
    if status == 405:
        assert "allow" in answers[0].headers


@housed()
async def test_head_is_get_without_a_body(house: House) -> None:
    """The same status and headers, for what is there and for what is not."""
    ada = await house.guest("Ada")
    for path in ("/health", "/api/tables", "/api/me", "/nowhere", "/api/tables/0123456789abcdef"):
        get, head = await ada.ask("GET", path), await ada.ask("HEAD", path)
        assert head.content == b""
        assert (head.status_code, _headers(head)) == (get.status_code, _headers(get))
    assert (await ada.ask("HEAD", "/api/guests")).status_code == 405


def test_of_a_head_no_body_is_sent() -> None:
    """Not one byte, though the app under it has many; what is no HEAD is passed on as it is."""
    sent: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["method"] == "GET"
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"much", "more_body": True})
        await send({"type": "http.response.body", "body": b"more"})

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    for method in ("HEAD", "GET"):
        within(HeadRequests(app)({"type": "http", "method": method}, receive, send))
    assert [message.get("body") for message in sent] == [None, b"", b"", None, b"much", b"more"]


def _headers(answer: httpx.Response) -> list[tuple[str, str]]:
    return [(name, value) for name, value in answer.headers.items() if name != "x-request-id"]


MALFORMED: list[bytes] = [
    b"",
    b"{",
    b"null",
    b"[]",
    b'{"name":1}',
    b'{"name":""}',
    b'{"name":"a","more":1}',
    b'{"name":"\\ud800"}',
    b'{"name":"a","\\ud800":1}',
    b'{"name":"a","cookie":"yes"}',
    b'{"name":NaN}',
    b'{"name":' + b"9" * 5000 + b"}",
    b"[" * 10_000,
    b'{"name":"' + b"\xff" * 10 + b'"}',
    b'{"name":"' + b"x" * 201 + b'"}',
    b'{"name":"a","name":"b"}',
    b'\xef\xbb\xbf{"name":"a"}',
]


@pytest.mark.parametrize("body", MALFORMED, ids=range(len(MALFORMED)))
@housed()
async def test_what_is_not_understood_is_no_failure(house: House, body: bytes) -> None:
    """400, with the place where it is wrong, and never what was said there."""
    transport = httpx.ASGITransport(house.app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        answer = await client.post("/api/guests", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "server.malformed"
    assert "x" * 50 not in answer.text
    assert house.rows()["guest"] == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (
            {"chairs": [{"sitter": "person"}] * 4, "first": 3, "clock": {"pace": "turn", "amount": 1}},
            "terms.bad_clock",
        ),
        ({"chairs": [{"sitter": "person"}] * 2, "first": 3}, "terms.bad_first"),
        ({"chairs": [{"sitter": "computer"}] * 2}, "server.no_player"),
        ({"chairs": [{"sitter": "person"}] * 2, "boards": "no such set"}, "boards.missing"),
        ({"chairs": [{"sitter": "person"}] * 2, "boards_file": "x"}, None),
        (
            {"chairs": [{"sitter": "person"}] * 2, "boards": "parterre", "boards_file": "x"},
            "terms.two_boards",
        ),
        ({"chairs": [{"sitter": "person"}] * 2, "expansions": ["wild_boar"]}, None),
    ],
)
@housed()
async def test_terms_that_cannot_be_played_are_refused(
    house: House, body: dict[str, Any], code: str | None
) -> None:
    """Each with its reason; no table is made."""
    answer = await (await house.guest("Ada")).ask("POST", "/api/tables", body)
    assert answer.status_code == 422
    assert code is None or answer.json()["error"]["code"] == code
    assert house.rows()["game"] == []


def _cookie(answer: httpx.Response) -> "dict[str, Any]":
    (morsel,) = SimpleCookie(answer.headers["set-cookie"]).values()
    return {"value": morsel.value, **morsel}


@pytest.mark.parametrize(
    "settings", [{}, {"public_url": "https://play.example.org"}], ids=["plain", "public"]
)
def test_the_cookie_is_for_the_browser_alone(settings: dict[str, Any], tmp_path: Any) -> None:
    """HttpOnly and SameSite always, Secure where people come by HTTPS; it is taken away as it was given."""

    @housed(**settings)
    async def story(house: House) -> None:
        secure = bool(settings)
        host = "play.example.org" if secure else HOST
        origin = f"https://{host}" if secure else ORIGIN
        answer = await house.nobody().ask("POST", "/api/guests", {"name": "Ada"}, host=host, origin=origin)
        given = _cookie(answer)
        assert (given["httponly"], given["samesite"], given["path"]) == (True, "lax", "/")
        assert bool(given["secure"]) is secure
        assert answer.json()["token"] is None
        cookie = f"sanssouci_guest={given['value']}"
        gone = _cookie(await house.nobody().ask("DELETE", "/api/me", host=host, origin=origin, cookie=cookie))
        assert (gone["value"], gone["max-age"]) == ("", "0")
        assert (gone["httponly"], bool(gone["secure"])) == (True, secure)

    story(tmp_path)


@housed()
async def test_a_cookie_works_from_our_own_pages_only(house: House) -> None:
    """A change by cookie needs the origin of a page that is ours; a program names its token."""
    ada = await house.guest("Ada", browser=True)
    cookie = {"cookie": ada.headers["cookie"]}
    for origin in ({}, {"origin": "http://evil.example"}, {"origin": "null"}):
        stranger = Person(house, {**cookie, **origin})
        answer = await stranger.ask("PATCH", "/api/me", {"name": "Eve"})
        code = "request.wrong_origin" if origin else "request.no_origin"
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, code)
    assert "Authorization: Bearer" in (await Person(house, cookie).ask("POST", "/api/tables", {})).text
    assert (await ada.get("/api/me"))["name"] == "Ada"


@housed()
async def test_a_browser_may_read_without_naming_a_page(house: House) -> None:
    """Where somebody types an address there is no page to name; a page that is named must still be ours."""
    ada = await house.guest("Ada", browser=True)
    cookie = {"cookie": ada.headers["cookie"]}
    for method in ("GET", "HEAD"):
        assert (await Person(house, cookie).ask(method, "/api/me")).status_code == 200
    stranger = Person(house, {**cookie, "origin": "http://evil.example"})
    assert (await stranger.ask("GET", "/api/me")).status_code == 403


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "json"])
@housed()
async def test_a_body_that_is_not_said_to_be_json_is_not_read(house: House, kind: str | None) -> None:
    """And the sentence says what is missing; a page of another site could not send it otherwise."""
    transport = httpx.ASGITransport(house.app, raise_app_exceptions=False)
    headers = {} if kind is None else {"content-type": kind}
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        answer = await client.post("/api/guests", content=b'{"name":"Ada"}', headers=headers)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (400, "server.malformed")
    assert error["sentence"].endswith("look at: Content-Type")
    assert house.rows()["guest"] == []


@housed()
async def test_a_key_that_stands_twice_is_told(house: House) -> None:
    """In the reader's language, at any depth."""
    transport = httpx.ASGITransport(house.app, raise_app_exceptions=False)
    headers = {"content-type": "application/json", "accept-language": "de"}
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        answer = await client.post("/api/guests", content=b'{"name":{"a":1,"a":2}}', headers=headers)
    assert "Der Schlüssel „a“ steht zweimal" in answer.json()["error"]["sentence"]


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        (["", ""], ["Ada", "Player 2"]),
        (["Bob", ""], ["Bob", "Ada"]),
        (["Bob", " ", ""], ["Bob", "Ada", "Player 3"]),
        (["", "Ada"], ["Player 1", "Ada"]),
        (["Bob", "Cid"], ["Bob", "Cid"]),
    ],
)
@housed()
async def test_a_person_without_a_name_is_the_guest(house: House, typed: list[str], shown: list[str]) -> None:
    """Once: the others who have none are counted."""
    ada = await house.guest("Ada")
    chairs = [{"sitter": "person", "name": name} for name in typed]
    answer = await ada.ask("POST", "/api/tables", {"chairs": chairs})
    view = await ada.view(answer.json()["table"])
    assert [chair["name"] for chair in view["chairs"]] == shown


@housed(rates=read_rates("read=2/minute,command=1/minute"), address_factor=2)
async def test_who_asks_too_often_is_told_when_to_come_again(house: House) -> None:
    """429 with Retry-After by HTTP, a refusal with it by socket; after that time it works."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    for _ in range(2):
        await ada.get("/api/me")
    answer = await ada.ask("GET", "/api/me")
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "server.too_often")
    assert answer.headers["retry-after"] == "60"
    line = await ada.sit(table)
    await line.next()
    for _ in range(2):
        await line.command("unready", 0)
    refused = [(await line.until("refused")) for _ in range(2)]
    assert [one["error"]["code"] for one in refused] == ["declined.not_ready", "server.too_often"]
    assert refused[1]["retry_after"] == 60
    house.world.advance(61)
    await ada.get("/api/me")


@housed()
async def test_health_readiness_and_figures(house: House) -> None:
    """It is well; it is ready if turns can be kept and players can play; figures are for this machine."""
    nobody = house.nobody()
    assert await nobody.get("/health") == {"ok": True}
    assert await nobody.get("/ready") == {"store": True, "players": True}
    figures = (await nobody.ask("GET", "/metrics")).text
    assert "sanssouci_tables_loaded 0.0" in figures
    assert 'sanssouci_queue_length{queue="writes"} 0.0' in figures
    await house.guest("Ada")
    assert "sanssouci_store_write_seconds_count 1.0" in (await nobody.ask("GET", "/metrics")).text
    assert (await Person(house, peer="192.0.2.1").ask("GET", "/metrics")).status_code == 403
    object.__setattr__(house.players.progress, "ready", 0)
    assert (await nobody.ask("GET", "/ready")).status_code == 503


@housed()
async def test_a_record_is_checked_and_never_trusted(house: House) -> None:
    """A game's own record is sound and proved; one letter of it changed and it is not."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "random")
    early = await ada.ask("GET", f"/api/tables/{table}/record")
    assert early.json()["error"]["code"] == "declined.not_yet"
    await house.play_out(table, {0: ada})
    record = await ada.get(f"/api/tables/{table}/record")
    checked = await ada.ask("POST", "/api/records", record)
    assert checked.json() == {"turns": 36, "over": True, "proved": True}
    record["turns"][0], record["turns"][1] = record["turns"][1], record["turns"][0]
    refused = await ada.ask("POST", "/api/records", json.loads(json.dumps(record)))
    assert refused.status_code == 422
