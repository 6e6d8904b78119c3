"""How a route is described: who may ask, what is answered, and with which statuses it says no."""

from enum import Enum
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel

from ..limits.rate_limits import Limit
from ..routes.strict_json_route import StrictJsonRoute
from .responses import ErrorAnswer
from .scalars import WireModel

Keywords = dict[str, Any]
Security = dict[str, list[str]]
"""Schemes that are needed together."""

REF = "#/components/schemas/{model}"
ANSWERS: set[type[WireModel]] = set()
"""All that routes answer."""

_NOTHING: Security = {}
_COOKIE: Security = {"guestCookie": []}
_BEARER: Security = {"guestToken": []}
_LINK: Security = {"linkSecret": []}
_METRICS: Security = {"metricsToken": []}


class Audience(Enum):
    """Who may ask, in words, and how one shows that."""

    def __init__(self, words: str, security: list[Security]) -> None:
        self.words = words
        self.security = security

    ANYONE = "anyone", [_NOTHING]
    GUEST = "a guest", [_COOKIE, _BEARER]
    VIEWER = (
        "whoever may see the table: its owner, who holds a chair, who has the secret of one of its links,"
        " and anyone if it is open",
        [_NOTHING, _COOKIE, _BEARER, _LINK],
    )
    JOINER = (
        "a guest, at an open table or with the secret of its join link",
        [_COOKIE, _BEARER, {**_COOKIE, **_LINK}, {**_BEARER, **_LINK}],
    )
    SEATED = "whoever holds the chair, or has the secret of its seat link", [_COOKIE, _BEARER, _LINK]
    CLAIMANT = (
        "a guest with the secret of the chair's seat link",
        [{**_COOKIE, **_LINK}, {**_BEARER, **_LINK}],
    )
    PLAYER = (
        "whoever holds a chair, or has the secret of its seat link; the owner too, for what the owner may do",
        [_COOKIE, _BEARER, _LINK],
    )
    OWNER = "the owner of the table", [_COOKIE, _BEARER]
    HERE = "whoever sits at the computer that the server runs on", [_NOTHING]
    HOST = "who runs the server: on the same machine, or with the metrics token", [_NOTHING, _METRICS]


MEANINGS = {
    400: "The request is malformed: no JSON, not said to be JSON (`Content-Type`), or a field is missing,"
    " unknown, of the wrong type, or there twice.",
    401: "You are no guest: no token or cookie, or one that the server does not know.",
    403: "You may not do that, or the request comes from a stranger's page.",
    404: "There is no such table, review or lesson, or it is none of your business.",
    405: "There is such a path, but this cannot be done with it; `Allow` says what can.",
    408: "The body has not come within a minute.",
    409: "The table is not at `expected_seq`, the command id was used for another command, or there is no"
    " room for more: the code says which.",
    413: "The body is too large.",
    421: "The server does not know itself by the name in `Host`.",
    422: "It is understood, but cannot be done: the rules or the state of the table say no.",
    429: "Too often; `Retry-After` says after how many seconds to try again.",
    500: "Something went wrong on the server; what was asked for may not have been done.",
    503: "It cannot be done just now; `Retry-After` says after how many seconds to try again.",
}
"""What a status of an error means, whichever route gives it."""
AT_THE_EDGE = (403, 413, 421, 429)
"""What any request may be answered; 405 and 408 too, but no route says so of itself."""
_RETRY = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer", "minimum": 1}}}


def router_of(tag: str) -> APIRouter:
    """A router for routes of one kind; a program knows each by the name of its function."""
    return APIRouter(
        tags=[tag], route_class=StrictJsonRoute, generate_unique_id_function=lambda route: route.name
    )


def answered(answer: type[WireModel], description: str) -> Keywords:
    """How one answer is described: by name, for FastAPI would prepare a check that is never made."""
    ANSWERS.add(answer)
    return {"description": description, "content": {"application/json": {"schema": {"$ref": ref(answer)}}}}


def ref(model: type[BaseModel]) -> str:
    """Where the description has a model."""
    return REF.format(model=model.__name__)


def described(
    summary: str, who: Audience, rate: Limit, answer: type[WireModel], *errors: int, status: int = 200
) -> Keywords:
    """The keywords of a route of the API: each of them counts towards a rate, and reads the store."""
    found = answered(answer, (answer.__doc__ or "").splitlines()[0])
    return {"status_code": status, **_counted(summary, who, rate, {status: found}, *errors)}


def described_text(
    summary: str, who: Audience, rate: Limit, kind: str, meaning: str, *errors: int
) -> Keywords:
    """The same for a route that answers with a text of some media type."""
    schema = {"type": "string", "description": meaning}
    found = {"description": meaning, "content": {kind: {"schema": schema}}}
    return _counted(summary, who, rate, {200: found}, *errors)


def plainly_described(summary: str, who: Audience, answers: dict[int | str, Any]) -> Keywords:
    """The keywords of a route for those who run the server."""
    return _keywords(summary, who, {**_refusals(*AT_THE_EDGE), **answers})


def _counted(
    summary: str, who: Audience, rate: Limit, answers: dict[int | str, Any], *errors: int
) -> Keywords:
    keywords = _keywords(summary, who, {**_refusals(*errors, *AT_THE_EDGE, 500, 503), **answers})
    keywords["openapi_extra"]["x-rate"] = rate.value
    return keywords


def _keywords(summary: str, who: Audience, responses: dict[int | str, Any]) -> Keywords:
    extra: Keywords = {"security": who.security, "x-who": who.words}
    return {"summary": summary, "responses": responses, "openapi_extra": extra}


def _refusals(*statuses: int) -> dict[int | str, Any]:
    return {
        status: {
            **answered(ErrorAnswer, MEANINGS[status]),
            **({"headers": _RETRY} if status in (429, 503) else {}),
        }
        for status in statuses
    }
