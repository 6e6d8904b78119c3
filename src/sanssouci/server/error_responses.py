"""Error responses: the HTTP status, code and translated sentence of every error."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from starlette.responses import Response

from sanssouci.lessons import UnknownLesson
from sanssouci.locale import UserError
from sanssouci.notation import RecordError, write_refusal
from sanssouci.rules import Refused
from sanssouci.store import DamagedRow, Unavailable
from sanssouci.table import CommandRejected, RejectReason

from .auth.principal import NotAGuest
from .features.reviews import UnknownReview
from .limits.quotas import QuotaExceeded
from .limits.rate_limits import RateLimited
from .middleware import errors
from .ops.corrupt_tables import CorruptData
from .tables.table_registry import UnknownTable, WriteConflict
from .wire.errors import ErrorAnswer, ErrorBody

BUSY = (
    "workers.busy",
    "workers.closed",
    "workers.hint_waits",
    "workers.no_hint",
    "workers.no_worker",
    "review.busy",
    "review.waits",
)
"""Errors of computer players that are temporary."""
_STATUS_OF_NO = {
    RejectReason.NOT_ALLOWED: 403,
    RejectReason.STALE: 409,
    RejectReason.AHEAD: 409,
    RejectReason.COMMAND_REUSED: 409,
}
_STATUS_OF_KEY = {
    "server.not_public": 403,
    "server.no_pages": 404,
    "server.no_hints": 403,
    "server.sent_away": 403,
    "request.too_many_tickets": 503,
} | dict.fromkeys(BUSY, 503)
_STATUS: tuple[tuple[type[UserError], int], ...] = (
    (UnknownTable, 404),
    (UnknownReview, 404),
    (UnknownLesson, 404),
    (NotAGuest, 401),
    (RateLimited, 429),
    (Unavailable, 503),
    (WriteConflict, 409),
    (QuotaExceeded, 409),
    (CorruptData, 500),
    (DamagedRow, 500),
)
_LATER = 2
"""Seconds for ``Retry-After`` of temporary errors."""


def error_json(error: UserError | Refused, language: str) -> ErrorBody:
    """An error of the server or of the rules as JSON."""
    if isinstance(error, Refused):
        refusal = error.refusal
        return {
            "code": f"refusal.{refusal.code.text}",
            "rule": refusal.rule,
            "sentence": write_refusal(refusal, language),
        }
    if isinstance(error, DamagedRow):
        error = CorruptData.by(error)
    return errors.error_body(error, language, error.rule if isinstance(error, RecordError) else None)


def malformed(errors: Sequence[Mapping[str, Any]]) -> UserError:
    """The location of a validation error, but never the value, which may be a secret."""
    place = ".".join(str(part) for part in errors[0]["loc"])[:100]
    return UserError("server.malformed", where=place.encode("ascii", "replace").decode("ascii"))


def status_of(error: UserError | Refused) -> int:
    """The HTTP status of an error."""
    if isinstance(error, CommandRejected):
        return _STATUS_OF_NO.get(error.reason, 422)
    if isinstance(error, Refused):
        return 422
    found = (status for kind, status in _STATUS if isinstance(error, kind))
    return next(found, _STATUS_OF_KEY.get(error.key, 422))


def retry_after(error: UserError | Refused) -> int | None:
    """Seconds until a retry may succeed, if it can at all."""
    if isinstance(error, RateLimited):
        return error.seconds
    return _LATER if status_of(error) == 503 else None


def error_response(error: UserError | Refused, language: str) -> Response:
    wait = retry_after(error)
    headers = {} if wait is None else {"retry-after": str(wait)}
    return json_response(ErrorAnswer(error=error_json(error, language)), status_of(error), headers)


def json_response(document: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(orjson.dumps(document), status, headers, "application/json")
