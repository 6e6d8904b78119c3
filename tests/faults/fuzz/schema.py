"""What schemathesis makes of the server's description: requests that fit it, and requests that do not."""

import asyncio
import contextlib
import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import unquote

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core.result import Ok
from sqlalchemy import text

from sanssouci.server.app import bare_app

from ..fault import Progress
from ..interference.house import HOST, Headers, House
from ..interference.lines import Log, logging_into
from ..lot import Lot

_CHUNK = 100
"""Requests to one route at a time; each begins with a seed of its own."""
_COUNTS = "SELECT " + ", ".join(
    f"(SELECT count(*) FROM {table})" for table in ("game", "event", "guest", "token", "holding")
)


@dataclass
class Findings:
    """What came of the requests."""

    requests: int = 0
    tally: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


class Reader:
    """Somebody who has read the description of a server, and tries everything in it."""

    def __init__(self, folder: Path, findings: Findings) -> None:
        self._house = House(folder)
        self._findings = findings
        self._runner = asyncio.Runner()
        self._token = self._table = ""

    def __enter__(self) -> "Reader":
        self._token = str(self._say("POST", "/api/guests", {"name": "Mallory", "cookie": False})["token"])
        chairs = [{"sitter": "person"}, {"sitter": "person"}, {"sitter": "open"}]
        self._table = str(self._say("POST", "/api/tables", {"chairs": chairs, "visibility": "open"})["table"])
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.run(self._house.clear())
        self._runner.close()
        self._house.store.close()

    def try_out(self, operation: Any, mode: GenerationMode, seed: int, examples: int = _CHUNK) -> None:
        """Requests to one route, good or bad ones."""
        lot = Lot("schema", seed)

        @seeded(seed)
        @settings(
            max_examples=examples,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def each(case: Any) -> None:
            self._try(case, operation, lot)

        with contextlib.suppress(Unsatisfiable):  # where nothing can be said, nothing can be said wrongly
            each()

    def _try(self, case: Any, operation: Any, lot: Lot) -> None:
        if "table" in (case.path_parameters or {}) and lot.often(70):
            case.path_parameters["table"] = self._table
        asked = case.as_transport_kwargs(base_url=f"http://{HOST}")
        if lot.often(80) and operation.method != "delete":  # else nobody would be left
            asked["headers"]["Authorization"] = f"Bearer {self._token}"
        try:
            request = requests.Request(**asked).prepare()
        except (ValueError, requests.RequestException):
            return  # it cannot even be sent
        before = self._state()
        status, _, body = self._ask(request)
        self._judge(operation, request, status, body, before)

    def _judge(self, operation: Any, request: Any, status: int, body: bytes, before: object) -> None:
        findings = self._findings
        findings.requests += 1
        findings.tally[f"{operation.label}: {status}"] += 1
        where = f"{request.method} {request.url} {request.body!r}: {status} {body[:200]!r}"
        if status >= 500 and operation.path != "/ready":
            findings.wrong.append(f"failed: {where}")
        elif str(status) not in operation.definition.raw["responses"]:
            findings.wrong.append(f"not described: {where}")
        elif status >= 400 and self._state() != before:
            findings.wrong.append(f"refused, and yet something has changed: {where}")

    def _ask(self, request: Any) -> tuple[int, Headers, bytes]:
        path, _, query = request.path_url.partition("?")
        body = request.body or b""
        headers = [
            (name.lower().encode("latin-1"), _latin(value))
            for name, value in request.headers.items()
            if name.lower() != "host"
        ]
        data = body if isinstance(body, bytes) else str(body).encode("utf-8", "surrogatepass")
        return self._runner.run(self._house.ask(request.method, unquote(path), headers, data, query))

    def _say(self, method: str, path: str, body: object) -> dict[str, Any]:
        headers = [
            (b"content-type", b"application/json"),
            (b"authorization", f"Bearer {self._token}".encode()),
        ]
        _, _, said = self._runner.run(self._house.ask(method, path, headers, json.dumps(body).encode()))
        answer: dict[str, Any] = json.loads(said)
        return answer

    def _state(self) -> object:
        """How much is kept."""
        with self._house.store.snapshot() as view:
            return tuple(view.execute(text(_COUNTS)).one())


def _latin(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode("utf-8")


def read_and_try(count: int, seed: int, progress: Progress = lambda text: None) -> Findings:
    """At least so many requests, to every route as many."""
    findings = Findings()
    schema = schemathesis.openapi.from_dict(bare_app().openapi())
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    examples = min(_CHUNK, count // (2 * len(operations)) + 1)
    with (
        TemporaryDirectory() as folder,
        logging_into(Log()),
        Reader(Path(folder), findings) as reader,
    ):
        while findings.requests < count and not findings.wrong:
            for operation in operations:
                for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                    seed += 1
                    reader.try_out(operation, mode, seed, examples)
            progress(f"{findings.requests:,} requests by schemathesis, {len(findings.wrong)} wrong")
    return findings
