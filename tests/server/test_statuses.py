"""Every status in the API description occurs, for every route that names it, and no other."""

import ast
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import httpx
import pytest

import sanssouci.server
from sanssouci.editions import shipped_boards, write_boards
from sanssouci.lessons import lessons
from sanssouci.locale import LANGUAGES
from sanssouci.locale.catalogue import catalogue
from sanssouci.server import socket
from sanssouci.server.error_responses import DOCUMENTS, all_codes
from sanssouci.server.rate_limits import Limit, RateLimiter, read_rates
from sanssouci.server.routes import tables
from sanssouci.server.routes.records import ASK, CHECK, IMPORTS, STEPS
from sanssouci.server.tables.live_table import SEAT_LOST
from sanssouci.server.wire.openapi import CLOSINGS
from sanssouci.store import ExpireGame, Unavailable
from sanssouci.workers import StartProgress

from ..harness.builders import RECORD
from ..harness.client import Client
from ..harness.description import DESCRIPTION, OPERATIONS
from ..harness.server import InProcessServer, with_server
from ..harness.sockets import Json, Socket
from ..harness.transports import Closed
from ..helpers import stream
from ..workers.pools import until
from .test_protocol import act, play

LESSON = lessons()[0].id
LISTS = {("GET", "/api/tables"), ("GET", "/api/me/tables")}
"""Routes with a page cursor."""
BODIES: dict[tuple[str, str], Json] = {
    ("POST", "/api/guests"): {"name": "Zoe"},
    ("PATCH", "/api/me"): {"name": "Ada L."},
    ("POST", "/api/tables"): {"chairs": [{"sitter": "person"}, {"sitter": "open"}]},
    ("POST", "/api/tables/{table}/seats"): {},
    ("POST", "/api/tables/{table}/commands"): {
        "command_id": "once",
        "expected_seq": 0,
        "command": {"type": "ready", "commitment": "00" * 32},
        "chair": 0,
    },
    ("POST", "/api/tables/{table}/tickets"): {"watch": True},
    ("POST", "/api/tables/{table}/hint"): {},
    ("POST", "/api/lessons/{lesson}/answer"): {"turn": None},
    ("POST", "/api/scores"): {"edition": "imperial", "seats": [{"built": [], "track": 0}] * 2},
    ("POST", "/api/boards"): {"file": write_boards(shipped_boards("parterre"))},
    ("POST", "/api/boards/draft"): {"name": "my box", "gardens": []},
}
"""A valid body for each route that needs one."""
WRONG: dict[tuple[str, str], Json] = {
    ("POST", "/api/guests"): {"name": "\u200b"},
    ("PATCH", "/api/me"): {"name": " "},
    ("POST", "/api/tables"): {**BODIES["POST", "/api/tables"], "expansions": ["wild_boar"]},
    ("POST", "/api/tables/{table}/seats"): {"chair": 0},
    ("POST", "/api/tables/{table}/hint"): {},
    ("POST", "/api/tables/{table}/commands"): {
        **BODIES["POST", "/api/tables/{table}/commands"],
        "command": {"type": "unready"},
    },
    ("POST", "/api/records"): {"format": "none"},
    ("POST", "/api/records/steps"): {"format": "none"},
    ("POST", "/api/reviews"): {"format": "none"},
    ("POST", "/api/scores"): {
        "edition": "imperial",
        "seats": [{"built": ["a1", "a1"], "track": 0}, {"built": [], "track": 0}],
    },
    ("POST", "/api/boards"): {"file": "[boards]"},
    ("POST", "/api/lessons/{lesson}/answer"): {"turn": "no turn"},
}
"""Well-formed bodies that give a 422."""

ERRORS = ("UserError", "QuotaExceeded", "Unavailable")
"""Exceptions that have a key."""


@dataclass
class Caller:
    """A client that requests every route, for one table."""

    server: InProcessServer
    client: Client
    table: str
    review: str = "A" * 43

    async def request(
        self,
        route: tuple[str, str],
        *,
        client: Client | None = None,
        query: str = "",
        parameters: Json | None = None,
        **more: Any,
    ) -> httpx.Response:
        """A valid request to a route, except for what the arguments change."""
        values: Json = {"chair": 0, "link": "join", "edition": "imperial", "boards": "parterre", "turn": 0}
        values |= {"table": self.table, "review": self.review, "lesson": LESSON, **(parameters or {})}
        if route in BODIES and not {"json", "content"} & set(more):
            more["json"] = BODIES[route]
        return await (client or self.client).request(route[0], route[1].format(**values) + query, **more)


@with_server(described=True, max_import=4096, players=("random", "level:3"))
async def test_every_status_of_every_route_occurs(server: InProcessServer) -> None:
    """Valid and invalid requests of every kind give every described status."""
    assert server.check is not None
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open", visibility="open")
    caller = Caller(server, ada, table.id)
    for provoke in (malformed, unauthorised, missing, expired, refused):
        await provoke(caller)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "OPPONENT", "level:3")  # this server offers it
        patch.setattr(server.services.exposure, "_listen", AsyncMock())  # pretend to have a network
        patch.setattr(
            server.services.exposure, "_neighbours", lambda host, port: ("http://192.168.1.7:8017",)
        )
        for provoke in (conflicts, full, too_often, broken, succeeding):
            await provoke(caller)
    described = {
        (*route, int(status)) for route, operation in OPERATIONS.items() for status in operation["responses"]
    }
    assert described - server.check.seen == set()


def routes_with(status: int) -> list[tuple[str, str]]:
    """The routes that describe a status."""
    return [route for route, operation in OPERATIONS.items() if str(status) in operation["responses"]]


async def malformed(caller: Caller) -> None:
    """400 and 413."""
    for route in routes_with(400):
        bad: Json = {"parameters": {"table": "nope", "review": "nope", "lesson": "nope"}}
        if route in BODIES:
            bad = {"json": {"nothing": 1}}
        if "{edition}" in route[1]:
            bad = {"query": "?language=la"}
        if route in LISTS:
            bad = {"query": "?after=no%20page"}
        if route[1] == "/api/lessons":
            bad = {"query": "?edition=none"}
        assert (await caller.request(route, **bad)).status_code == 400
    for route in routes_with(413):
        assert (await caller.request(route, content=b"x" * 20_000)).status_code == 413


async def unauthorised(caller: Caller) -> None:
    """401, 403 and 421: no guest, a foreign origin, a foreign host name."""
    for route in routes_with(401):
        assert (await caller.request(route, client=caller.server.client())).status_code == 401
    for route in routes_with(403):
        assert (await caller.request(route, origin="https://elsewhere.example")).status_code == 403
    for route in routes_with(421):
        assert (await caller.request(route, host="elsewhere.example")).status_code == 421


async def missing(caller: Caller) -> None:
    """404: missing tables and tables closed to the caller get the same response."""
    hidden = await (await caller.server.guest("Eve")).create_table("person", "open")
    for route in routes_with(404):
        first = await caller.request(route, parameters={"table": "0" * 16, "lesson": "ways-99"})
        assert first.status_code == 404
        other = await caller.request(route, parameters={"table": hidden, "lesson": "ways-98"})
        assert other.json() == first.json()


async def expired(caller: Caller) -> None:
    """410: the table has expired, whoever asks."""
    caller.server.store.write(ExpireGame("1" * 16, caller.server.clock.now)).result(60)
    for route in routes_with(410):
        assert (await caller.request(route, parameters={"table": "1" * 16})).status_code == 410


async def refused(caller: Caller) -> None:
    """422: the rules or the table refuse the request."""
    for route in routes_with(422):
        more: dict[str, Any] = {"json": WRONG[route]} if route in WRONG else {}
        if "{boards}" in route[1]:
            more = {"parameters": {"boards": "none"}}
        answer = await caller.request(route, **more)
        assert answer.status_code == 422, (route, answer.text)


async def conflicts(caller: Caller) -> None:
    """409: the command is stale or ahead, or its id was used."""
    route = ("POST", "/api/tables/{table}/commands")
    for seq, code in ((-1, "declined.stale"), (7, "declined.ahead")):
        late = {**BODIES[route], "expected_seq": seq}
        assert (await caller.request(route, json=late)).json()["error"]["code"] == code
    assert (await caller.request(route)).json() == {"command_id": "once", "seq": 1, "repeated": False}
    assert (await caller.request(route)).json() == {"command_id": "once", "seq": 1, "repeated": True}
    again = {**BODIES[route], "command": {"type": "unready"}}
    assert (await caller.request(route, json=again)).json()["error"]["code"] == "declined.command_reused"


async def full(caller: Caller) -> None:
    """409: a quota is exhausted."""
    services, zoe = caller.server.services, await caller.server.guest("Zoe")
    table = await caller.client.create_table("person", "open", visibility="open")
    holder = zoe.with_key(table.seats[0])
    with pytest.MonkeyPatch.context() as patch:
        for quota in ("_tables", "_seats"):
            patch.setattr(services.membership._quotas, quota, 0)
        patch.setattr(services.socket_limits, "_max_per_client", 0)
        for route in routes_with(409):
            if not route[1].endswith("/commands"):
                answer = await caller.request(route, parameters={"table": table}, client=holder)
                assert answer.status_code == 409, (route, answer.text)


async def too_often(caller: Caller) -> None:
    """429 with Retry-After, when the rate limit of the route is exhausted."""
    services = caller.server.services
    usual, rates = services.limits, read_rates(",".join(f"{limit}=1/hour" for limit in Limit))
    for route in routes_with(429):
        object.__setattr__(services, "limits", RateLimiter(rates, 1))
        services.limits.hit(Limit(OPERATIONS[route].get("x-rate", "request")), "127.0.0.1")
        answer = await caller.request(route)
        assert answer.status_code == 429 and int(answer.headers["retry-after"]) > 3500
    object.__setattr__(services, "limits", usual)


async def broken(caller: Caller) -> None:
    """500 and 503: an unexpected error, a failing store, or no players."""
    services = caller.server.services
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services.limits, "hit", raising(RuntimeError("a hand: 36")))
        for route in routes_with(500):
            answer = await caller.request(route)
            assert answer.status_code == 500 and "36" not in answer.text
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services.store, "token", raising(Unavailable("store.unavailable", reason="full")))
        patch.setattr(services.worker_pool, "progress", StartProgress())
        for route in routes_with(503):
            answer = await caller.request(route)
            assert answer.status_code == 503
            assert ("retry-after" in answer.headers) == (route[1] != "/ready")


def raising(error: Exception) -> Callable[..., Any]:
    """A function that raises the error."""

    def fail(*_: Any) -> Any:
        raise error

    return fail


async def succeeding(caller: Caller) -> None:
    """200 and 201: at a running table, then at a finished one; the guest is deleted last."""
    ada = caller.client
    table = await ada.create_table("person", "random", first=0)
    here = {"table": table}
    socket = await ada.connect(table)
    await play([socket], [], stream(3), until="playing")
    assert (await caller.request(("POST", "/api/tables/{table}/hint"), parameters=here)).status_code == 200
    past = await caller.request(("GET", "/api/tables/{table}/past/{turn}"), parameters=here)
    assert past.status_code == 200 and past.json()["last"] == 0
    await socket.catch_up(await act(socket, stream(4)))
    await socket.do("concede")
    record = await caller.request(("GET", "/api/tables/{table}/record"), parameters=here)
    for path in (CHECK, STEPS):
        assert (await caller.request(("POST", path), content=record.content)).status_code == 200
    await review_routes(caller, here)
    last = ("DELETE", "/api/me")
    done = {"/api/tables/{table}/hint", "/api/tables/{table}/record", "/api/tables/{table}/review", *IMPORTS}
    done |= {path for _, path in OPERATIONS if path.startswith(ASK) or "/past/" in path}
    for route in [*(route for route in OPERATIONS if route != last and route[1] not in done), last]:
        assert (await caller.request(route)).status_code in (200, 201), route


async def review_routes(caller: Caller, here: Json) -> None:
    """Reviews of a table and of a record are created, read and deleted."""
    assert (await caller.request(("POST", "/api/tables/{table}/review"), parameters=here)).status_code == 201
    caller.review = (await caller.request(("POST", ASK), content=RECORD)).json()["review"]
    await until(lambda: caller.server.services.reviews.running(caller.review) is None)
    assert (await caller.request(("POST", ASK + "/{review}/again"))).status_code == 201
    for method, path in (("GET", "/{review}"), ("GET", "/{review}/steps"), ("DELETE", "/{review}")):
        assert (await caller.request((method, ASK + path))).status_code == 200


@with_server()
async def test_unknown_routes_and_methods(server: InProcessServer) -> None:
    """An unknown route is a 404 and an unknown method a 405, in the usual error format."""
    client = server.client()
    missing, wrong = await client.request("GET", "/api/nothing"), await client.request("PUT", "/api/me")
    assert (missing.status_code, wrong.status_code) == (404, 405)
    assert missing.json()["error"]["code"] == "server.no_such_page"
    assert wrong.json()["error"]["code"] == "server.wrong_method"


@with_server(described=True)
async def test_close_codes_are_described(server: InProcessServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every close code is described; bad messages, bad tickets and lost seats have theirs."""
    own = {value for name, value in vars(socket).items() if name.isupper() and isinstance(value, int)}
    assert own <= set(CLOSINGS) and len(own) >= 5
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    ticket = await ada.ticket(table)
    garbled = await ada.open_socket()
    await garbled.send({"type": "hello", "ticket": ticket, "nothing": 1})
    assert await close_code(garbled) == socket.BAD_MESSAGE
    seated = await ada.connect_with(ticket)
    await seated.receive()
    assert await close_code(await ada.connect_with(ticket)) == socket.BAD_TICKET
    late = await ada.ticket(table)
    await seated.do("rise")
    assert await close_code(seated) == SEAT_LOST
    assert await close_code(await ada.connect_with(late)) == SEAT_LOST
    watcher = await server.client().with_key(table.watch).connect(table)
    await watcher.receive()
    await watcher.send("[]")
    assert await close_code(watcher) == socket.BAD_MESSAGE
    monkeypatch.setattr(socket, "_HELLO_TIMEOUT", 0.0)
    assert await close_code(await ada.open_socket()) == socket.NO_HELLO


async def close_code(opened: Socket) -> int:
    """The code with which the server closes the socket at once."""
    with pytest.raises(Closed) as closed:
        await opened.receive()
    return closed.value.code


def test_every_error_code_is_described() -> None:
    """Every error key of the server and of tables is described, or only the host sees it."""
    listed, folder = set(DESCRIPTION["x-errors"]), Path(sanssouci.server.__file__).parent
    for path in (*folder.rglob("*.py"), *(folder.parent / "table").glob("*.py")):
        if path.name in ("settings.py", "run.py", "rate_limits.py"):
            continue  # raised before the server listens
        for key in error_keys(ast.parse(path.read_text(encoding="utf-8"))):
            for_the_host = key.startswith(("table.", "settings.", "audit."))
            assert key in listed or key.startswith(DOCUMENTS) or for_the_host, (
                path.name,
                key,
            )


def error_keys(tree: ast.AST) -> list[str]:
    """The keys of all user errors raised in a module."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    named = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in ERRORS]
    keys = [call.args[0] for call in named]
    return [str(key.value) for key in keys if isinstance(key, ast.Constant)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_capitalisation_of_error_messages(language: str) -> None:
    """Error messages begin with a capital in German only, unless they begin with a value."""
    texts = catalogue(language)
    initials = {code: texts[code].lstrip("“„«¡¿\u00a0")[0] for code in all_codes()}
    plain = {code: letter for code, letter in initials.items() if letter.isalpha()}
    odd = {code for code, letter in plain.items() if letter.isupper() != (language == "de")}
    assert odd == set() and len(plain) > 90
