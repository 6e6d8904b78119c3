"""Every status that the description names is really given, by every route that names it, and no other is."""

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
from sanssouci.server.limits.rate_limits import Limit, RateLimiter, read_rates
from sanssouci.server.routes import daily
from sanssouci.server.routes.records import IMPORTS
from sanssouci.server.routes.reviews import ASK
from sanssouci.server.wire.error_codes import DOCUMENTS, all_codes
from sanssouci.server.wire.openapi import CLOSINGS
from sanssouci.store import Unavailable
from sanssouci.workers import StartProgress

from ..helpers import stream
from ..workers.pools import until
from .described_house import DESCRIPTION, OPERATIONS, House
from .house import RECORD
from .test_protocol import a_table, act, play, told
from .wire import Closed

Json = dict[str, Any]
LESSON = lessons()[0].id
LISTS = {("GET", "/api/tables"), ("GET", "/api/me/tables")}
"""Routes that take the place of a page."""
BODIES: dict[tuple[str, str], Json] = {
    ("POST", "/api/guests"): {"name": "Zoe"},
    ("PATCH", "/api/me"): {"name": "Ada L."},
    ("POST", "/api/tables"): {"chairs": [{"sitter": "person"}, {"sitter": "open"}]},
    ("POST", "/api/tables/{table}/seats"): {},
    ("POST", "/api/tables/{table}/commands"): {
        "command_id": "once",
        "expected_seq": 0,
        "command": {"type": "ready", "nonce": "00" * 8},
        "chair": 0,
    },
    ("POST", "/api/tables/{table}/tickets"): {"watch": True},
    ("POST", "/api/tables/{table}/hint"): {},
    ("POST", "/api/lessons/{lesson}/answer"): {"turn": None},
    ("POST", "/api/scores"): {"edition": "imperial", "seats": [{"built": [], "track": 0}] * 2},
    ("POST", "/api/boards"): {"file": write_boards(shipped_boards("parterre"))},
}
"""A good request to each route that wants a body."""
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
"""Requests that are understood and cannot be done, where the body makes them so."""

ERRORS = ("UserError", "QuotaExceeded", "Unavailable")
"""What is raised with a key."""
AT_THE_DOOR = {"server.too_many_sockets"}
"""Whoever has that problem hears of it by a close code alone."""


@dataclass
class Caller:
    """Somebody who asks every route, at one table."""

    house: House
    client: httpx.AsyncClient
    table: str
    review: str = "A" * 43

    async def ask(
        self,
        route: tuple[str, str],
        *,
        table: str = "",
        boards: str = "parterre",
        review: str = "",
        lesson: str = LESSON,
        client: httpx.AsyncClient | None = None,
        **more: Any,
    ) -> httpx.Response:
        """A good request to a route, but for what is said otherwise."""
        method, path = route
        words: Json = {"chair": 0, "link": "join", "edition": "imperial", "boards": boards, "turn": 0}
        words |= {"review": review or self.review, "lesson": lesson}
        path = path.format(table=table or self.table, **words)
        if route in BODIES and not {"json", "content"} & set(more):
            more["json"] = BODIES[route]
        return await (client or self.client).request(method, path, **more)


def test_every_status_of_every_route_is_given(tmp_path: Path) -> None:
    """Good requests, and bad ones of every kind; each answer is read by the model of its status."""
    told(all_statuses, tmp_path, max_import=4096)


async def all_statuses(house: House) -> None:
    """One after the other; what is seen is what is described."""
    ada = await house.guest("Ada")
    table = (await a_table(house, ada, "po", visibility="open"))["table"]
    caller = Caller(house, ada, table)
    for provoke in (malformed, strangers, not_there, refused):
        await provoke(caller)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(daily, "OPPONENT", "level:3")  # one whom this house offers
        patch.setattr(house.services.exposure, "_listen", AsyncMock())  # from now on there is a network
        patch.setattr(house.services.exposure, "_neighbours", lambda host, port: ("http://192.168.1.7:8017",))
        for provoke in (conflicts, full, too_often, broken, well):
            await provoke(caller)
    described = {
        (*route, int(status)) for route, operation in OPERATIONS.items() for status in operation["responses"]
    }
    assert described - house.seen.answers == set()


def naming(status: int) -> list[tuple[str, str]]:
    """The routes that name a status."""
    return [route for route, operation in OPERATIONS.items() if str(status) in operation["responses"]]


async def malformed(caller: Caller) -> None:
    """400 and 413."""
    for route in naming(400):
        bad: Json = (
            {"json": {"nothing": 1}}
            if route in BODIES
            else {"table": "nope", "review": "nope", "lesson": "nope"}
        )
        if "{edition}" in route[1]:
            bad = {"params": {"language": "la"}}
        if route in LISTS:
            bad = {"params": {"after": "no page"}}
        assert (await caller.ask(route, **bad)).status_code == 400
    for route in naming(413):
        assert (await caller.ask(route, content=b"x" * 20_000)).status_code == 413


async def strangers(caller: Caller) -> None:
    """401, 403 and 421: no name, a page from elsewhere, another's name for the server."""
    for route in naming(401):
        assert (await caller.ask(route, client=caller.house.client())).status_code == 401
    for route in naming(403):
        foreign = {"origin": "https://elsewhere.example"}
        assert (await caller.ask(route, headers=foreign)).status_code == 403
    for route in naming(421):
        assert (await caller.ask(route, headers={"host": "elsewhere.example"})).status_code == 421


async def not_there(caller: Caller) -> None:
    """404: tables that are not there, or closed to the caller; they cannot be told apart."""
    hidden = (await a_table(caller.house, await caller.house.guest("Eve"), "po"))["table"]
    for route in naming(404):
        first = await caller.ask(route, table="0" * 16, lesson="ways-99")
        assert first.status_code == 404
        assert (await caller.ask(route, table=hidden, lesson="ways-98")).json() == first.json()


async def refused(caller: Caller) -> None:
    """422: the rules or the table say no."""
    for route in naming(422):
        more: dict[str, Any] = {"json": WRONG[route]} if route in WRONG else {}
        if "{boards}" in route[1]:
            more = {"boards": "none"}
        answer = await caller.ask(route, **more)
        assert answer.status_code == 422, (route, answer.text)


async def conflicts(caller: Caller) -> None:
    """409: the table is elsewhere, or an id was used."""
    route = ("POST", "/api/tables/{table}/commands")
    for seq, code in ((-1, "declined.stale"), (7, "declined.ahead")):
        late = {**BODIES[route], "expected_seq": seq}
        assert (await caller.ask(route, json=late)).json()["error"]["code"] == code
    assert (await caller.ask(route)).json() == {"command_id": "once", "seq": 1, "repeated": False}
    assert (await caller.ask(route)).json() == {"command_id": "once", "seq": 1, "repeated": True}
    again = {**BODIES[route], "command": {"type": "unready"}}
    assert (await caller.ask(route, json=again)).json()["error"]["code"] == "declined.command_reused"


async def full(caller: Caller) -> None:
    """409: there is no room for one more."""
    services, zoe = caller.house.services, await caller.house.guest("Zoe")
    made = await a_table(caller.house, caller.client, "po", visibility="open")
    key = {"x-sanssouci-key": made["seats"][0]["token"]}
    with pytest.MonkeyPatch.context() as patch:
        for quota in ("_tables", "_seats"):
            patch.setattr(services.membership._quotas, quota, 0)
        patch.setattr(services.socket_limits, "_max_per_client", 0)
        for route in naming(409):
            if not route[1].endswith("/commands"):
                answer = await caller.ask(route, table=made["table"], client=zoe, headers=key)
                assert answer.status_code == 409, (route, answer.text)


async def too_often(caller: Caller) -> None:
    """429, with the time after which it is worth trying again, when the rate that is named is used up."""
    services = caller.house.services
    usual, rates = services.limits, read_rates(",".join(f"{bucket}=1/hour" for bucket in Limit))
    for route in naming(429):
        object.__setattr__(services, "limits", RateLimiter(rates, 1))
        services.limits.hit(Limit(OPERATIONS[route].get("x-rate", "request")), "127.0.0.1")
        answer = await caller.ask(route)
        assert answer.status_code == 429 and int(answer.headers["retry-after"]) > 3500
    object.__setattr__(services, "limits", usual)


async def broken(caller: Caller) -> None:
    """500 and 503: something fails that nobody has thought of, or the disk does, or no player is there."""
    services = caller.house.services
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services.limits, "hit", raising(RuntimeError("a hand: 36")))
        for route in naming(500):
            answer = await caller.ask(route)
            assert answer.status_code == 500 and "36" not in answer.text
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services.store, "token", raising(Unavailable("store.unavailable", reason="full")))
        patch.setattr(services.worker_pool, "progress", StartProgress())
        for route in naming(503):
            answer = await caller.ask(route)
            assert answer.status_code == 503
            assert ("retry-after" in answer.headers) == (route[1] != "/ready")


def raising(error: Exception) -> Callable[..., Any]:
    """A function that does not work."""

    def fail(*_: Any) -> Any:
        raise error

    return fail


async def well(caller: Caller) -> None:
    """What is done, at a table that is played at, and at last at one that is over; then nobody is left."""
    house, ada = caller.house, caller.client
    made = await a_table(house, ada, "pc", first=0)
    wire = await house.socket(ada, made["table"])
    await play([wire], [], stream(3), until="playing")
    assert (await caller.ask(("POST", "/api/tables/{table}/hint"), table=made["table"])).status_code == 200
    looked = await caller.ask(("GET", "/api/tables/{table}/past/{turn}"), table=made["table"])
    assert looked.status_code == 200 and looked.json()["last"] == 0
    await wire.hear_until(await act(wire, stream(4)))
    await wire.do("concede")
    record = await caller.ask(("GET", "/api/tables/{table}/record"), table=made["table"])
    for path in IMPORTS:
        assert (await caller.ask(("POST", path), content=record.content)).status_code == 200
    await reviewed(caller, made["table"])
    last = ("DELETE", "/api/me")
    done = {"/api/tables/{table}/hint", "/api/tables/{table}/record", "/api/tables/{table}/review", *IMPORTS}
    done |= {path for _, path in OPERATIONS if path.startswith(ASK) or "/past/" in path}
    for route in [*(route for route in OPERATIONS if route != last and route[1] not in done), last]:
        assert (await caller.ask(route)).status_code in (200, 201), route


async def reviewed(caller: Caller, table: str) -> None:
    """Of a table and of a record, seen and deleted."""
    assert (await caller.ask(("POST", "/api/tables/{table}/review"), table=table)).status_code == 201
    caller.review = (await caller.ask(("POST", ASK), content=RECORD)).json()["review"]
    await until(lambda: caller.house.services.reviews.work(caller.review) is None)
    assert (await caller.ask(("POST", ASK + "/{review}/again"))).status_code == 201
    for method, path in (("GET", "/{review}"), ("GET", "/{review}/steps"), ("DELETE", "/{review}")):
        assert (await caller.ask((method, ASK + path))).status_code == 200


def test_what_is_not_there_is_told_so(tmp_path: Path) -> None:
    """A page or a method that the server does not have: errors of the same form."""

    async def story(house: House) -> None:
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(house.app), base_url="http://127.0.0.1:8017"
        ) as client:
            missing, wrong = await client.get("/api/nothing"), await client.put("/api/me")
        assert (missing.status_code, wrong.status_code) == (404, 405)
        assert missing.json()["error"]["code"] == "server.no_such_page"
        assert wrong.json()["error"]["code"] == "server.wrong_method"

    told(story, tmp_path)


def test_every_way_in_which_a_socket_is_closed_is_described(tmp_path: Path) -> None:
    """Messages that are none, tickets that are not good, a chair that was lost."""
    told(closed_sockets, tmp_path)
    own = {value for name, value in vars(socket).items() if name.isupper() and isinstance(value, int)}
    assert own <= set(CLOSINGS) and len(own) >= 5


async def closed_sockets(house: House) -> None:
    """Each with its code."""
    ada = await house.guest("Ada")
    made = await a_table(house, ada, "po")
    table = made["table"]
    ticket = (await ada.post(f"/api/tables/{table}/tickets", json={})).json()["ticket"]
    assert await closing(await house.wire().open(ticket=ticket, nothing=1)) == socket.BAD_MESSAGE
    wire = await house.wire().open(ticket=ticket)
    await wire.hear()
    assert await closing(await house.wire().open(ticket=ticket)) == socket.BAD_TICKET
    late = (await ada.post(f"/api/tables/{table}/tickets", json={})).json()["ticket"]
    await wire.do("rise")
    assert await closing(wire) == socket.SEAT_LOST
    assert await closing(await house.wire().open(ticket=late)) == socket.SEAT_LOST
    silent = house.wire()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "_HELLO_TIMEOUT", 0.0)
        await silent.open()
        assert await closing(silent) == socket.NO_HELLO
    watcher = await house.socket(house.client(x_sanssouci_key=made["watch"]), table)
    await watcher.hear()
    await watcher.say("[]")
    assert await closing(watcher) == socket.BAD_MESSAGE


async def closing(wire: Any) -> int:
    """The code with which a socket is closed now."""
    with pytest.raises(Closed) as closed:
        await wire.hear()
    return closed.value.code


def test_every_code_that_a_route_can_give_is_listed() -> None:
    """Every error key of the server and of tables is in the list, or only the host sees it."""
    listed, folder = set(DESCRIPTION["x-errors"]), Path(sanssouci.server.__file__).parent
    for path in (*folder.rglob("*.py"), *(folder.parent / "table").glob("*.py")):
        if path.name in ("settings.py", "setting_values.py", "run.py", "rate_limits.py"):
            continue  # before anyone can ask
        for key in user_error_response(ast.parse(path.read_text(encoding="utf-8"))):
            told_to_the_host = key.startswith(("table.", "settings.", "audit."))
            assert key in listed | AT_THE_DOOR or key.startswith(DOCUMENTS) or told_to_the_host, (
                path.name,
                key,
            )


def user_error_response(tree: ast.AST) -> list[str]:
    """The keys of all user errors in a module."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    named = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in ERRORS]
    keys = [call.args[0] for call in named]
    return [str(key.value) for key in keys if isinstance(key, ast.Constant)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_sentences_of_the_server_begin_alike(language: str) -> None:
    """In German with a capital, in the other languages without; a value that comes first is as it is."""
    words = catalogue(language)
    begun = {code: words[code].lstrip("“„«¡¿\u00a0")[0] for code in all_codes()}
    plain = {code: letter for code, letter in begun.items() if letter.isalpha()}
    odd = {code for code, letter in plain.items() if letter.isupper() != (language == "de")}
    assert odd == set() and len(plain) > 90
