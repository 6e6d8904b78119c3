"""A hint as it comes from a worker: plain values, of which sentences are made in the reader's language."""

from dataclasses import asdict, dataclass
from math import isfinite
from typing import TYPE_CHECKING

from sanssouci.notation import parse_turn, write_turn
from sanssouci.review import Detail, Hint, Reason, say_reason, within_noise
from sanssouci.rules import COLUMN, ROW, Square, View, members

from .answer import BadResponse, Json

if TYPE_CHECKING:
    from sanssouci.kernel import TurnEstimate

_OTHERS = 5
"""How many of the next best turns are told."""
_PLACES = ("square", "squares", "gaps", "stop", "stops", "ways")
"""The details of a reason that are squares."""
_WHOLE_ROW = ("row_complete", "row_grows", "denies_row")
_WHOLE_COLUMN = ("column_complete", "column_grows", "denies_column")
"""Reasons that are about all squares of a line."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is expected of a turn, for the seat that plays it; errors are standard errors."""

    turn: str
    games: int
    """How many imagined games it began."""
    value: float
    """What turns are ordered by."""
    score: float
    score_error: float
    margin: float
    """Over the best other seat."""
    share: float
    """Of the win."""
    share_error: float
    level: bool
    """Whether it is about as good as the best."""


@dataclass(frozen=True, slots=True)
class HintResult:
    """The turn to play, why, and what is expected of it and of the best others."""

    turn: str
    reasons: tuple[Reason, ...]
    """One or two; ``review.say_reason`` says them, ``squares_of`` tells what to draw."""
    expected: Expectation
    others: tuple[Expectation, ...]


def squares_of(reason: Reason) -> tuple[Square, ...]:
    """The squares that a reason speaks of; they lie in the garden of its ``seat``, if it names one."""
    details = dict(reason.details)
    if reason.key in _WHOLE_ROW and isinstance(row := details["row"], int):
        return members(ROW[row])
    if reason.key in _WHOLE_COLUMN and isinstance(column := details["column"], int):
        return members(COLUMN[column])
    found: list[Square] = []
    for name in _PLACES:
        detail = details.get(name, ())
        found += [detail] if isinstance(detail, int) else detail
    return tuple(dict.fromkeys(found))


def write_hint(hint: Hint, view: View) -> Json:
    """A hint for the seat of a view, as a worker tells it."""
    best = hint.estimates[0]
    others = [other for other in hint.others() if other.games][:_OTHERS]
    return {
        "turn": write_turn(hint.turn),
        "reasons": [{"key": reason.key, "details": dict(reason.details)} for reason in hint.reasons],
        "expected": asdict(_expectation(best, best, view.to_move)),
        "others": [asdict(_expectation(other, best, view.to_move)) for other in others],
    }


def parse_hint(document: Json, view: View) -> HintResult:
    """The hint that a worker tells, if its turns are legal and its reasons can be said; else any error."""
    return HintResult(
        _legal(document["turn"], view),
        tuple(_reason(reason, view) for reason in document["reasons"]),
        _read_expectation(document["expected"], view),
        tuple(_read_expectation(other, view) for other in document["others"]),
    )


def _expectation(estimate: "TurnEstimate", best: "TurnEstimate", seat: int) -> Expectation:
    score, share = estimate.scores[seat], estimate.shares[seat]
    return Expectation(
        write_turn(estimate.turn),
        estimate.games,
        estimate.value,
        *score,
        estimate.margin.mean,
        *share,
        within_noise(best, estimate, seat),
    )


def _read_expectation(document: Json, view: View) -> Expectation:
    found = Expectation(**document)
    _legal(found.turn, view)
    numbers = (found.value, found.score, found.score_error, found.margin, found.share, found.share_error)
    if not (all(map(isfinite, numbers)) and isinstance(found.games, int) and isinstance(found.level, bool)):
        raise BadResponse
    return found


def _legal(text: str, view: View) -> str:
    if parse_turn(text) not in view.options():
        raise BadResponse
    return text


def _reason(document: Json, view: View) -> Reason:
    reason = Reason(
        document["key"], tuple((name, _detail(value)) for name, value in document["details"].items())
    )
    say_reason(reason, view.variant.edition)
    return reason


def _detail(value: object) -> Detail:
    return tuple(map(_number, value)) if isinstance(value, list) else _number(value)


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise BadResponse
    return value
