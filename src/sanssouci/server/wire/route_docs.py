"""API routes: strict JSON bodies, and how each route is described in the OpenAPI document."""

from collections.abc import Callable, Coroutine
from enum import Enum
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute

from sanssouci.locale import UserError
from sanssouci.notation import parse_json

from ..auth.principal import rate_limited
from ..middleware.errors import ErrorAnswer
from ..rate_limits import Limit

BAD_JSON = "sanssouci.bad_json"
"""The key in the scope for the reason why a body cannot be parsed."""


class StrictJsonRoute(APIRoute):
    """An ``APIRoute`` that parses bodies with ``parse_json``."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answered = super().get_route_handler()

        async def answer(request: Request) -> Response:
            return await answered(_StrictRequest(request.scope, request.receive))

        return answer


class _StrictRequest(Request):
    async def json(self) -> Any:
        """The body; a text, which no model accepts, if it is not JSON or has duplicate keys.

        FastAPI parses the body before it runs dependencies. An exception here would come before the rate
        limit, and the request would not count.
        """
        try:
            return parse_json(await self.body(), integral_as_int=True)
        except UserError as reason:
            self.scope[BAD_JSON] = reason
            return "not JSON"


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
_AT_TABLE = 400, 404, 410
_GUEST_AT_TABLE = 400, 401, 404, 410


class Audience(Enum):
    """Who may use a route: in words, as OpenAPI security schemes, and the errors that others get.

    400 is for a malformed id of a table.
    """

    def __init__(self, words: str, security: list[Security], *errors: int) -> None:
        self.words = words
        self.security = security
        self.errors = errors

    ANYONE = "anyone", [_NOTHING]
    GUEST = "a guest", [_COOKIE, _BEARER], 401
    VIEWER = (
        "anyone who may see the table: the owner, holders of a chair or of a link's secret, and everyone"
        " if the table is open",
        [_NOTHING, _COOKIE, _BEARER, _LINK],
        *_AT_TABLE,
    )
    JOINER = (
        "a guest, at an open table or with the secret of its join link",
        [_COOKIE, _BEARER, {**_COOKIE, **_LINK}, {**_BEARER, **_LINK}],
        *_GUEST_AT_TABLE,
    )
    SEATED = "the holder of the chair or of its seat link's secret", [_COOKIE, _BEARER, _LINK], *_AT_TABLE
    CLAIMANT = (
        "a guest with the secret of the chair's seat link, or who holds the chair already",
        [_COOKIE, _BEARER, {**_COOKIE, **_LINK}, {**_BEARER, **_LINK}],
        *_GUEST_AT_TABLE,
    )
    PLAYER = (
        "the holder of a chair or of its seat link's secret; the owner, for the owner's commands",
        [_COOKIE, _BEARER, _LINK],
        *_AT_TABLE,
    )
    OWNER = "the owner of the table", [_COOKIE, _BEARER], *_AT_TABLE
    HERE = "users of the server's own computer", [_NOTHING]
    HOST = "the host: on the same machine, or with the metrics token", [_NOTHING, _METRICS]


MEANINGS = {
    400: "The request is malformed: invalid JSON, a missing `Content-Type`, or a field that is missing,"
    " unknown, duplicated or of the wrong type.",
    401: "You are not a guest: the token or cookie is missing or unknown.",
    403: "You may not do this, or the request comes from a foreign page.",
    404: "The table, review or lesson does not exist, or you may not see it.",
    405: "The path does not support this method; `Allow` lists those it does.",
    408: "The body did not arrive within a minute.",
    409: "The command is stale or ahead of the table, its id was used for another command, or a limit is"
    " reached; the code says which.",
    410: "The table was deleted because nobody used it before its game started.",
    413: "The body is too large.",
    421: "`Host` is not a name of this server.",
    422: "The request is valid, but the rules or the state of the table do not allow it.",
    426: "The path is that of the socket, and the request does not ask for a WebSocket.",
    429: "Rate limit exceeded; retry after the seconds in `Retry-After`.",
    500: "The server had an internal error; the request may not have been carried out.",
    503: "Temporarily unavailable; retry after the seconds in `Retry-After`.",
}
"""The meaning of each error status, on every route."""
COMMON_STATUSES = (403, 413, 421, 429)
"""Statuses that every route may give; 405 and 408 too, but no route lists them."""
_RETRY = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer", "minimum": 1}}}


def router_of(tag: str) -> APIRouter:
    """A router for the routes of a tag; each operation is called like its function."""
    return APIRouter(
        tags=[tag], route_class=StrictJsonRoute, generate_unique_id_function=lambda route: route.name
    )


def answered(answer: type, description: str) -> Keywords:
    """Describe a response by reference; for ``response_model`` FastAPI would prepare an unused validator."""
    ANSWERS.add(answer)
    return {"description": description, "content": {"application/json": {"schema": {"$ref": ref(answer)}}}}


def ref(model: type) -> str:
    return REF.format(model=model.__name__.removesuffix("Json"))


def described(
    summary: str, who: Audience, answer: type, *errors: int, rate: Limit = Limit.READ, status: int = 200
) -> Keywords:
    """The keywords of an API route with its rate limit; ``errors`` are those that not every route has."""
    found = answered(answer, (answer.__doc__ or "").splitlines()[0])
    return {"status_code": status, **_counted(summary, who, rate, {status: found}, *errors)}


def described_text(
    summary: str, who: Audience, rate: Limit, kind: str, meaning: str, *errors: int
) -> Keywords:
    """The keywords of a route that answers with a text of some media type."""
    schema = {"type": "string", "description": meaning}
    found = {"description": meaning, "content": {kind: {"schema": schema}}}
    return _counted(summary, who, rate, {200: found}, *errors)


def described_upload(summary: str, who: Audience, answer: type, *errors: int, status: int = 200) -> Keywords:
    """The keywords of a route that reads a record from a large body itself."""
    keywords = described(summary, who, answer, *errors, rate=Limit.IMPORT, status=status)
    keywords["dependencies"] = [rate_limited(Limit.IMPORT, by_address=False)]
    record = {"schema": {"type": "object", "description": "A record, as docs/notation.md has it."}}
    keywords["openapi_extra"]["requestBody"] = {"required": True, "content": {"application/json": record}}
    return keywords


def plainly_described(summary: str, who: Audience, answers: dict[int | str, Any]) -> Keywords:
    """The keywords of a route without a rate limit of its own, for the host."""
    return _keywords(summary, who, {**_refusals(*COMMON_STATUSES), **answers})


def _counted(
    summary: str, who: Audience, rate: Limit, answers: dict[int | str, Any], *errors: int
) -> Keywords:
    refusals = _refusals(*who.errors, *errors, *COMMON_STATUSES, 500, 503)
    keywords = _keywords(summary, who, refusals | answers)
    keywords["openapi_extra"]["x-rate"] = rate.value
    keywords["dependencies"] = [rate_limited(rate)]
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
