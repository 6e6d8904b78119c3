"""A hint as a worker sends it: plain values, which the server turns into sentences in any language."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, FiniteFloat
from typing_extensions import TypedDict

from sanssouci.notation import parse_turn, read_typed, write_turn
from sanssouci.notation.json_types import JsonObject, TurnText
from sanssouci.review import Hint, Reason, TurnOutlook, say_reason
from sanssouci.rules import COLUMN, ROW, Square, View, members

from .answer import BadResponse

_SQUARE_DETAILS = ("square", "squares", "gaps", "stop", "stops", "ways")
"""The details of a reason that are squares."""
_WHOLE_ROW = ("row_complete", "row_grows", "denies_row")
_WHOLE_COLUMN = ("column_complete", "column_grows", "denies_column")
"""Reasons about all squares of a row or column."""


class TurnForecast(JsonObject):
    """The expected result of a turn, from simulated games."""

    turn: TurnText
    """The turn."""
    score: FiniteFloat
    """Your points at the end."""
    margin: FiniteFloat
    """Your points over those of the best other seat."""
    share: Annotated[FiniteFloat, Field(ge=0, le=1)]
    """Your share of the win, in hundredths; 1 is certain. Turns are sorted by it, then by ``margin``."""
    level: bool
    """Whether it is about as good as the best turn: neither share nor margin clearly differs."""


class _ReasonJson(TypedDict):
    key: str
    details: dict[str, int | Sequence[int]]


class _HintJson(TypedDict):
    turn: str
    reasons: list[_ReasonJson]
    expected: TurnForecast
    others: list[TurnForecast]


@dataclass(frozen=True, slots=True)
class HintResult:
    """The turn to play, the reasons, and the estimates of it and of the best others."""

    turn: str
    reasons: tuple[Reason, ...]
    """One or two; ``review.say_reason`` writes the sentence, ``squares_of`` the squares to mark."""
    expected: TurnForecast
    others: tuple[TurnForecast, ...]


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


def write_hint(hint: Hint) -> _HintJson:
    best, *others = hint.outlooks
    return {
        "turn": write_turn(hint.turn),
        "reasons": [{"key": reason.key, "details": dict(reason.details)} for reason in hint.reasons],
        "expected": _forecast(best),
        "others": [_forecast(other) for other in others],
    }


def parse_hint(document: object, view: View) -> HintResult:
    """Any exception means that a turn is illegal, a reason has no sentence, or a value has the wrong type."""
    found = read_typed(_HintJson, document)
    others = tuple(found["others"])
    if any(parse_turn(each["turn"]) not in view.options() for each in (found, found["expected"], *others)):
        raise BadResponse
    reasons = tuple(_reason(reason, view) for reason in found["reasons"])
    return HintResult(found["turn"], reasons, found["expected"], others)


def _forecast(outlook: TurnOutlook) -> TurnForecast:
    return {
        "turn": write_turn(outlook.turn),
        "score": round(outlook.score.mean, 1),
        "margin": round(outlook.margin.mean, 1),
        "share": outlook.percent / 100,
        "level": outlook.level,
    }


def _reason(found: _ReasonJson, view: View) -> Reason:
    details = (
        (name, value if isinstance(value, int) else tuple(value)) for name, value in found["details"].items()
    )
    reason = Reason(found["key"], tuple(details))
    say_reason(reason, view.variant.edition)  # raises for an unknown reason
    return reason
