"""A whole server without a network: its clock, ids, seeds and tokens are given, its computer players at hand.

Everything that it says, by HTTP or on a socket, is read by the models of its description; what is not
described there fails the test.
"""

import re
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
from pydantic import TypeAdapter
from starlette.types import ASGIApp
from structlog.testing import capture_logs

from sanssouci.dealer import BulkGame
from sanssouci.notation import Record, write_turn
from sanssouci.players import RandomPlayer
from sanssouci.review import PositionReview, Reason
from sanssouci.rules import SetupView, State, Turn, View
from sanssouci.server import bare_app, make_app, make_services
from sanssouci.server.auth.tokens import Token
from sanssouci.server.limits.rate_limits import Limit, Rates, read_rates
from sanssouci.server.middleware.allowed_origins import AllowedOrigins
from sanssouci.server.services import Services
from sanssouci.server.settings import Settings
from sanssouci.server.tables.table_registry import Dependencies
from sanssouci.server.wire import socket_messages
from sanssouci.server.wire.error_codes import DOCUMENTS
from sanssouci.server.wire.errors import ErrorAnswer
from sanssouci.server.wire.openapi import operations
from sanssouci.server.wire.route_docs import ANSWERS
from sanssouci.server.wire.scalars import validator
from sanssouci.store import Store
from sanssouci.workers import Answer, Expectation, HintResult, StartProgress, WorkerPool

from ..workers.position_reviews import made_up_look
from .wire import Wire

Json = dict[str, Any]
PLAYERS = ("random", "greedy", "level:1", "level:3")
"""All of them play at random here."""
BASE = "http://127.0.0.1:8017"
SOCKET = TypeAdapter(socket_messages.ServerMessage)
DESCRIPTION = bare_app().openapi()
OPERATIONS = operations(DESCRIPTION)
MODELS = {model.__name__: model for model in ANSWERS}


class Seen:
    """Every answer that was given: method, path as described, status."""

    def __init__(self) -> None:
        self.answers: set[tuple[str, str, int]] = set()

    async def __call__(self, response: httpx.Response) -> None:
        """Take an answer note of, having read it by its model."""
        await response.aread()
        request = response.request
        path = template(request.method, request.url.path)
        self.answers.add((request.method, path, response.status_code))
        described = OPERATIONS[request.method, path]["responses"]
        assert str(response.status_code) in described, (
            request.method,
            path,
            response.status_code,
            response.text,
        )
        content = described[str(response.status_code)]["content"]
        kind = response.headers["content-type"].partition(";")[0]
        schema = content[kind]["schema"]
        if "$ref" in schema:
            model = MODELS[schema["$ref"].rpartition("/")[2]]
            found = validator(model).validate_json(response.content)
            if model is ErrorAnswer:
                check_code(found["error"]["code"], response.status_code)


def check_code(code: str, status: int) -> None:
    """A code of an error is one of the list, and has the status that the list says."""
    if code in DESCRIPTION["x-errors"]:
        assert DESCRIPTION["x-errors"][code]["status"] == status, code
    else:
        assert code.startswith(DOCUMENTS) and status == 422, code


def template(method: str, path: str) -> str:
    """The path of a request as the description has it."""
    found = [known for asked, known in OPERATIONS if asked == method and _pattern(known).fullmatch(path)]
    assert len(found) == 1, (method, path)
    return found[0]


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub("{[a-z]+}", "[^/]+", path))


class InlinePool(WorkerPool):
    """Computer players that play at random, here and at once."""

    def __init__(self) -> None:
        super().__init__(1, PLAYERS)
        self.progress = StartProgress(ready=1)

    async def turn(self, player: str, view: View, key: bytes, owner: str = "") -> Answer[Turn]:
        """A random turn."""
        self._check_allowed(player)
        return Answer(_random(key).decide(view))

    async def side(self, player: str, view: SetupView, key: bytes, owner: str = "") -> Answer[int]:
        """A random side."""
        self._check_allowed(player)
        return Answer(_random(key).pick(view))

    async def hint(self, view: View, key: bytes, owner: str = "") -> HintResult:
        """Any turn, for reasons of their own."""
        turn = write_turn(_random(key).decide(view))
        expected = Expectation(turn, 3, 0.25, 71.0, 1.5, 4.0, 0.625, 0.1, True)
        reasons = (Reason("row_complete", (("row", 2), ("points", 8))),)
        return HintResult(turn, reasons, expected, (expected,))

    async def review_position(
        self, record: Record, state: State, turn: Turn | None, owner: str = ""
    ) -> PositionReview:
        """What is made up."""
        return made_up_look(state, turn)


def _random(key: bytes) -> RandomPlayer:
    return RandomPlayer(BulkGame(key, 1).stream(0))


class Chances:
    """Clock, ids, seeds and tokens that are the same every time."""

    def __init__(self) -> None:
        self.at = 1_800_000_000.0
        self._number = 0

    def dependencies(self) -> Dependencies:
        """What a hall takes from the world."""
        return Dependencies(
            self.now, lambda: self._next("table").hex()[:16], lambda: self._next("seed"), self._token
        )

    def now(self) -> float:
        """It is always the same time, until a test says otherwise."""
        return self.at

    def _next(self, kind: str) -> bytes:
        self._number += 1
        return sha256(f"{kind} {self._number}".encode()).digest()

    def _token(self) -> Token:
        return Token(urlsafe_b64encode(self._next("token")).decode("ascii").rstrip("="))


class House:
    """A server, and who goes in and out."""

    def __init__(self, services: Services, chances: Chances, app: ASGIApp) -> None:
        self.services = services
        self.chances = chances
        self.app = app
        self.seen = Seen()
        self.wires: list[Wire] = []
        self.clients: list[httpx.AsyncClient] = []

    def client(self, **headers: str) -> httpx.AsyncClient:
        """Somebody who asks; every answer is checked."""
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False, client=("127.0.0.1", 4711))
        client = httpx.AsyncClient(
            transport=transport,
            base_url=BASE,
            headers={name.replace("_", "-"): value for name, value in headers.items()},
            event_hooks={"response": [self.seen]},
        )
        self.clients.append(client)
        return client

    async def guest(self, name: str) -> httpx.AsyncClient:
        """Somebody who has chosen a name."""
        answer = await self.client().post("/api/guests", json={"name": name, "cookie": False})
        return self.client(authorization=f"Bearer {answer.json()['token']}")

    def wire(self) -> Wire:
        """A socket that is not open yet."""
        self.wires.append(Wire(self.app, SOCKET, f"wire{len(self.wires)}"))
        return self.wires[-1]

    async def socket(self, who: httpx.AsyncClient, table: str, **wish: Any) -> Wire:
        """A socket at a table, opened with a ticket; its first update is still to be heard."""
        answer = await who.post(f"/api/tables/{table}/tickets", json=wish)
        return await self.wire().open(ticket=answer.json()["ticket"])


@asynccontextmanager
async def open_house(folder: Path, **settings: Any) -> AsyncIterator[House]:
    """A server on a new data file; rates are so high that nobody meets them, unless they are given."""
    settings.setdefault("rates", _generous())
    chosen = Settings(players=PLAYERS, data=folder / "tables.db", **settings)
    chances = Chances()
    with capture_logs(), Store.open(chosen.data) as store:
        services = make_services(chosen, store, InlinePool(), chances.dependencies())
        services.scheduler.start(services.registry)
        house = House(services, chances, make_app(services, AllowedOrigins.of("127.0.0.1", 8017)))
        try:
            yield house
        finally:
            for wire in house.wires:
                await wire.leave()
            for client in house.clients:
                await client.aclose()
            await services.scheduler.stop()


def _generous() -> Rates:
    return read_rates(",".join(f"{bucket}=100000/minute" for bucket in Limit))
