"""The rate-limit middleware: large bodies count before they are read, rejected requests count too."""

import asyncio
from typing import Any

import pytest
from limits import parse
from starlette.types import Message

from sanssouci.notation import LARGEST
from sanssouci.server.rate_limits import Limit
from sanssouci.server.settings import Settings
from sanssouci.server.wire import description

from ..harness.server import InProcessServer, with_server
from ..harness.settings import RATES
from ..harness.transports import HOST


async def _start_upload(
    server: InProcessServer, peer: str
) -> "tuple[asyncio.Task[None], list[Message], list[int]]":
    """Start to send a record and stop; the request, its responses and its reads."""
    sent: list[Message] = []
    read: list[int] = []
    scope: dict[str, Any] = {
        "type": "http",
        "scheme": "http",
        "method": "POST",
        "path": "/api/records",
        "query_string": b"",
        "client": (peer, 4711),
        "headers": [(b"host", HOST.encode()), (b"accept-language", b"de")],
    }

    async def receive() -> Message:
        read.append(1)
        return await asyncio.get_running_loop().create_future()  # type: ignore[no-any-return]

    async def send(message: Message) -> None:
        sent.append(message)

    async def call() -> None:
        await server.app(scope, receive, send)

    task = asyncio.create_task(call())
    await asyncio.sleep(0)
    return task, sent, read


@with_server(rates={**RATES, Limit.IMPORT: parse("1/minute")}, address_factor=2)
async def test_records_are_counted_before_they_are_read(server: InProcessServer) -> None:
    """Uploads in progress count; one more of the address is a 429 without reading its body."""
    waiting = [await _start_upload(server, "192.0.2.1") for _ in range(2)]
    assert all(read and not sent for _, sent, read in waiting)
    task, sent, read = await _start_upload(server, "192.0.2.1")
    await task
    assert sent[0]["status"] == 429 and not read
    headers = dict(sent[0]["headers"])
    assert headers[b"connection"] == b"close" and int(headers[b"retry-after"]) > 0
    assert "Sekunden" in sent[1]["body"].decode()
    other = await _start_upload(server, "192.0.2.2")
    assert other[2] and not other[1]
    for task, _, _ in (*waiting, other):
        task.cancel()
    await asyncio.gather(*(task for task, _, _ in (*waiting, other)), return_exceptions=True)


@with_server(rates={**RATES, Limit.IMPORT: parse("2/minute")}, address_factor=2)
async def test_a_record_counts_once(server: InProcessServer) -> None:
    """A record counts once for the guest and once for the address."""
    ada = await server.guest("Ada")
    assert [(await ada.request("POST", "/api/records", {})).status_code for _ in range(3)] == [422, 422, 429]
    nobody = server.client()
    assert [(await nobody.request("POST", "/api/records", {})).status_code for _ in range(2)] == [422, 429]


MALFORMED: dict[str, dict[str, Any]] = {
    "a field is missing": {"json": {}},
    "a field is unknown": {"json": {"nonsense": 1}},
    "not JSON": {"content": b"{", "content_type": "application/json"},
    "a key twice": {"content": b'{"a": 1, "a": 2}', "content_type": "application/json"},
    "no content type": {"content": b"{}"},
}


@pytest.mark.parametrize("body", MALFORMED)
@pytest.mark.parametrize(("method", "path"), [("PATCH", "/api/me"), ("POST", "/api/tables/{table}/commands")])
@with_server(
    rates={**RATES, Limit.GUEST: parse("2/minute"), Limit.COMMAND: parse("2/minute")}, address_factor=100
)
async def test_a_malformed_body_counts_for_the_guest(
    server: InProcessServer, method: str, path: str, body: str
) -> None:
    """The guest's rate limit is checked before the body: 400 while requests are left, then 429."""
    ada = await server.guest("Ada")
    path = path.format(table=await ada.create_table("person", "random"))
    answers = [await ada.request(method, path, **MALFORMED[body]) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [400, 400, 429]
    codes = [answer.json()["error"]["code"] for answer in answers]
    assert codes == ["server.malformed", "server.malformed", "server.too_often"]


@with_server(rates={**RATES, Limit.REQUEST: parse("2/minute")}, address_factor=2)
async def test_malformed_requests_count(server: InProcessServer) -> None:
    """Malformed requests count towards the limit of the address."""
    nobody = server.client()
    responses = [await nobody.request("POST", "/api/guests", {"nonsense": 1}) for _ in range(5)]
    assert [answer.status_code for answer in responses] == [400] * 4 + [429]
    assert (await server.client(peer="192.0.2.1").request("GET", "/nowhere")).status_code == 404


@with_server(rates={**RATES, Limit.REQUEST: parse("2/minute")}, address_factor=1)
async def test_requests_with_a_foreign_host_or_origin_count(server: InProcessServer) -> None:
    """Refused requests count towards the limit of the address; then they get a 429."""
    nobody, foreign = server.client(), {"host": "evil.example", "accept_language": "fr"}
    responses = [await nobody.request("GET", "/health", **foreign) for _ in range(3)]
    assert [answer.status_code for answer in responses] == [421, 421, 429]
    assert (
        "secondes" in responses[2].json()["error"]["sentence"]
        and int(responses[2].headers["retry-after"]) > 0
    )
    other = server.client(peer="192.0.2.1")
    from_page = [await other.request("GET", "/health", origin="http://evil.example") for _ in range(3)]
    assert [answer.status_code for answer in from_page] == [403, 403, 429]


@with_server(rates={**RATES, Limit.REQUEST: parse("2/minute")}, address_factor=1)
async def test_refused_sockets_count(server: InProcessServer) -> None:
    """Sockets with a foreign origin count towards the limit of the address; then they get a 429."""
    foreign = [(b"host", HOST.encode()), (b"origin", b"http://evil.example"), (b"accept-language", b"de")]
    seen: list[Message] = []

    async def send(message: Message) -> None:
        seen.append(message)

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    for _ in range(3):
        scope = {"type": "websocket", "scheme": "ws", "path": "/api/socket", "query_string": b""}
        await server.app({**scope, "client": ("192.0.2.1", 1), "headers": foreign}, receive, send)
    assert [message["type"] for message in seen] == [
        "websocket.close",
        "websocket.close",
        "websocket.http.response.start",
        "websocket.http.response.body",
    ]
    assert seen[2]["status"] == 429 and "Sekunden" in seen[3]["body"].decode()


@with_server(rates={**RATES, Limit.IMPORT: parse("1/minute")}, address_factor=1)
async def test_refused_records_do_not_count_as_imports(server: InProcessServer) -> None:
    """Uploads with a foreign origin do not count towards the limit of imports."""
    nobody = server.client()
    for _ in range(2):
        turned_away = await nobody.request("POST", "/api/records", {}, origin="http://evil.example")
        assert turned_away.status_code == 403
    assert (await nobody.request("POST", "/api/records", {})).status_code == 422


def test_the_import_limit_is_the_maximum_record_size() -> None:
    """The default body limit of imports is the maximum size of a record."""
    assert Settings().max_import == LARGEST


@with_server(rates={**RATES, Limit.READ: parse("2/minute")}, address_factor=1)
async def test_the_description_is_cached_and_rate_limited(
    server: InProcessServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The API description is written once, and reading it counts towards the limit of reads."""
    nobody = server.client()
    first = await nobody.request("GET", "/api/openapi.json")
    monkeypatch.setattr(description, "COMMAND", ("false",))
    second = await nobody.request("GET", "/api/openapi.json")
    assert first.content == second.content and first.headers["content-type"] == "application/json"
    assert first.json()["x-socket"]["path"] == "/api/socket"
    assert (await nobody.request("GET", "/api/openapi.json")).status_code == 429
    assert (await server.client(peer="192.0.2.1").request("GET", "/api/openapi.json")).status_code == 200
