"""How a route is described: who may ask, what is answered, and with which statuses it says no."""

from enum import Enum
from typing import Any

from fastapi import APIRouter

from ..limits.rate_limits import Limit
from ..routes.strict_json_route import StrictJsonRoute
from .errors import ErrorAnswer

Keywords = dict[str, Any]
Security = dict[str, list[str]]
"""Schemes that are needed together."""

REF = "#/components/schemas/{model}"
ANSWERS: set[type] = set()
"""The definitions of all responses."""

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
    400: "The request is malformed: invalid JSON, a missing `Content-Type`, or a field that is missing,"
    " unknown, duplicated or of the wrong type.",
    401: "You are not a guest: the token or cookie is missing or unknown.",
    403: "You may not do this, or the request comes from a foreign page.",
    404: "The table, review or lesson does not exist, or you may not see it.",
    405: "The path does not support this method; `Allow` lists those it does.",
    408: "The body did not arrive within a minute.",
    409: "The table is not at `expected_seq`, the command id was used for another command, or a limit is"
    " reached; the code says which.",
    413: "The body is too large.",
    421: "`Host` is not a name of this server.",
    422: "The request is valid, but the rules or the state of the table do not allow it.",
    429: "Rate limit exceeded; retry after the seconds in `Retry-After`.",
    500: "The server had an internal error; the request may not have been carried out.",
    503: "Temporarily unavailable; retry after the seconds in `Retry-After`.",
}
"""The meaning of each error status, on every route."""
AT_THE_EDGE = (403, 413, 421, 429)
"""What any request may be answered; 405 and 408 too, but no route says so of itself."""
_RETRY = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer", "minimum": 1}}}


def router_of(tag: str) -> APIRouter:
    """A router for routes of one kind; a program knows each by the name of its function."""
    return APIRouter(
        tags=[tag], route_class=StrictJsonRoute, generate_unique_id_function=lambda route: route.name
    )


def answered(answer: type, description: str) -> Keywords:
    """How one answer is described: by name, for FastAPI would prepare a check that is never made."""
    ANSWERS.add(answer)
    return {"description": description, "content": {"application/json": {"schema": {"$ref": ref(answer)}}}}


def ref(model: type) -> str:
    """Where the description has a model."""
    return REF.format(model=model.__name__)


def described(
    summary: str, who: Audience, rate: Limit, answer: type, *errors: int, status: int = 200
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
