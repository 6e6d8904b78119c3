"""Error responses: the HTTP status, code and sentence of every error, and the list of all codes."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

import orjson
from starlette.responses import Response

from sanssouci.locale import UserError
from sanssouci.locale.catalogue import catalogue
from sanssouci.notation import RecordError, write_refusal
from sanssouci.rules import Refusal, RefusalCode, Refused
from sanssouci.store import DamagedRow, Unavailable
from sanssouci.table import CommandRejected, RejectReason

from .middleware import errors
from .middleware.errors import ErrorAnswer, ErrorBody
from .ops.damaged_data import DamagedData
from .rate_limits import RateLimited

Json = dict[str, Any]

_CODES = {
    400: "server.malformed",
    401: "server.no_guest",
    403: "declined.not_allowed request.no_origin request.wrong_origin server.no_hints server.not_public"
    " server.missed_shuffles server.sent_away",
    404: "lesson.missing review.unknown server.no_pages server.no_such_page server.unknown_table",
    405: "server.wrong_method",
    408: "request.too_slow",
    409: "declined.ahead declined.command_reused declined.stale server.contradicted server.one_chair"
    " server.owner_has_too_many_tables server.too_many_own_sockets server.too_many_seats"
    " server.too_many_tables server.too_many_watchers server.too_many_watchers_here",
    410: "server.table_expired",
    413: "request.too_large",
    421: "request.wrong_host",
    422: "boards.boar_square boards.missing name.empty notation.turn review.not_over server.cannot_listen"
    " server.no_network server.no_player server.player_not_allowed server.port_taken terms.bad_clock"
    " terms.bad_first terms.bad_turn terms.origin_chairs terms.two_boards",
    426: "server.upgrade_needed",
    429: "server.daily_quota server.too_many_sockets_here server.too_often",
    500: "request.failed review.damaged server.guest_damaged table.damaged",
    503: "request.too_many_tickets review.busy review.waits server.busy server.players_busy"
    " server.too_many_sockets store.cannot_read store.closed store.taken_over store.unavailable"
    " workers.busy workers.closed"
    " workers.hint_waits workers.no_hint workers.no_worker",
}
"""The codes of each status. Others have 422: refused commands, rules, and uploaded records and boards."""
_STATUS = {code: status for status, codes in _CODES.items() for code in codes.split()}
_LATER = 2
"""Seconds for ``Retry-After`` of temporary errors."""


def error_json(error: UserError | Refused, language: str) -> ErrorBody:
    if isinstance(error, Refused):
        refusal = error.refusal
        return {
            "code": f"refusal.{refusal.code.text}",
            "rule": refusal.rule,
            "sentence": write_refusal(refusal, language),
        }
    if isinstance(error, DamagedRow):
        error = DamagedData.by(error)
    return errors.error_body(error, language, error.rule if isinstance(error, RecordError) else None)


def malformed(errors: Sequence[Mapping[str, Any]]) -> UserError:
    """The location of a validation error, but never the value, which may be a secret."""
    place = ".".join(str(part) for part in errors[0]["loc"])[:100]
    return UserError("server.malformed", where=place.encode("ascii", "replace").decode("ascii"))


def status_of(error: UserError | Refused) -> int:
    if isinstance(error, DamagedRow):
        return 500
    if isinstance(error, Unavailable):
        return 503
    return _STATUS.get(error.key, 422) if isinstance(error, UserError) else 422


def retry_after(error: UserError | Refused) -> int | None:
    """Seconds until a retry may succeed, if it can at all."""
    if isinstance(error, RateLimited):
        return error.seconds
    return _LATER if status_of(error) in (429, 503) else None


def error_response(
    error: UserError | Refused, language: str, headers: Mapping[str, str] | None = None
) -> Response:
    wait = retry_after(error)
    headers = {**(headers or {}), **({} if wait is None else {"retry-after": str(wait)})}
    return json_response(ErrorAnswer(error=error_json(error, language)), status_of(error), headers)


def json_response(document: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(orjson.dumps(document), status, headers, "application/json")


# All error codes with status and sentence, for the OpenAPI document.

DOCUMENTS = ("boards.", "field.", "file.", "json.", "notation.", "record.", "refusal.")
"""Prefixes of codes about an uploaded record or boards file, of which there are too many to list."""
_RULES = (
    *takewhile(lambda code: code is not RefusalCode.REFILL_NOT_IN_POUCH, RefusalCode),
    RefusalCode.BOAR_NOT_IN_EDITION,
    RefusalCode.NO_SUCH_GARDEN_SIDE,
    RefusalCode.GARDEN_SIDE_PICKED,
    RefusalCode.NOTHING_TO_PICK,
    RefusalCode.REWARD_SIDE_PICKED,
    RefusalCode.NO_SUCH_REWARD_SIDE,
)
"""Refusals of a turn (they come first), a side, or settings. Others are about records and score sheets."""
_SYSTEM_ONLY = (RejectReason.TIME_LEFT,)
"""Reasons that only the server itself can get."""


def all_codes() -> dict[str, Json]:
    """Every code with its status, rule and sentence, sorted."""
    rejected = {CommandRejected(reason).key for reason in RejectReason if reason not in _SYSTEM_ONLY}
    found = {code: _entry(code, _STATUS.get(code, 422)) for code in rejected | _STATUS.keys()}
    for code in _RULES:
        name = f"refusal.{code.text}"
        found[name] = _entry(name, 422, Refusal.of(code).rule)
    return dict(sorted(found.items()))


def _entry(code: str, status: int, rule: str | None = None) -> Json:
    return {"status": status, "rule": rule, "sentence": catalogue("en")[code]}
