"""Requests that schemathesis derives from the API description, valid and invalid."""

import asyncio
import contextlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core.result import Ok
from sqlalchemy import text

from sanssouci.server.app import bare_app

from ...harness.logs import captured_log
from ...harness.server import InProcessServer
from ...harness.transports import HOST
from ..report import Progress
from ..seeded_random import SeededRandom

_CHUNK = 100
"""Requests to one route at a time, each group with another seed."""
_COUNTS = "SELECT " + ", ".join(
    f"(SELECT count(*) FROM {table})" for table in ("game", "event", "guest", "token", "holding")
)


@dataclass
class Findings:
    """The results of all requests."""

    requests: int = 0
    tally: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


class SchemaTester:
    """Sends requests to every route in the API description."""

    def __init__(self, folder: Path, findings: Findings) -> None:
        self._server = InProcessServer(folder, ("greedy", "random"), tables_per_guest=1_000_000)
        self._findings = findings
        self._runner = asyncio.Runner()
        self._token = self._table = ""

    def __enter__(self) -> "SchemaTester":
        self._runner.run(self._begin())
        return self

    async def _begin(self) -> None:
        await self._server.open()
        self._server.players.hold()  # otherwise tables change between two requests
        guest = await self._server.guest("Mallory")
        self._token = guest.headers["authorization"]
        self._table = (await guest.create_table("person", "person", "open", visibility="open")).id

    def __exit__(self, *_: object) -> None:
        self._runner.run(self._server.close())
        self._runner.close()

    def try_route(self, operation: Any, mode: GenerationMode, seed: int, examples: int = _CHUNK) -> None:
        """Send requests to one route, valid or invalid ones."""
        rng = SeededRandom("schema", seed)

        @seeded(seed)
        @settings(
            max_examples=examples,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def try_case(case: Any) -> None:
            self._try(case, operation, rng)

        with contextlib.suppress(Unsatisfiable):  # a route without parameters has no invalid requests
            try_case()

    def _try(self, case: Any, operation: Any, rng: SeededRandom) -> None:
        if "table" in (case.path_parameters or {}) and rng.chance(70):
            case.path_parameters["table"] = self._table
        arguments = case.as_transport_kwargs(base_url=f"http://{HOST}")
        if rng.chance(80) and operation.method != "delete":  # otherwise the guest would be deleted
            arguments["headers"]["Authorization"] = self._token
        try:
            request = requests.Request(**arguments).prepare()
        except (ValueError, requests.RequestException):
            return  # it cannot be sent
        before = self._state()
        response = self._send(request)
        self._judge(operation, request, response.status_code, response.content, before)

    def _judge(self, operation: Any, request: Any, status: int, body: bytes, before: object) -> None:
        findings = self._findings
        findings.requests += 1
        findings.tally[f"{operation.label}: {status}"] += 1
        where = f"{request.method} {request.url} {request.body!r}: {status} {body[:200]!r}"
        if status >= 500 and operation.path != "/ready":
            findings.wrong.append(f"failed: {where}")
        elif str(status) not in operation.definition.raw["responses"]:
            findings.wrong.append(f"not documented: {where}")
        elif status >= 400 and self._state() != before:
            findings.wrong.append(f"refused, but the state has changed: {where}")

    def _send(self, request: Any) -> httpx.Response:
        body = request.body or b""
        headers = {name.lower(): _latin(value) for name, value in request.headers.items()}
        data = body if isinstance(body, bytes) else str(body).encode("utf-8", "surrogatepass")
        client = self._server.client({name: value for name, value in headers.items() if name != "host"})
        return self._runner.run(client.request(request.method, request.path_url, content=data))

    def _state(self) -> object:
        """The number of rows in the store."""
        with self._server.store.snapshot() as view:
            return tuple(view.execute(text(_COUNTS)).one())


def _latin(value: str | bytes) -> str:
    return (value if isinstance(value, bytes) else value.encode("utf-8")).decode("latin-1")


def run_schema_tests(count: int, seed: int, progress: Progress = lambda text: None) -> Findings:
    """Send at least ``count`` requests, equally many to every route."""
    findings = Findings()
    schema = schemathesis.openapi.from_dict(bare_app().openapi())
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    examples = min(_CHUNK, count // (2 * len(operations)) + 1)
    with TemporaryDirectory() as folder, captured_log(), SchemaTester(Path(folder), findings) as tester:
        while findings.requests < count and not findings.wrong:
            for operation in operations:
                for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                    seed += 1
                    tester.try_route(operation, mode, seed, examples)
            progress(f"{findings.requests:,} requests by schemathesis, {len(findings.wrong)} wrong")
    return findings
