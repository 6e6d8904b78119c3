"""Who may do what: every route and every command of a socket, by every kind of caller.

The tables below are what is meant; whatever the app has beyond them is a mistake. A sign for each caller, in
the order of ``CALLERS``:

::

    +  it is done                         ?  choose a name first (401)
    -  allowed, but there is nothing      x  not allowed (403)
       to be done now (409, 422)          .  there is no such table (404)
"""

import shutil
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
from fastapi.routing import APIWebSocketRoute
from starlette.routing import Route

from sanssouci.server.app import bare_app
from sanssouci.server.description.openapi import SOCKET
from sanssouci.server.messages import AnyCommand
from sanssouci.server.socket import BAD_TICKET, SEAT_LOST

from ..workforce.crew import within
from .callers import CALLERS, REMOTE, gather
from .house import NONCE, House, Person, a_house, housed, new_table

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
}
ARGUMENTS: dict[str, Json] = {
    "ready": {"nonce": NONCE},
    "appoint": {"chair": 3, "player": "random"},
    "pick": {"side": 0},
    "play": {"turn": "36@2-g3/g3"},
    "vote": {"chair": 0},
}

# signs:                                      nobody, stranger, forgotten
#                                             |     other, cookie, bearer
#                                             |     |     seat, join, watch key
#                                             |     |     |     owner, chairless
#                                             |     |     |     |   kicked, its key, revoked, foreign key
#                                             |     |     |     |   |       joiner, claimant
OF_NO_TABLE = """
GET    /health                                + + + + + + + + + + + + + + + + +
GET    /ready                                 + + + + + + + + + + + + + + + + +
GET    /metrics                               x x x x x x x x x x x x x x x x x
GET    /api/openapi.json                      + + + + + + + + + + + + + + + + +
GET    /api/players                           + + + + + + + + + + + + + + + + +
GET    /api/editions                          + + + + + + + + + + + + + + + + +
GET    /api/editions/{edition}/words          + + + + + + + + + + + + + + + + +
GET    /api/editions/{edition}/rules          + + + + + + + + + + + + + + + + +
POST   /api/records                           - - - - - - - - - - - - - - - - -
POST   /api/guests                            + + + + + + + + + + + + + + + + +
GET    /api/me                                ? + ? + + + ? ? ? + + + ? ? ? + +
PATCH  /api/me                                ? + ? + + + ? ? ? + + + ? ? ? + +
DELETE /api/me                                ? + ? + + + ? ? ? + + + ? ? ? + +
GET    /api/me/tables                         ? + ? + + + ? ? ? + + + ? ? ? + +
GET    /api/tables                            + + + + + + + + + + + + + + + + +
POST   /api/tables                            ? + ? + + + ? ? ? + + + ? ? ? + +
"""
OF_LINK_TABLE = """
GET    /api/tables/{table}                    . . . + + + + + + + + . . . . + +
GET    /api/tables/{table}/events             . . . + + + + + + + + . . . . + +
GET    /api/tables/{table}/record             . . . - - - - - - - - . . . . - -
POST   /api/tables/{table}/seats              . . . x x x ? ? ? x x . . . . + x
POST   /api/tables/{table}/seats/{chair}/claim . . . x + + ? ? ? x x . . . . x +
POST   /api/tables/{table}/seats/{chair}/link . . . x + + + x x x x . . . . x +
POST   /api/tables/{table}/commands           . . . - - - - x x - x . . . . x -
POST   /api/tables/{table}/tickets            . . . + + + + + + + + . . . . + +
POST   /api/tables/{table}/hint               . . . - - - - x x - x . . . . x -
"""
OF_OPEN_TABLE = """
GET    /api/tables/{table}                    + + + + + + + + + + + + + + + + +
GET    /api/tables/{table}/events             + + + + + + + + + + + + + + + + +
GET    /api/tables/{table}/record             - - - - - - - - - - - - - - - - -
POST   /api/tables/{table}/seats              ? + ? + + + ? ? ? + + + ? ? ? + +
POST   /api/tables/{table}/seats/{chair}/claim ? x ? x + + ? ? ? x x x ? ? ? x +
POST   /api/tables/{table}/seats/{chair}/link x x x x + + + x x x x x x x x x +
POST   /api/tables/{table}/commands           x x x - - - - x x - x x x x x x -
POST   /api/tables/{table}/tickets            + + + + + + + + + + + + + + + + +
POST   /api/tables/{table}/hint               x x x - - - - x x - x x x x x x -
"""
COMMANDS = """
ready                                         . . . - - - - x x - x . . . . x -
unready                                       . . . - - - - x x - x . . . . x -
rise                                          . . . - - - - x x - x . . . . x -
appoint                                       . . . x x x x x x - - . . . . x x
pick                                          . . . - - - - x x - x . . . . x -
play                                          . . . - - - - x x - x . . . . x -
take_back                                     . . . - - - - x x - x . . . . x -
concede                                       . . . - - - - x x - x . . . . x -
step_away                                     . . . - - - - x x - x . . . . x -
return                                        . . . - - - - x x - x . . . . x -
vote                                          . . . - - - - x x - x . . . . x -
abandon                                       . . . - - - - x x - - . . . . x -
rematch                                       . . . - - - - x x - x . . . . x -
"""
"""At a table that is open there is no ``.``: whoever has no part in it may watch, and is not allowed (x)."""
TABLES = {"link": OF_LINK_TABLE, "open": OF_OPEN_TABLE}


def rows(table: str) -> dict[str, str]:
    """What is meant, by route or command: a sign for each caller."""
    found: dict[str, str] = {}
    for words in filter(None, map(str.split, table.splitlines())):
        found[" ".join(words[: -len(CALLERS)])] = "".join(words[-len(CALLERS) :])
    assert all(len(signs) == len(CALLERS) for signs in found.values()), "a sign for each caller"
    return found


def meant_commands(visibility: str) -> dict[str, str]:
    """The commands as they are meant at such a table."""
    return {
        name: signs if visibility == "link" else signs.replace(".", "x")
        for name, signs in rows(COMMANDS).items()
    }


def routes(found: Iterable[Any] = ()) -> Iterator[str]:
    """All routes that the app has."""
    for route in found or bare_app().routes:
        if isinstance(route, APIWebSocketRoute):
            assert route.path == SOCKET
        elif isinstance(route, Route):
            yield from (f"{method} {route.path}" for method in (route.methods or set()) - {"HEAD"})
        else:
            included: Any = route
            yield from routes(included.original_router.routes)


def command_types() -> set[str]:
    """All commands that a socket or a request can give."""
    messages = get_args(get_args(AnyCommand)[0])
    return {kind for message in messages for kind in get_args(message.model_fields["type"].annotation)}


def test_every_route_and_every_command_is_meant() -> None:
    """What the app has is exactly what the tables speak of."""
    for table in TABLES.values():
        assert {*rows(OF_NO_TABLE), *rows(table)} == set(routes())
    assert rows(COMMANDS).keys() == command_types()


def sign_of(response: httpx.Response) -> str:
    """What an answer means."""
    signs = {200: "+", 201: "+", 401: "?", 403: "x", 404: ".", 409: "-", 422: "-"}
    sign = signs.get(response.status_code, f"{response.status_code}!")
    if sign in "?x.":
        meant = {
            "?": "server.no_guest",
            "x": ("declined.not_allowed", "server.not_public"),
            ".": "server.unknown_table",
        }
        assert response.json()["error"]["code"] in meant[sign]
    return sign


def said(response: httpx.Response) -> tuple[int, bytes, list[tuple[str, str]]]:
    """Everything that an answer tells, but for the id of the request."""
    headers = [(name, value) for name, value in response.headers.items() if name != "x-request-id"]
    return response.status_code, response.content, headers


async def call(person: Person, route: str, table: str, chair: int = 1) -> httpx.Response:
    """Ask for a route."""
    method, path = route.split()
    return await person.ask(
        method, path.format(table=table, chair=chair, edition="imperial"), BODIES.get(route)
    )


def meant(table: str) -> Iterator[tuple[str, str, str]]:
    """Each route, caller and sign."""
    for route, signs in rows(table).items():
        for caller, sign in zip(CALLERS, signs, strict=True):
            yield route, caller, sign


@pytest.mark.parametrize("visibility", ["link", "open"])
@housed()
async def test_who_is_turned_away_changes_and_learns_nothing(house: House, visibility: str) -> None:
    """What is not done, and what only reads, leaves every row as it was.

    A table that somebody may not see is answered byte for byte as one that does not exist.
    """
    cast = await gather(house, visibility=visibility)
    before = house.rows()
    for route, caller, sign in meant(OF_NO_TABLE + TABLES[visibility]):
        if sign == "+" and not route.startswith("GET"):
            continue
        person = cast.person(house, caller)
        response = await call(person, route, cast.table_of(caller))
        assert (route, caller, sign_of(response)) == (route, caller, sign)
        if sign == ".":
            assert said(response) == said(await call(person, route, NO_TABLE))
        assert house.rows() == before, (route, caller)


@pytest.mark.parametrize("visibility", ["link", "open"])
def test_who_may_is_let(visibility: str, tmp_path: Path) -> None:
    """Each on a copy of the same data: it is done, and does not depend on what others have done before."""
    within(_let(tmp_path, visibility))


async def _let(folder: Path, visibility: str) -> None:
    async with a_house(folder, world="first") as house:
        cast = await gather(house, visibility=visibility)
    places = (folder / str(number) for number in count())
    for route, caller, sign in meant(OF_NO_TABLE + TABLES[visibility]):
        if sign != "+" or route.startswith("GET"):
            continue
        place = next(places)
        place.mkdir()
        shutil.copy(folder / "tables.db", place)
        async with a_house(place, world=place.name) as house:
            response = await call(cast.person(house, caller), route, cast.table_of(caller))
            assert (route, caller, sign_of(response)) == (route, caller, sign)


@pytest.mark.parametrize("visibility", ["link", "open"])
@housed()
async def test_every_command_by_http(house: House, visibility: str) -> None:
    """Who has the right is told where the table is; who has not is told nothing of the kind."""
    cast = await gather(house, visibility=visibility)
    before = house.rows()
    for kind, signs in meant_commands(visibility).items():
        for caller, sign in zip(CALLERS, signs, strict=True):
            person, arguments = cast.person(house, caller), ARGUMENTS.get(kind, {})
            response = await person.give(cast.table_of(caller), kind, seq=AHEAD, **arguments)
            assert (kind, caller, sign_of(response)) == (kind, caller, sign)
            if sign == "-":
                assert response.json()["error"]["code"] == "declined.ahead"
    assert house.rows() == before


@pytest.mark.parametrize("visibility", ["link", "open"])
@housed()
async def test_every_command_by_socket(house: House, visibility: str) -> None:
    """The same on a socket; who cannot have a ticket cannot have one."""
    cast = await gather(house, visibility=visibility)
    before = house.rows()
    meanings = {"declined.ahead": "-", "declined.not_allowed": "x"}
    for place, caller in enumerate(CALLERS):
        person, table = cast.person(house, caller), cast.table_of(caller)
        signs = {kind: signs[place] for kind, signs in meant_commands(visibility).items()}
        if "." in signs.values():
            response = await person.ask("POST", f"/api/tables/{table}/tickets", {})
            assert (response.status_code, {*signs.values()}) == (404, {"."})
            continue
        line = await person.sit(table)
        for kind, sign in signs.items():
            await line.command(kind, AHEAD, **ARGUMENTS.get(kind, {}))
            refused = await line.until("refused")
            assert (kind, caller, meanings[refused["error"]["code"]]) == (kind, caller, sign)
        await line.hang_up()
    assert house.rows() == before


@pytest.mark.parametrize("visibility", ["link", "open"])
@housed()
async def test_a_ticket_that_was_lost_opens_nothing(house: House, visibility: str) -> None:
    """Used, expired, of somebody who has been sent away, of a link that is no more, made up."""
    cast = await gather(house, visibility=visibility)
    tickets = {**cast.lost_tickets, "made up": "A" * 43, "no token": "x"}
    for name, ticket in tickets.items():
        line = await Person(house, peer=REMOTE).dial(ticket)
        assert (name, await line.closed()) == (name, BAD_TICKET)


@housed()
async def test_a_ticket_is_worth_nothing_once_the_chair_is_lost(house: House) -> None:
    """Within its time and unused: who was sent away, left, lost the link or is forgotten does not come in."""
    owner, guest = await house.guest("Olga"), await house.guest("Gus")
    table = await owner.open("person", "open", visibility="open")
    for way in ("kicked", "risen", "claimed", "relinked", "forgotten"):
        key = (await guest.join(table, 1))["token"]
        by_key = house.nobody().key(key)
        ticket = await (by_key if way == "relinked" else guest).ticket(table, 1)
        await _lose(house, table.id, way, owner, guest, key)
        line = await guest.dial(ticket)
        assert (way, await line.closed()) == (way, SEAT_LOST)
        if way != "forgotten":
            await owner.do(table, "appoint", chair=1, player=None)


async def _lose(house: House, table: str, way: str, owner: Person, guest: Person, key: str) -> None:
    match way:
        case "kicked":
            await owner.do(table, "appoint", chair=1, player=None)
        case "risen":
            await guest.do(table, "rise", at=1)
        case "claimed":
            another = (await house.guest("Ann")).key(key)
            assert (await another.ask("POST", f"/api/tables/{table}/seats/1/claim")).status_code == 200
        case "relinked":
            assert (await guest.ask("POST", f"/api/tables/{table}/seats/1/link")).status_code == 201
        case "forgotten":
            assert (await guest.ask("DELETE", "/api/me")).status_code == 200


def test_a_route_that_is_not_meant_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first test fails if somebody adds a route and says nothing of who may use it."""
    monkeypatch.setitem(TABLES, "link", OF_LINK_TABLE.replace("GET    /api/tables/{table}/record", "GET /x"))
    with pytest.raises(AssertionError):
        test_every_route_and_every_command_is_meant()
