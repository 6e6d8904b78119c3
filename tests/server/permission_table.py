"""Permissions: every route and every socket command, by every kind of caller.

The tables below are complete; a route that they do not name is a mistake. A sign for each caller, in the
order of ``CALLERS``:

::

    +  executed                           ?  a guest is needed (401)
    -  allowed, but not possible          x  not allowed (403)
       now (409, 422)                     .  no such table (404)
"""

from collections.abc import Iterable, Iterator
from typing import Any, get_args

from fastapi.routing import APIWebSocketRoute
from starlette.routing import Route

from sanssouci.server.app import bare_app
from sanssouci.server.wire.openapi import SOCKET
from sanssouci.server.wire.requests import AnyCommand

from .caller_kinds import CALLERS

# signs:                                      nobody, stranger, forgotten
#                                             |     other, cookie, bearer
#                                             |     |     seat, join, watch key
#                                             |     |     |     owner, chairless
#                                             |     |     |     |   kicked, its key, revoked, foreign key
#                                             |     |     |     |   |       joiner, claimant
OF_NO_TABLE = """
GET    /                                      + + + + + + + + + + + + + + + + +
GET    /boards                                + + + + + + + + + + + + + + + + +
GET    /rules                                 + + + + + + + + + + + + + + + + +
GET    /scores                                + + + + + + + + + + + + + + + + +
GET    /statistics                            + + + + + + + + + + + + + + + + +
GET    /daily                                 + + + + + + + + + + + + + + + + +
GET    /learn                                 + + + + + + + + + + + + + + + + +
GET    /lessons                               + + + + + + + + + + + + + + + + +
GET    /lessons/{lesson}                      + + + + + + + + + + + + + + + + +
GET    /table/{table}                         + + + + + + + + + + + + + + + + +
GET    /join/{table}                          + + + + + + + + + + + + + + + + +
GET    /seat/{table}                          + + + + + + + + + + + + + + + + +
GET    /watch/{table}                         + + + + + + + + + + + + + + + + +
GET    /replay                                + + + + + + + + + + + + + + + + +
GET    /review/{review}                       + + + + + + + + + + + + + + + + +
GET    /assets/{name}                         + + + + + + + + + + + + + + + + +
GET    /favicon.svg                           + + + + + + + + + + + + + + + + +
GET    /icon-192.png                          + + + + + + + + + + + + + + + + +
GET    /icon-maskable.png                     + + + + + + + + + + + + + + + + +
GET    /sw.js                                 + + + + + + + + + + + + + + + + +
GET    /manifest.webmanifest                  + + + + + + + + + + + + + + + + +
GET    /api/reach                             + + + + + + + + + + + + + + + + +
POST   /api/reach                             x x x x x x x x x x x x x x x x x
GET    /health                                + + + + + + + + + + + + + + + + +
GET    /ready                                 + + + + + + + + + + + + + + + + +
GET    /metrics                               x x x x x x x x x x x x x x x x x
GET    /api/openapi.json                      + + + + + + + + + + + + + + + + +
GET    /api/players                           + + + + + + + + + + + + + + + + +
GET    /api/editions                          + + + + + + + + + + + + + + + + +
GET    /api/editions/{edition}/words          + + + + + + + + + + + + + + + + +
GET    /api/editions/{edition}/rules          + + + + + + + + + + + + + + + + +
GET    /api/lessons                           + + + + + + + + + + + + + + + + +
GET    /api/lessons/{lesson}                  + + + + + + + + + + + + + + + + +
POST   /api/lessons/{lesson}/answer           + + + + + + + + + + + + + + + + +
POST   /api/scores                            + + + + + + + + + + + + + + + + +
POST   /api/boards                            + + + + + + + + + + + + + + + + +
POST   /api/boards/draft                      + + + + + + + + + + + + + + + + +
GET    /api/boards/{boards}                   + + + + + + + + + + + + + + + + +
POST   /api/records                           - - - - - - - - - - - - - - - - -
POST   /api/records/steps                     - - - - - - - - - - - - - - - - -
POST   /api/reviews                           ? - ? - - - ? ? ? - - - ? ? ? - -
GET    /api/reviews/{review}                  + + + + + + + + + + + + + + + + +
GET    /api/reviews/{review}/steps            + + + + + + + + + + + + + + + + +
POST   /api/reviews/{review}/again            ? x ? x x x ? ? ? + x x ? ? ? x x
DELETE /api/reviews/{review}                  ? x ? x x x ? ? ? + x x ? ? ? x x
POST   /api/guests                            + + + + + + + + + + + + + + + + +
GET    /api/me                                + + + + + + + + + + + + + + + + +
PATCH  /api/me                                ? + ? + + + ? ? ? + + + ? ? ? + +
DELETE /api/me                                ? + ? + + + ? ? ? + + + ? ? ? + +
GET    /api/me/statistics                     ? + ? + + + ? ? ? + + + ? ? ? + +
DELETE /api/me/statistics                     ? + ? + + + ? ? ? + + + ? ? ? + +
GET    /api/me/tables                         ? + ? + + + ? ? ? + + + ? ? ? + +
GET    /api/daily                             + + + + + + + + + + + + + + + + +
POST   /api/daily                             ? - ? - - - ? ? ? - - - ? ? ? - -
GET    /api/tables                            + + + + + + + + + + + + + + + + +
POST   /api/tables                            ? + ? + + + ? ? ? + + + ? ? ? + +
"""
OF_LINK_TABLE = """
GET    /api/tables/{table}                    . . . + + + + + + + + . . . . + +
GET    /api/tables/{table}/events             . . . + + + + + + + + . . . . + +
GET    /api/tables/{table}/past/{turn}        . . . - - - - - - - - . . . . - -
GET    /api/tables/{table}/record             . . . - - - - - - - - . . . . - -
POST   /api/tables/{table}/review             . . . - - - ? ? ? - - . . . . - -
GET    /api/tables/{table}/boards             . . . + + + + + + + + . . . . + +
POST   /api/tables/{table}/seats              . . . x x x ? ? ? x x . . . . + x
POST   /api/tables/{table}/seats/{chair}/claim . . . x + + ? ? ? x x . . . . x +
POST   /api/tables/{table}/seats/{chair}/link . . . x + + + x x x x . . . . x +
POST   /api/tables/{table}/links/{link}       . . . x x x x x x + + . . . . x x
POST   /api/tables/{table}/commands           . . . - - - - x x - x . . . . x -
POST   /api/tables/{table}/tickets            . . . + + + + + + + + . . . . + +
POST   /api/tables/{table}/hint               . . . - - - - x x - x . . . . x -
"""
OF_OPEN_TABLE = """
GET    /api/tables/{table}                    + + + + + + + + + + + + + + + + +
GET    /api/tables/{table}/events             + + + + + + + + + + + + + + + + +
GET    /api/tables/{table}/past/{turn}        - - - - - - - - - - - - - - - - -
GET    /api/tables/{table}/record             - - - - - - - - - - - - - - - - -
POST   /api/tables/{table}/review             ? - ? - - - ? ? ? - - - ? ? ? - -
GET    /api/tables/{table}/boards             + + + + + + + + + + + + + + + + +
POST   /api/tables/{table}/seats              ? + ? - - - ? ? ? + + x ? ? ? + +
POST   /api/tables/{table}/seats/{chair}/claim ? x ? x + + ? ? ? x x x ? ? ? x +
POST   /api/tables/{table}/seats/{chair}/link x x x x + + + x x x x x x x x x +
POST   /api/tables/{table}/links/{link}       x x x x x x x x x + + x x x x x x
POST   /api/tables/{table}/commands           x x x - - - - x x - x x x x x x -
POST   /api/tables/{table}/tickets            + + + + + + + + + + + + + + + + +
POST   /api/tables/{table}/hint               x x x - - - - x x - x x x x x x -
"""
COMMANDS = """
ready                                         . . . - - - - x x - x . . . . x -
unready                                       . . . - - - - x x - x . . . . x -
reveal                                        . . . - - - - x x - x . . . . x -
rise                                          . . . - - - - x x - x . . . . x -
appoint                                       . . . x x x x x x - - . . . . x x
wear                                          . . . - - - - x x - - . . . . x -
pick                                          . . . - - - - x x - x . . . . x -
play                                          . . . - - - - x x - x . . . . x -
take_back                                     . . . - - - - x x - x . . . . x -
concede                                       . . . - - - - x x - x . . . . x -
step_away                                     . . . - - - - x x - x . . . . x -
return                                        . . . - - - - x x - x . . . . x -
vote                                          . . . - - - - x x - x . . . . x -
abandon                                       . . . - - - - x x - - . . . . x -
offer                                         . . . - - - - x x - x . . . . x -
accept                                        . . . - - - - x x - x . . . . x -
decline                                       . . . - - - - x x - x . . . . x -
rematch                                       . . . - - - - x x - x . . . . x -
"""
"""At an open table there is no ``.``: everybody may watch it, so the answer is ``x``."""
TABLES = {"link": OF_LINK_TABLE, "open": OF_OPEN_TABLE}


def rows(table: str) -> dict[str, str]:
    """The signs of all callers, by route or command."""
    found: dict[str, str] = {}
    for words in filter(None, map(str.split, table.splitlines())):
        found[" ".join(words[: -len(CALLERS)])] = "".join(words[-len(CALLERS) :])
    assert all(len(signs) == len(CALLERS) for signs in found.values()), "a sign for each caller"
    return found


def expected_routes(visibility: str) -> Iterator[tuple[str, str, str]]:
    """Each route, caller and sign at a table of this visibility."""
    yield from _cells(rows(OF_NO_TABLE + TABLES[visibility]))


def expected_commands(visibility: str) -> Iterator[tuple[str, str, str]]:
    """Each command, caller and sign at a table of this visibility."""
    for command, caller, sign in _cells(rows(COMMANDS)):
        yield command, caller, "x" if (sign, visibility) == (".", "open") else sign


def _cells(signs_of: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    for what, signs in signs_of.items():
        for caller, sign in zip(CALLERS, signs, strict=True):
            yield what, caller, sign


def table_mismatches() -> set[str]:
    """Routes and commands that only the application or only the tables have."""
    found = set(routes())
    different = {route for table in TABLES.values() for route in rows(OF_NO_TABLE + table).keys() ^ found}
    return different | (rows(COMMANDS).keys() ^ command_types())


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
    """All commands of sockets and requests."""
    messages = get_args(get_args(AnyCommand)[0])
    return {message.type for message in messages}
