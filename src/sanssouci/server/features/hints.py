"""Serialises a hint: the turn, translated reasons, and the squares to highlight."""

from collections.abc import Sequence

from sanssouci.notation import write_square
from sanssouci.review import Reason, say_reason
from sanssouci.rules import View
from sanssouci.workers import Expectation, HintResult, squares_of

from ..wire import responses


def write_hint_answer(hint: HintResult, view: View, language: str) -> responses.HintAnswer:
    edition = view.variant.edition
    return {
        "turn": hint.turn,
        "reasons": [write_reason(reason, edition, language) for reason in hint.reasons],
        "expected": _write(hint.expected),
        "others": [_write(other) for other in hint.others],
    }


def write_reason(reason: Reason, edition: str, language: str, names: Sequence[str] = ()) -> responses.Reason:
    """A reason for a turn, in the reader's language; ``names`` are those of the seats."""
    seat = dict(reason.details).get("seat")
    return {
        "key": reason.key,
        "sentence": say_reason(reason, edition, language, names),
        "seat": seat if isinstance(seat, int) else None,
        "squares": [write_square(square) for square in squares_of(reason)],
    }


def _write(expected: Expectation) -> responses.Expectation:
    return {
        "turn": expected.turn,
        "score": round(expected.score, 1),
        "margin": round(expected.margin, 1),
        "share": round(expected.share, 3),
        "level": expected.level,
    }
