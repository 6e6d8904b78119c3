"""A hint as a worker sends it: plain values, which the server turns into sentences in any language."""

from dataclasses import asdict, dataclass
from math import isfinite
from typing import TYPE_CHECKING

from sanssouci.notation import parse_turn, write_turn
from sanssouci.review import Detail, Hint, Reason, say_reason, within_noise
from sanssouci.rules import COLUMN, ROW, Square, View, members

from .answer import BadResponse, Json

if TYPE_CHECKING:
    from sanssouci.kernel import TurnEstimate

_MAX_OTHERS = 5
"""How many of the next best turns are sent."""
_SQUARE_DETAILS = ("square", "squares", "gaps", "stop", "stops", "ways")
"""The details of a reason that are squares."""
_WHOLE_ROW = ("row_complete", "row_grows", "denies_row")
_WHOLE_COLUMN = ("column_complete", "column_grows", "denies_column")
"""Reasons about all squares of a row or column."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """Estimates of a turn, for the seat that plays it; errors are standard errors."""

    turn: str
    games: int
    """Rollouts that began with it."""
    value: float
    """Turns are ordered by it."""
    score: float
    score_error: float
    margin: float
    """Over the best other seat."""
    share: float
    """The chance of winning; a shared win counts in part."""
    share_error: float
    level: bool
    """Whether the difference to the best turn is within the noise."""


@dataclass(frozen=True, slots=True)
class HintResult:
    """The turn to play, the reasons, and the estimates of it and of the best others."""

    turn: str
    reasons: tuple[Reason, ...]
    """One or two; ``review.say_reason`` writes the sentence, ``squares_of`` the squares to mark."""
    expected: Expectation
    others: tuple[Expectation, ...]


def squares_of(reason: Reason) -> tuple[Square, ...]:
    """The squares that a reason refers to, in the garden of its ``seat`` if it names one."""
    details = dict(reason.details)
    if reason.key in _WHOLE_ROW and isinstance(row := details["row"], int):
        return members(ROW[row])
    if reason.key in _WHOLE_COLUMN and isinstance(column := details["column"], int):
        return members(COLUMN[column])
    found: list[Square] = []
    for name in _SQUARE_DETAILS:
        detail = details.get(name, ())
        found += [detail] if isinstance(detail, int) else detail
    return tuple(dict.fromkeys(found))


def write_hint(hint: Hint, view: View) -> Json:
    best = hint.estimates[0]
    others = [other for other in hint.others() if other.games][:_MAX_OTHERS]
    return {
        "turn": write_turn(hint.turn),
        "reasons": [{"key": reason.key, "details": dict(reason.details)} for reason in hint.reasons],
        "expected": asdict(_expectation(best, best, view.to_move)),
        "others": [asdict(_expectation(other, best, view.to_move)) for other in others],
    }


def parse_hint(document: Json, view: View) -> HintResult:
    """Any exception means that a turn is illegal, a reason has no sentence, or a value has the wrong type."""
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
