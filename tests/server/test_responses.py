"""Responses: JSON errors in the reader's language, cookies, HEAD, malformed bodies, and no 500."""

import json
from http.cookies import SimpleCookie
from typing import Any

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send

from sanssouci.locale import LANGUAGES
from sanssouci.server.middleware.stack import HeadMiddleware
from sanssouci.server.rate_limits import read_rates

from ..harness.builders import new_table
from ..harness.server import InProcessServer, with_server
from ..harness.transports import HOST, ORIGIN
from ..workers.pools import run_with_timeout


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/palace", 404),
        ("GET", "/api", 404),
        ("GET", "/api/tables/", 404),
        ("GET", "/api/no/such/thing", 404),
        ("POST", "/health", 405),
        ("DELETE", "/api/tables/0123456789abcdef", 405),
        ("PUT", "/nowhere", 404),
        ("GET", "/api/tables/0123456789abcdef", 404),
        ("GET", "/api/tables/..%2f..%2fetc", 404),
    ],
)
@with_server()
async def test_unknown_routes_give_json_errors(
    server: InProcessServer, method: str, path: str, status: int
) -> None:
    """Unknown routes, methods and tables have the same error code and a message in every language."""
    answers = [
        await server.client().request(method, path, accept_language=language) for language in LANGUAGES
    ]
    assert {answer.status_code for answer in answers} == {status}
    errors = [answer.json()["error"] for answer in answers]
    assert len({error["sentence"] for error in errors}) == len(LANGUAGES)
    assert {tuple(sorted(error)) for error in errors} == {("code", "rule", "sentence")}
    assert len({error["code"] for error in errors}) == 1


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/health", "GET, HEAD, OPTIONS"),
        ("/api/guests", "OPTIONS, POST"),
        ("/api/me", "DELETE, GET, HEAD, OPTIONS, PATCH"),
        ("/api/tables", "GET, HEAD, OPTIONS, POST"),
        ("/api/reviews/0123456789abcdef0123456789abcdef", "DELETE, GET, HEAD, OPTIONS"),
        ("/learn", "GET, HEAD, OPTIONS"),
    ],
)
@with_server()
async def test_allow_lists_all_methods_of_a_path(server: InProcessServer, path: str, methods: str) -> None:
    """A 405 and the response to OPTIONS name every method of the path, also those of other routes."""
    client = server.client()
    refused = await client.request("PUT", path)
    assert (refused.status_code, refused.headers["allow"]) == (405, methods)
    options = await client.request("OPTIONS", path)
    assert (options.status_code, options.headers["allow"], options.content) == (204, methods, b"")
    assert not any(name.startswith("access-control-") for name in options.headers)


@with_server()
async def test_the_path_of_the_socket_without_a_socket(server: InProcessServer) -> None:
    """A GET without an upgrade gets 426, also from a browser."""
    client = server.client()
    options = await client.request("OPTIONS", "/api/socket")
    assert (options.status_code, options.headers["allow"], options.content) == (204, "GET, OPTIONS", b"")
    for accepted in ("*/*", "text/html"):
        plain = await client.request("GET", "/api/socket?table=x", accept=accepted)
        assert (plain.status_code, plain.json()["error"]["code"]) == (426, "server.upgrade_needed")
        assert (plain.headers["upgrade"], plain.headers["connection"]) == ("websocket", "upgrade")
    refused = await client.request("POST", "/api/socket", {})
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, OPTIONS")


@with_server()
async def test_options_of_an_unknown_path_is_a_404(server: InProcessServer) -> None:
    """OPTIONS tells nothing about paths that do not exist."""
    answer = await server.client().request("OPTIONS", "/api/nowhere")
    assert (answer.status_code, "allow" in answer.headers) == (404, False)


@with_server()
async def test_head_is_get_without_a_body(server: InProcessServer) -> None:
    """HEAD has the status and headers of GET, for existing and missing resources."""
    ada = await server.guest("Ada")
    for path in ("/health", "/api/tables", "/api/me", "/nowhere", "/api/tables/0123456789abcdef"):
        get, head = await ada.request("GET", path), await ada.request("HEAD", path)
        assert head.content == b""
        assert (head.status_code, _headers(head)) == (get.status_code, _headers(get))
    assert (await ada.request("HEAD", "/api/guests")).status_code == 405


def test_the_body_of_a_head_response_is_dropped() -> None:
    """The middleware sends no body for HEAD, and passes other methods through."""
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
        run_with_timeout(HeadMiddleware(app)({"type": "http", "method": method}, receive, send))
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
@with_server()
async def test_malformed_bodies_are_a_400(server: InProcessServer, body: bytes) -> None:
    """A malformed body gives a 400 that does not quote the body, and nothing is stored."""
    answer = await server.client().request(
        "POST", "/api/guests", content=body, content_type="application/json"
    )
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "server.malformed"
    assert "x" * 50 not in answer.text
    assert server.rows()["guest"] == []


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
@with_server()
async def test_invalid_table_settings_are_refused(
    server: InProcessServer, body: dict[str, Any], code: str | None
) -> None:
    """Invalid settings are a 422 with a code, and no table is created."""
    answer = await (await server.guest("Ada")).request("POST", "/api/tables", body)
    assert answer.status_code == 422
    assert code is None or answer.json()["error"]["code"] == code
    assert server.rows()["game"] == []


def _cookie(answer: httpx.Response) -> "dict[str, Any]":
    (morsel,) = SimpleCookie(answer.headers["set-cookie"]).values()
    return {"value": morsel.value, **morsel}


@pytest.mark.parametrize(
    "settings", [{}, {"public_url": "https://play.example.org"}], ids=["plain", "public"]
)
def test_attributes_of_the_cookie(settings: dict[str, Any], tmp_path: Any) -> None:
    """The cookie is HttpOnly and SameSite, Secure if the public URL is HTTPS, and cleared in the same way."""

    @with_server(**settings)
    async def scenario(server: InProcessServer) -> None:
        secure = bool(settings)
        host = "play.example.org" if secure else HOST
        origin = f"https://{host}" if secure else ORIGIN
        answer = await server.client().request(
            "POST", "/api/guests", {"name": "Ada"}, host=host, origin=origin
        )
        given = _cookie(answer)
        assert (given["httponly"], given["samesite"], given["path"]) == (True, "lax", "/")
        assert bool(given["secure"]) is secure
        assert answer.json()["token"] is None
        cookie = f"sanssouci_guest={given['value']}"
        gone = _cookie(
            await server.client().request("DELETE", "/api/me", host=host, origin=origin, cookie=cookie)
        )
        assert (gone["value"], gone["max-age"]) == ("", "0")
        assert (gone["httponly"], bool(gone["secure"])) == (True, secure)

    scenario(tmp_path)


@with_server()
async def test_a_cookie_needs_an_allowed_origin(server: InProcessServer) -> None:
    """Changes by cookie without an allowed Origin header are a 403."""
    ada = await server.guest("Ada", browser=True)
    cookie = {"cookie": ada.headers["cookie"]}
    for origin in ({}, {"origin": "http://evil.example"}, {"origin": "null"}):
        stranger = server.client({**cookie, **origin})
        answer = await stranger.request("PATCH", "/api/me", {"name": "Eve"})
        code = "request.wrong_origin" if origin else "request.no_origin"
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, code)
    assert "Authorization: Bearer" in (await server.client(cookie).request("POST", "/api/tables", {})).text
    assert (await ada.get("/api/me"))["name"] == "Ada"


@with_server()
async def test_reading_by_cookie_needs_no_origin(server: InProcessServer) -> None:
    """Reading by cookie works without an Origin header, but not with a foreign one."""
    ada = await server.guest("Ada", browser=True)
    cookie = {"cookie": ada.headers["cookie"]}
    for method in ("GET", "HEAD"):
        assert (await server.client(cookie).request(method, "/api/me")).status_code == 200
    stranger = server.client({**cookie, "origin": "http://evil.example"})
    assert (await stranger.request("GET", "/api/me")).status_code == 403


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "json"])
@with_server()
async def test_a_body_without_json_content_type_is_refused(server: InProcessServer, kind: str | None) -> None:
    """A body without the JSON content type is a 400, because pages of other sites can send one."""
    client = server.client({} if kind is None else {"content-type": kind})
    answer = await client.request("POST", "/api/guests", content=b'{"name":"Ada"}')
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (400, "server.malformed")
    assert error["sentence"].endswith("at Content-Type")
    assert server.rows()["guest"] == []


@with_server()
async def test_an_integral_float_is_an_integer(server: InProcessServer) -> None:
    """1.0 is accepted as 1, by HTTP and on a socket; 1.5 and true are refused."""
    ada = await server.guest("Ada")
    clock = {"pace": "turn", "amount": 60.0}
    table = await ada.create_table("person", "person", first=1.0, clock=clock)
    terms = (await ada.view(table))["terms"]
    assert json.dumps([terms["first"], terms["clock"]["amount"]]) == "[1, 60]"
    for first in (1.5, True):
        assert (await ada.request("POST", "/api/tables", new_table("person", first=first))).status_code == 400
    socket = await ada.connect(table, 0)
    await socket.receive()
    wear = {"type": "wear", "chair": 0.0, "colour": "grey"}
    await socket.send({"type": "command", "command_id": "a", "expected_seq": 0.0, "command": wear})
    assert (await socket.receive())["type"] == "done"


@with_server()
async def test_a_duplicate_key_is_named(server: InProcessServer) -> None:
    """A duplicate JSON key is named in the error, in the reader's language."""
    client = server.client({"content-type": "application/json", "accept-language": "de"})
    answer = await client.request("POST", "/api/guests", content=b'{"name":{"a":1,"a":2}}')
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
@with_server()
async def test_default_names_of_people(server: InProcessServer, typed: list[str], shown: list[str]) -> None:
    """The first person without a name gets the guest's name, others are numbered."""
    ada = await server.guest("Ada")
    chairs = [{"sitter": "person", "name": name} for name in typed]
    answer = await ada.request("POST", "/api/tables", {"chairs": chairs})
    view = await ada.view(answer.json()["table"])
    assert [chair["name"] for chair in view["chairs"]] == shown


@with_server(rates=read_rates("read=2/minute,command=1/minute"), address_factor=2)
async def test_rate_limits(server: InProcessServer) -> None:
    """Too many requests get a 429 with Retry-After by HTTP and a refusal by socket, for a while."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    for _ in range(2):
        await ada.get("/api/me")
    answer = await ada.request("GET", "/api/me")
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "server.too_often")
    assert answer.headers["retry-after"] == "60"
    socket = await ada.connect(table)
    await socket.receive()
    for _ in range(2):
        await socket.send_command("unready", 0)
    refused = [(await socket.receive_until("refused")) for _ in range(2)]
    assert [message["error"]["code"] for message in refused] == ["declined.not_ready", "server.too_often"]
    assert refused[1]["retry_after"] == 60
    server.clock.advance(61)
    await ada.get("/api/me")


@with_server()
async def test_health_readiness_and_metrics(server: InProcessServer) -> None:
    """The server is ready if the store and players work; metrics are visible only from this machine."""
    nobody = server.client()
    assert await nobody.get("/health") == {"ok": True}
    assert await nobody.get("/ready") == {
        "store": True,
        "players": True,
        "bus": True,
        "limits": True,
        "stopping": False,
    }
    figures = (await nobody.request("GET", "/metrics")).text
    assert "sanssouci_tables_loaded 0.0" in figures
    assert 'sanssouci_queue_length{queue="writes"} 0.0' in figures
    await server.guest("Ada")
    assert "sanssouci_store_write_seconds_count 1.0" in (await nobody.request("GET", "/metrics")).text
    assert (await server.client(peer="192.0.2.1").request("GET", "/metrics")).status_code == 403
    object.__setattr__(server.players.progress, "ready", 0)
    assert (await nobody.request("GET", "/ready")).status_code == 503


@with_server()
async def test_uploaded_records_are_checked(server: InProcessServer) -> None:
    """The record of a game is valid and proved; with two turns swapped it is refused."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "random")
    early = await ada.request("GET", f"/api/tables/{table}/record")
    assert early.json()["error"]["code"] == "declined.not_yet"
    await server.play_out(table, {0: ada})
    record = await ada.get(f"/api/tables/{table}/record")
    checked = await ada.request("POST", "/api/records", record)
    assert checked.json() == {"turns": 36, "over": True, "proved": True}
    record["turns"][0], record["turns"][1] = record["turns"][1], record["turns"][0]
    refused = await ada.request("POST", "/api/records", json.loads(json.dumps(record)))
    assert refused.status_code == 422
