"""Tries the permission table: each cell is one request or command of one caller, and its result.

See ``permission_table`` for the signs.
"""

import re
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from sanssouci.editions import shipped_boards, write_boards
from sanssouci.lessons import lessons
from sanssouci.server.ops.static_files import built_files

from ..harness.builders import NONCE, new_table
from ..harness.client import Client
from ..harness.server import InProcessServer, running_server
from .caller_kinds import CALLERS, Callers, make_callers
from .permission_table import TABLES, expected_commands, expected_routes

Json = dict[str, Any]
NO_TABLE = "0" * 16
AHEAD = 999
BODIES: dict[str, Json] = {
    "POST /api/guests": {"name": "Zoe", "cookie": False},
    "PATCH /api/me": {"name": "Zoe"},
    "POST /api/tables": new_table("person", "open"),
    "POST /api/tables/{table}/seats": {"chair": 3},
    "POST /api/tables/{table}/commands": {
        "command_id": "c",
        "expected_seq": AHEAD,
        "command": {"type": "unready"},
    },
    "POST /api/tables/{table}/tickets": {},
    "POST /api/tables/{table}/hint": {},
    "POST /api/records": {},
    "POST /api/records/steps": {},
    "POST /api/reviews": {},
    "POST /api/lessons/{lesson}/answer": {"turn": None},
    "POST /api/scores": {"edition": "imperial", "seats": [{"built": [], "track": 0}] * 2},
    "POST /api/boards": {"file": write_boards(shipped_boards("parterre"))},
    "POST /api/boards/draft": {"name": "my box", "gardens": []},
}
STORES_NOTHING = (
    "POST /api/lessons/{lesson}/answer",
    "POST /api/scores",
    "POST /api/boards",
    "POST /api/boards/draft",
)
"""Routes that store nothing."""
ARGUMENTS: dict[str, Json] = {
    "ready": {"commitment": "0" * 64},
    "reveal": {"nonce": NONCE},
    "appoint": {"chair": 3, "player": "random"},
    "wear": {"chair": 3, "colour": "teal"},
    "pick": {"side": 0},
    "play": {"turn": "36@2-g3/g3"},
    "vote": {"chair": 0},
    "offer": {"what": "pause"},
    "accept": {"offer": 1},
    "decline": {"offer": 1},
}
_SIGNS = {200: "+", 201: "+", 401: "?", 403: "x", 404: ".", 409: "-", 422: "-"}
_CODES = {
    "?": {"server.no_guest"},
    "x": {"declined.not_allowed", "server.not_public", "server.sent_away"},
    ".": {"server.unknown_table"},
}


@dataclass(frozen=True)
class Cell:
    """A request of one caller, and its result."""

    part: str
    """How it was requested, and the visibility of the table."""
    what: str
    caller: str
    wrong: str = ""
    """Empty if the result is as expected."""

    def __str__(self) -> str:
        return f"{self.part}: {self.what} by {self.caller}: {self.wrong or 'as expected'}"


Cells = AsyncIterator[Cell]


async def refused_requests(folder: Path, visibility: str) -> Cells:
    """Refused and reading requests change no row.

    A table that the caller may not see is answered exactly like one that does not exist.
    """
    async with running_server(folder) as server:
        callers = await make_callers(server, visibility=visibility)
        with _ChangeDetector(server) as detector:
            for route, caller, sign in expected_routes(visibility):
                if _changes(route, sign):
                    continue
                response = await _call(callers, server, route, caller)
                wrong = _mismatch(sign, sign_of(response))
                if sign == "." and response_parts(response) != response_parts(
                    await _call(callers, server, route, caller, NO_TABLE)
                ):
                    wrong = wrong or "not answered as a table that does not exist"
                yield Cell(f"refused, {visibility}", route, caller, wrong or detector.changed())


async def allowed_changes(folder: Path, visibility: str) -> Cells:
    """Allowed changes are executed, each on its own copy of the data."""
    async with running_server(folder, name="first") as server:
        callers = await make_callers(server, visibility=visibility)
    wanted = (cell for cell in expected_routes(visibility) if _changes(cell[0], cell[2]))
    for number, (route, caller, sign) in enumerate(wanted):
        copy = folder / str(number)
        copy.mkdir()
        shutil.copy(folder / "tables.db", copy)
        async with running_server(copy, name=copy.name) as server:
            found = sign_of(await _call(callers, server, route, caller))
        yield Cell(f"allowed, {visibility}", route, caller, _mismatch(sign, found))


async def commands_by_http(folder: Path, visibility: str) -> Cells:
    """A caller with the right learns the current event number; others do not."""
    async with running_server(folder) as server:
        callers = await make_callers(server, visibility=visibility)
        with _ChangeDetector(server) as detector:
            for kind, caller, sign in expected_commands(visibility):
                person, arguments = callers.person(server, caller), ARGUMENTS.get(kind, {})
                response = await person.command(callers.table_of(caller), kind, seq=AHEAD, **arguments)
                wrong = _mismatch(sign, sign_of(response))
                if not wrong and sign == "-" and _code(response) != "declined.ahead":
                    wrong = f"refused with {_code(response)}"
                yield Cell(f"by HTTP, {visibility}", kind, caller, wrong or detector.changed())


async def commands_by_socket(folder: Path, visibility: str) -> Cells:
    """The same on a socket; a caller that may not see the table gets no ticket."""
    async with running_server(folder) as server:
        callers = await make_callers(server, visibility=visibility)
        with _ChangeDetector(server) as detector:
            for caller in CALLERS:
                signs = {kind: sign for kind, who, sign in expected_commands(visibility) if who == caller}
                found = await _socket_answers(callers.person(server, caller), callers.table_of(caller), signs)
                for kind, sign in signs.items():
                    wrong = _mismatch(sign, found[kind]) or detector.changed()
                    yield Cell(f"by socket, {visibility}", kind, caller, wrong)


async def _socket_answers(person: Client, table: str, kinds: Json) -> dict[str, str]:
    """The answers to commands of these kinds, one after the other."""
    ticket = await person.request("POST", f"/api/tables/{table}/tickets", {})
    if ticket.status_code != 201:
        return dict.fromkeys(kinds, sign_of(ticket))
    meanings = {"declined.ahead": "-", "declined.not_allowed": "x"}
    socket = await person.connect_with(ticket.json()["ticket"])
    found = {}
    for kind in kinds:
        await socket.send_command(kind, AHEAD, **ARGUMENTS.get(kind, {}))
        code = (await socket.receive_until("refused"))["error"]["code"]
        found[kind] = meanings.get(code, code)
    await socket.close()
    return found


Part = Callable[[Path, str], Cells]
PARTS: tuple[Part, ...] = (refused_requests, allowed_changes, commands_by_http, commands_by_socket)
VISIBILITIES = tuple(TABLES)


class _ChangeDetector:
    """Detects changes of stored data; rows of a file are compared only after a commit."""

    def __init__(self, server: InProcessServer) -> None:
        self._server = server
        file = ":memory:" if server.store.shared else f"file:{server.path}?mode=ro"
        self._connection = sqlite3.connect(file, uri=True)
        self._before = self._version(), server.rows()

    def __enter__(self) -> "_ChangeDetector":
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def changed(self) -> str:
        """A message if rows have changed since the last call, else nothing."""
        version, rows = self._before
        if self._version() == version:
            return ""
        self._before = self._version(), self._server.rows()
        changed = [name for name, found in self._before[1].items() if found != rows[name]]
        return f"{', '.join(changed)} changed" if changed else ""

    def _version(self) -> object:
        """Differs after every commit of another connection; always, if there is no file."""
        if self._server.store.shared:
            return object()
        return self._connection.execute("PRAGMA data_version").fetchone()


def sign_of(response: httpx.Response) -> str:
    """The sign of a response; status and code if they do not match."""
    sign = _SIGNS.get(response.status_code, "")
    if not sign or (sign in _CODES and _code(response) not in _CODES[sign]):
        return f"{response.status_code} {_code(response)}"
    return sign


def response_parts(response: httpx.Response) -> tuple[int, bytes, list[tuple[str, str]]]:
    """Everything in a response except the request id."""
    headers = [(name, value) for name, value in response.headers.items() if name != "x-request-id"]
    return response.status_code, response.content, headers


def _changes(route: str, sign: str) -> bool:
    """Whether a request is executed and changes stored data."""
    return sign == "+" and not route.startswith("GET") and route not in STORES_NOTHING


def _script() -> str:
    """The name of a file that the page loads."""
    found = re.search(r"/assets/([\w.-]+)", built_files().index().body.decode())
    assert found is not None
    return found[1]


async def _call(
    callers: Callers, server: InProcessServer, route: str, caller: str, table: str = ""
) -> httpx.Response:
    """Request a route as a caller, for the caller's own table unless another is named."""
    method, path = route.split()
    values = {"chair": 1, "link": "watch", "edition": "imperial", "name": _script(), "boards": "parterre"}
    values |= {"review": callers.review, "turn": 0, "lesson": lessons()[0].id}
    url = path.format(table=table or callers.table_of(caller), **values)
    return await callers.person(server, caller).request(method, url, BODIES.get(route))


def _code(response: httpx.Response) -> str:
    return str(response.json()["error"]["code"])


def _mismatch(expected: str, found: str) -> str:
    return "" if found == expected else f"expected {expected}, found {found}"
