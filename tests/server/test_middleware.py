"""The middleware stack around a small application: headers, body limits, origins, proxies."""

import asyncio
from ipaddress import ip_network

import pytest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message
from starlette.websockets import WebSocket

from sanssouci.server.middleware.client_info import client_info
from sanssouci.server.middleware.origin_check import AllowedOrigins
from sanssouci.server.middleware.security_headers import CONTENT_SECURITY_POLICY
from sanssouci.server.middleware.stack import with_middleware
from sanssouci.server.ops.metrics import Metrics
from sanssouci.server.settings import Settings

from ..harness.client import open_and_close, request_app

HOST = {"host": "localhost:8017"}
COOKIE = {"cookie": "sanssouci_guest=x"}
PAGE = {"origin": "http://localhost:8017"}
reached: list[str] = []


async def echo(request: Request) -> Response:
    reached.append(request.url.path)
    return JSONResponse({"bytes": len(await request.body())}, headers={"Referrer-Policy": "unsafe-url"})


async def client(request: Request) -> Response:
    caller = client_info(request.scope)
    return JSONResponse(
        {"address": caller.address, "secure": caller.secure, "local": caller.local, "id": caller.request_id}
    )


async def refuse(_request: Request) -> Response:
    raise HTTPException(409)


async def fail(_request: Request) -> Response:
    raise RuntimeError("oh")


async def socket(socket: WebSocket) -> None:
    reached.append("socket")
    await socket.accept()
    await socket.close(1000)


def page(_request: Request) -> Response:
    return PlainTextResponse("page", headers={"Cache-Control": "max-age=60"})


def app(settings: Settings | None = None) -> ASGIApp:
    """A small application with the middleware."""
    reached.clear()
    settings = settings or Settings(max_message=1024, max_import=5000)
    routes = [
        Route("/page", page),
        Route("/api/echo", echo, methods=["GET", "POST"]),
        Route("/api/import", echo, methods=["POST"]),
        Route("/api/who", client),
        Route("/api/refuse", refuse),
        Route("/api/fail", fail),
        WebSocketRoute("/api/socket", socket),
    ]
    origins = AllowedOrigins.of(settings.host, 8017, settings.public_url)
    return with_middleware(Starlette(routes=routes), settings, origins, Metrics(), ("/api/import",))


@pytest.mark.parametrize(
    ("path", "status"),
    [("/page", 200), ("/api/echo", 200), ("/api/refuse", 409), ("/api/fail", 500), ("/none", 404)],
)
def test_security_headers(path: str, status: int) -> None:
    """Every response, also of errors, has each security header exactly once."""
    answer = request_app(app(), path)
    assert answer.status_code == status
    expected = {
        "content-security-policy": CONTENT_SECURITY_POLICY,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
    }
    for name, value in expected.items():
        assert answer.headers.get_list(name) == [value]
    assert "camera=()" in answer.headers["permissions-policy"]
    assert len(answer.headers.get_list("x-request-id")) == 1
    assert "strict-transport-security" not in answer.headers


def test_the_policy_forbids_inline_scripts() -> None:
    """The policy allows only own scripts and connections, and no framing."""
    policy = dict(part.split(" ", 1) for part in CONTENT_SECURITY_POLICY.split("; "))
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["connect-src"] == "'self'"
    assert "unsafe" not in CONTENT_SECURITY_POLICY and "*" not in CONTENT_SECURITY_POLICY


def test_only_the_api_is_never_cached() -> None:
    """API responses are never cached; pages set their own caching."""
    assert request_app(app(), "/api/echo").headers["cache-control"] == "no-store"
    assert request_app(app(), "/api/none").headers["cache-control"] == "no-store"
    assert request_app(app(), "/page").headers["cache-control"] == "max-age=60"
    assert "cache-control" not in request_app(app(), "/apiary").headers


@pytest.mark.parametrize(
    ("url", "expected"), [("https://play.example.org", True), ("http://play.lan", False)]
)
def test_hsts(url: str, expected: bool) -> None:
    """HSTS is sent if the public URL uses HTTPS."""
    answer = request_app(app(Settings(public_url=url)), "/page")
    assert ("strict-transport-security" in answer.headers) is expected


@pytest.mark.parametrize("parts", [False, True])
@pytest.mark.parametrize(("size", "fits"), [(0, True), (1024, True), (1025, False), (50_000, False)])
def test_large_bodies_are_refused(size: int, fits: bool, parts: bool) -> None:
    """A body above the limit is a 413, with or without Content-Length, and does not reach a route."""
    content = [b"x" * 100] * (size // 100) + [b"x" * (size % 100)] if parts else b"x" * size
    answer = request_app(app(), "/api/echo", "POST", content=content)
    if fits:
        assert answer.json() == {"bytes": size} and reached == ["/api/echo"]
    else:
        assert answer.status_code == 413 and reached == []
        assert answer.json()["error"]["code"] == "request.too_large"
        assert "1024" in answer.json()["error"]["sentence"]


def test_records_have_a_higher_limit() -> None:
    """Only the exact paths for imports have the higher limit."""
    assert request_app(app(), "/api/import", "POST", content=b"x" * 5000).json() == {"bytes": 5000}
    assert request_app(app(), "/api/import", "POST", content=b"x" * 5001).status_code == 413
    assert request_app(app(), "/api/import/more", "POST", content=b"x" * 5000).status_code == 413


def test_a_false_content_length_is_ignored() -> None:
    """The received bytes are counted, whatever Content-Length says."""
    content = [b"x" * 600, b"x" * 600]
    for stated in ("3", "-1", "0x10", "9" * 30):
        answer = request_app(app(), "/api/echo", "POST", {"content-length": stated}, content)
        assert answer.status_code == 413 and reached == []


def test_an_incomplete_body_reaches_no_route() -> None:
    """If the client disconnects within the body, no route is called and nothing is sent."""
    messages: list[Message] = [
        {"type": "http.request", "body": b"half", "more_body": True},
        {"type": "http.disconnect"},
    ]
    sent: list[Message] = []

    async def receive() -> Message:
        return messages.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "scheme": "http",
        "method": "POST",
        "path": "/api/echo",
        "headers": [(b"host", b"localhost:8017")],
    }
    tiny = app()

    async def main() -> None:
        await tiny(scope, receive, send)

    asyncio.run(main())
    assert sent == [] and reached == []


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("GET", {}, 200),
        ("GET", COOKIE, 200),
        ("POST", {}, 200),
        ("POST", COOKIE, 403),
        ("POST", COOKIE | PAGE, 200),
        ("POST", COOKIE | {"authorization": "Bearer x"}, 200),
        ("POST", COOKIE | {"authorization": "bearer x"}, 200),
        ("POST", COOKIE | {"authorization": "Basic eDp5"}, 403),
        ("POST", COOKIE | {"authorization": "Bearer"}, 403),
        ("POST", COOKIE | {"authorization": ""}, 403),
        ("POST", {"origin": "http://evil.example", "authorization": "Bearer x"}, 403),
        ("POST", {"origin": "null"} | COOKIE, 403),
        ("GET", {"origin": "http://evil.example"}, 403),
        ("GET", {"host": "evil.example:8017"}, 421),
        ("POST", {"host": "evil.example:8017", "origin": "http://evil.example:8017"}, 421),
    ],
)
def test_origin_check_of_requests(method: str, headers: dict[str, str], status: int) -> None:
    """Requests by cookie need an allowed origin; foreign origins and hosts are always refused."""
    answer = request_app(app(), "/api/echo", method, headers)
    assert answer.status_code == status
    assert reached == (["/api/echo"] if status == 200 else [])
    code = {403: "request.wrong_origin" if "origin" in headers else "request.no_origin"}
    assert status == 200 or answer.json()["error"]["code"] == code.get(status, "request.wrong_host")


@pytest.mark.parametrize(
    ("headers", "opens"),
    [
        (HOST | PAGE | COOKIE, True),
        (HOST, True),
        (HOST | COOKIE, False),
        (HOST | COOKIE | {"authorization": "Bearer x"}, True),
        (HOST | COOKIE | {"authorization": "Basic eDp5"}, False),
        (HOST | COOKIE | {"origin": "http://evil.example"}, False),
        (HOST | {"origin": "http://evil.example"}, False),
        ({"host": "evil.example"}, False),
        ({}, False),
    ],
)
def test_origin_check_of_sockets(headers: dict[str, str], opens: bool) -> None:
    """Sockets by cookie need an allowed origin; foreign origins and hosts are always refused."""
    sent = open_and_close(app(), "/api/socket", headers)
    assert [message["type"] for message in sent] == ["websocket.accept", "websocket.close"][not opens :]
    assert reached == (["socket"] if opens else [])


PROXY = Settings(trusted_proxies=(ip_network("10.0.0.0/8"),))


@pytest.mark.parametrize(
    ("peer", "request_id", "taken"),
    [
        ("10.0.0.1", "abc-DEF-12345", True),
        ("127.0.0.1", "abc-DEF-12345", False),
        ("10.0.0.1", "short", False),
        ("10.0.0.1", "x" * 65, False),
        ("10.0.0.1", "abcd efgh", False),
        ("10.0.0.1", "abcdefgh\u00e9", False),
        ("10.0.0.1", "k8Jd" * 11, False),
    ],
)
def test_request_ids(peer: str, request_id: str, taken: bool) -> None:
    """A plain request id of a trusted proxy is used; otherwise a new one is made."""
    headers = {"x-request-id": request_id.encode("latin-1").decode("latin-1")} if request_id.isascii() else {}
    answer = request_app(app(PROXY), "/api/who", headers=headers, peer=peer)
    given = answer.headers["x-request-id"]
    assert (given == request_id) is taken
    assert answer.json()["id"] == given and 8 <= len(given) <= 64
    assert request_app(app(PROXY), "/api/who").headers["x-request-id"] != given


def test_client_info_behind_a_proxy() -> None:
    """Forwarded address and scheme count only if the proxy is trusted."""
    forwarded = {"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https"}
    behind = request_app(app(PROXY), "/api/who", headers=forwarded, peer="10.0.0.1").json()
    assert (behind["address"], behind["secure"], behind["local"]) == ("203.0.113.9", True, False)
    untrusted = request_app(app(PROXY), "/api/who", headers=forwarded, peer="127.0.0.1").json()
    assert (untrusted["address"], untrusted["secure"], untrusted["local"]) == ("127.0.0.1", False, False)
    assert request_app(app(PROXY), "/api/who").json()["local"] is True
