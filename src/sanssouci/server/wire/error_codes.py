"""All codes with which the server says no, the status of each, and its sentence.

``error.code`` is one of these. Only of documents that somebody sends in, records and boards files, more can
be said than a list can hold: their codes begin with one of a few words.
"""

from itertools import takewhile
from typing import Any

from sanssouci.lessons import UnknownLesson
from sanssouci.locale import UserError
from sanssouci.locale.catalogue import catalogue
from sanssouci.rules import Code, Refusal, Refused
from sanssouci.store import Unavailable
from sanssouci.table import CommandRejected, RejectReason

from ..auth.principal import NotAGuest
from ..error_responses import status_of
from ..features.reviews import UnknownReview
from ..limits.quotas import QuotaExceeded
from ..limits.rate_limits import RateLimited
from ..ops.corrupt_tables import GUEST, REVIEW, TABLE, CorruptData
from ..tables.table_registry import UnknownTable, WriteConflict

Json = dict[str, Any]

DOCUMENTS = ("boards.", "field.", "file.", "json.", "notation.", "record.", "refusal.")
"""How the codes begin that are about a record or a boards file."""
_AT_THE_EDGE = {
    "request.no_origin": 403,
    "request.wrong_origin": 403,
    "server.no_such_page": 404,
    "server.wrong_method": 405,
    "request.too_large": 413,
    "request.too_slow": 408,
    "request.wrong_host": 421,
    "server.malformed": 400,
    "request.failed": 500,
}
"""What is answered before a route is asked, or instead."""
_USER_ERRORS: tuple[UserError, ...] = (
    NotAGuest(),
    RateLimited(1),
    UnknownTable(),
    UnknownReview(),
    UnknownLesson(),
    Unavailable("store.unavailable"),
    Unavailable("store.cannot_read"),
    Unavailable("store.closed"),
    Unavailable("server.busy"),
    Unavailable("server.players_busy"),
    WriteConflict(),
    *map(CorruptData, (TABLE, GUEST, REVIEW)),
    *map(
        QuotaExceeded,
        (
            "server.one_chair",
            "server.owner_has_too_many_tables",
            "server.too_many_own_sockets",
            "server.too_many_seats",
            "server.too_many_tables",
            "server.too_many_watchers",
            "server.too_many_watchers_here",
        ),
    ),
    *map(
        UserError,
        (
            "boards.missing",
            "boards.boar_square",
            "name.empty",
            "notation.turn",
            "request.too_many_tickets",
            "review.busy",
            "review.not_over",
            "review.waits",
            "server.cannot_listen",
            "server.no_hints",
            "server.no_network",
            "server.no_pages",
            "server.no_player",
            "server.not_public",
            "server.port_taken",
            "server.player_not_allowed",
            "server.sent_away",
            "terms.bad_clock",
            "terms.bad_first",
            "terms.bad_turn",
            "terms.origin_chairs",
            "terms.two_boards",
            "workers.busy",
            "workers.closed",
            "workers.hint_waits",
            "workers.no_hint",
            "workers.no_worker",
        ),
    ),
)
_RULES = (
    *takewhile(lambda code: code is not Code.REFILL_NOT_IN_POUCH, Code),
    Code.BOAR_NOT_IN_EDITION,
    Code.NO_SUCH_GARDEN_SIDE,
    Code.GARDEN_SIDE_PICKED,
    Code.NOTHING_TO_PICK,
    Code.REWARD_SIDE_PICKED,
    Code.NO_SUCH_REWARD_SIDE,
)
"""What the rules can say of a turn (they come first), a side, or the terms of a table.

The rest is about records, and about real tables.
"""
_HOUSE_ONLY = (RejectReason.TIME_LEFT,)
"""What only the house itself can be told."""


def all_codes() -> dict[str, Json]:
    """Every code with its status, rule and sentence, sorted."""
    found = {code: _entry(code, status) for code, status in _AT_THE_EDGE.items()}
    found |= {user_error.key: _entry(user_error.key, status_of(user_error)) for user_error in _USER_ERRORS}
    declined = [CommandRejected(no) for no in RejectReason if no not in _HOUSE_ONLY]
    found |= {user_error.key: _entry(user_error.key, status_of(user_error)) for user_error in declined}
    for code in _RULES:
        refusal = Refusal.of(code)
        found[f"refusal.{code.text}"] = _entry(
            f"refusal.{code.text}", status_of(Refused(refusal)), refusal.rule
        )
    return dict(sorted(found.items()))


def _entry(code: str, status: int, rule: str | None = None) -> Json:
    return {"status": status, "rule": rule, "sentence": catalogue("en")[code]}
