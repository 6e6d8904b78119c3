"""What is dear to answer is paid for: large bodies before they are read, the description as any reading."""

import asyncio
from typing import Any

import pytest
from limits import parse
from starlette.types import Message

from sanssouci.notation import LARGEST
from sanssouci.server import app as application
from sanssouci.server.limits.rate_limits import Limit
from sanssouci.server.settings import Settings

from .house import HOST, RATES, House, Person, housed


async def _begun(house: House, peer: str) -> "tuple[asyncio.Task[None], list[Message], list[int]]":
    """Somebody begins to send a record, and does not go on: the request, what is answered, what was read."""
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

    async def asked() -> None:
        await house.app(scope, receive, send)

    task = asyncio.create_task(asked())
    await asyncio.sleep(0)
    return task, sent, read


@housed(rates={**RATES, Limit.IMPORT: parse("1/minute")}, address_factor=2)
async def test_an_address_pays_before_its_record_is_read(house: House) -> None:
    """Those that are waited for count; one more is refused and not read. Another address has its own."""
    waiting = [await _begun(house, "192.0.2.1") for _ in range(2)]
    assert all(read and not sent for _, sent, read in waiting)
    task, sent, read = await _begun(house, "192.0.2.1")
    await task
    assert sent[0]["status"] == 429 and not read
    headers = dict(sent[0]["headers"])
    assert headers[b"connection"] == b"close" and int(headers[b"retry-after"]) > 0
    assert "Sekunden" in sent[1]["body"].decode()
    other = await _begun(house, "192.0.2.2")
    assert other[2] and not other[1]
    for task, _, _ in (*waiting, other):
        task.cancel()
    await asyncio.gather(*(task for task, _, _ in (*waiting, other)), return_exceptions=True)


@housed(rates={**RATES, Limit.IMPORT: parse("2/minute")}, address_factor=2)
async def test_a_record_is_paid_for_once(house: House) -> None:
    """By the guest and by the address: the guest is the first to have none left, then the address."""
    ada = await house.guest("Ada")
    assert [(await ada.ask("POST", "/api/records", {})).status_code for _ in range(3)] == [422, 422, 429]
    nobody = house.nobody()
    assert [(await nobody.ask("POST", "/api/records", {})).status_code for _ in range(2)] == [422, 429]


@housed(rates={**RATES, Limit.REQUEST: parse("2/minute")}, address_factor=2)
async def test_a_malformed_request_is_paid_for_too(house: House) -> None:
    """It never gets as far as a route that counts it; the fifth is refused unread."""
    nobody = house.nobody()
    asked = [await nobody.ask("POST", "/api/guests", {"nonsense": 1}) for _ in range(5)]
    assert [answer.status_code for answer in asked] == [400] * 4 + [429]
    assert (await Person(house, peer="192.0.2.1").ask("GET", "/nowhere")).status_code == 404


@housed(rates={**RATES, Limit.REQUEST: parse("2/minute")}, address_factor=1)
async def test_who_is_turned_away_pays_all_the_same(house: House) -> None:
    """By a wrong name or from a stranger's page; then the address is told to wait, in its own language."""
    nobody, evil = house.nobody(), {"host": "evil.example", "accept_language": "fr"}
    asked = [await nobody.ask("GET", "/health", **evil) for _ in range(3)]
    assert [answer.status_code for answer in asked] == [421, 421, 429]
    assert "secondes" in asked[2].json()["error"]["sentence"] and int(asked[2].headers["retry-after"]) > 0
    other = Person(house, peer="192.0.2.1")
    strange = [await other.ask("GET", "/health", origin="http://evil.example") for _ in range(3)]
    assert [answer.status_code for answer in strange] == [403, 403, 429]


@housed(rates={**RATES, Limit.REQUEST: parse("2/minute")}, address_factor=1)
async def test_a_socket_is_paid_for_before_it_is_looked_at(house: House) -> None:
    """One from a stranger's page too; the third is refused with a sentence, and none is opened."""
    evil = [(b"host", HOST.encode()), (b"origin", b"http://evil.example"), (b"accept-language", b"de")]
    seen: list[Message] = []

    async def send(message: Message) -> None:
        seen.append(message)

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    for _ in range(3):
        scope = {"type": "websocket", "scheme": "ws", "path": "/api/socket", "query_string": b""}
        await house.app({**scope, "client": ("192.0.2.1", 1), "headers": evil}, receive, send)
    assert [message["type"] for message in seen] == [
        "websocket.close",
        "websocket.close",
        "websocket.http.response.start",
        "websocket.http.response.body",
    ]
    assert seen[2]["status"] == 429 and "Sekunden" in seen[3]["body"].decode()


@housed(rates={**RATES, Limit.IMPORT: parse("1/minute")}, address_factor=1)
async def test_a_strangers_page_does_not_use_up_its_visitors_records(house: House) -> None:
    """What is turned away is not counted as a record that is sent in."""
    nobody = house.nobody()
    for _ in range(2):
        turned_away = await nobody.ask("POST", "/api/records", {}, origin="http://evil.example")
        assert turned_away.status_code == 403
    assert (await nobody.ask("POST", "/api/records", {})).status_code == 422


def test_no_more_is_taken_than_a_record_may_have() -> None:
    """A longer one would be read, and then refused."""
    assert Settings().max_import == LARGEST


@housed(rates={**RATES, Limit.READ: parse("2/minute")}, address_factor=1)
async def test_the_description_is_written_once_and_counts(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same bytes for everyone, and not too often."""
    nobody = house.nobody()
    first = await nobody.ask("GET", "/api/openapi.json")
    monkeypatch.setattr(application, "described", None)
    second = await nobody.ask("GET", "/api/openapi.json")
    assert first.content == second.content and first.headers["content-type"] == "application/json"
    assert first.json()["x-socket"]["path"] == "/api/socket"
    assert (await nobody.ask("GET", "/api/openapi.json")).status_code == 429
    assert (await Person(house, peer="192.0.2.1").ask("GET", "/api/openapi.json")).status_code == 200
