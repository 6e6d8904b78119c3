"""The matrix of rights, tried out: each cell is one request or command of one caller, and what came of it.

::

    rights (what is meant) --> a caller of the Cast asks --> Cell (what was found, what is wrong with it)
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

from .callers import CALLERS, Cast, gather
from .house import NONCE, House, Person, a_house, new_table
from .rights import TABLES, meant_commands, meant_routes

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
}
KEEPS_NOTHING = ("POST /api/lessons/{lesson}/answer", "POST /api/scores", "POST /api/boards")
"""What is answered and forgotten."""
ARGUMENTS: dict[str, Json] = {
    "ready": {"nonce": NONCE},
    "appoint": {"chair": 3, "player": "random"},
    "wear": {"chair": 3, "colour": "teal"},
    "pick": {"side": 0},
    "play": {"turn": "36@2-g3/g3"},
    "vote": {"chair": 0},
}
_SIGNS = {200: "+", 201: "+", 401: "?", 403: "x", 404: ".", 409: "-", 422: "-"}
_CODES = {
    "?": {"server.no_guest"},
    "x": {"declined.not_allowed", "server.not_public", "server.sent_away"},
    ".": {"server.unknown_table"},
}


@dataclass(frozen=True)
class Cell:
    """What one caller asked for, and what came of it."""

    part: str
    """In which part of the matrix: how it was asked, at which kind of table."""
    what: str
    caller: str
    wrong: str = ""
    """Empty if all is as it is meant."""

    def __str__(self) -> str:
        return f"{self.part}: {self.what} by {self.caller}: {self.wrong or 'as it is meant'}"


Cells = AsyncIterator[Cell]


async def turned_away(folder: Path, visibility: str) -> Cells:
    """What is not done, and what only reads, leaves every row as it was.

    A table that somebody may not see is answered byte for byte as one that does not exist.
    """
    async with a_house(folder) as house:
        cast = await gather(house, visibility=visibility)
        with _Watch(house) as watch:
            for route, caller, sign in meant_routes(visibility):
                if _changes(route, sign):
                    continue
                response = await _call(cast, house, route, caller)
                wrong = _unlike(sign, sign_of(response))
                if sign == "." and said(response) != said(await _call(cast, house, route, caller, NO_TABLE)):
                    wrong = wrong or "not answered as a table that does not exist"
                yield Cell(f"turned away, {visibility}", route, caller, wrong or watch.changed())


async def let_in(folder: Path, visibility: str) -> Cells:
    """Each on a copy of the same data: it is done, and does not depend on what others have done before."""
    async with a_house(folder, world="first") as house:
        cast = await gather(house, visibility=visibility)
    wanted = (cell for cell in meant_routes(visibility) if _changes(cell[0], cell[2]))
    for number, (route, caller, sign) in enumerate(wanted):
        place = folder / str(number)
        place.mkdir()
        shutil.copy(folder / "tables.db", place)
        async with a_house(place, world=place.name) as house:
            found = sign_of(await _call(cast, house, route, caller))
        yield Cell(f"let in, {visibility}", route, caller, _unlike(sign, found))


async def commands_by_http(folder: Path, visibility: str) -> Cells:
    """Who has the right is told where the table is; who has not is told nothing of the kind."""
    async with a_house(folder) as house:
        cast = await gather(house, visibility=visibility)
        with _Watch(house) as watch:
            for kind, caller, sign in meant_commands(visibility):
                person, arguments = cast.person(house, caller), ARGUMENTS.get(kind, {})
                response = await person.give(cast.table_of(caller), kind, seq=AHEAD, **arguments)
                wrong = _unlike(sign, sign_of(response))
                if not wrong and sign == "-" and _code(response) != "declined.ahead":
                    wrong = f"refused with {_code(response)}"
                yield Cell(f"by HTTP, {visibility}", kind, caller, wrong or watch.changed())


async def commands_by_socket(folder: Path, visibility: str) -> Cells:
    """The same on a socket; who may not see the table gets no ticket, and has no socket at all."""
    async with a_house(folder) as house:
        cast = await gather(house, visibility=visibility)
        with _Watch(house) as watch:
            for caller in CALLERS:
                signs = {kind: sign for kind, who, sign in meant_commands(visibility) if who == caller}
                found = await _said_on_socket(cast.person(house, caller), cast.table_of(caller), signs)
                for kind, sign in signs.items():
                    wrong = _unlike(sign, found[kind]) or watch.changed()
                    yield Cell(f"by socket, {visibility}", kind, caller, wrong)


async def _said_on_socket(person: Person, table: str, kinds: Json) -> dict[str, str]:
    """What is answered to commands of these kinds, one after the other."""
    ticket = await person.ask("POST", f"/api/tables/{table}/tickets", {})
    if ticket.status_code != 201:
        return dict.fromkeys(kinds, sign_of(ticket))
    meanings = {"declined.ahead": "-", "declined.not_allowed": "x"}
    line = await person.dial(ticket.json()["ticket"])
    found = {}
    for kind in kinds:
        await line.command(kind, AHEAD, **ARGUMENTS.get(kind, {}))
        code = (await line.until("refused"))["error"]["code"]
        found[kind] = meanings.get(code, code)
    await line.hang_up()
    return found


Part = Callable[[Path, str], Cells]
PARTS: tuple[Part, ...] = (turned_away, let_in, commands_by_http, commands_by_socket)
VISIBILITIES = tuple(TABLES)


class _Watch:
    """Looks whether anything that is kept has changed; rows are compared only after a commit."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._connection = sqlite3.connect(f"file:{house.path}?mode=ro", uri=True)
        self._before = self._version(), house.rows()

    def __enter__(self) -> "_Watch":
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def changed(self) -> str:
        """What is wrong if something has, since the last look."""
        version, rows = self._before
        if self._version() == version:
            return ""
        self._before = self._version(), self._house.rows()
        return "" if self._before[1] == rows else "something has changed"

    def _version(self) -> object:
        """Another one after every commit of another connection."""
        return self._connection.execute("PRAGMA data_version").fetchone()


def sign_of(response: httpx.Response) -> str:
    """What an answer means; status and code where they do not belong together."""
    sign = _SIGNS.get(response.status_code, "")
    if not sign or (sign in _CODES and _code(response) not in _CODES[sign]):
        return f"{response.status_code} {_code(response)}"
    return sign


def said(response: httpx.Response) -> tuple[int, bytes, list[tuple[str, str]]]:
    """Everything that an answer tells, but for the id of the request."""
    headers = [(name, value) for name, value in response.headers.items() if name != "x-request-id"]
    return response.status_code, response.content, headers


def _changes(route: str, sign: str) -> bool:
    """Whether a request is carried out, and leaves something behind."""
    return sign == "+" and not route.startswith("GET") and route not in KEEPS_NOTHING


def _script() -> str:
    """The name of a file that the page loads."""
    found = re.search(r"/assets/([\w.-]+)", built_files().index().body.decode())
    assert found is not None
    return found[1]


async def _call(cast: Cast, house: House, route: str, caller: str, table: str = "") -> httpx.Response:
    """Let a caller ask for a route, at the caller's own table unless another is named."""
    method, path = route.split()
    words = {"chair": 1, "link": "watch", "edition": "imperial", "name": _script(), "boards": "parterre"}
    words |= {"review": cast.review, "turn": 0, "lesson": lessons()[0].id}
    place = path.format(table=table or cast.table_of(caller), **words)
    return await cast.person(house, caller).ask(method, place, BODIES.get(route))


def _code(response: httpx.Response) -> str:
    return str(response.json()["error"]["code"])


def _unlike(meant: str, found: str) -> str:
    return "" if found == meant else f"{meant} is meant, {found} was found"
