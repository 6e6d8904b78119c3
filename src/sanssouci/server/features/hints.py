"""Serialises a hint: the turn, translated reasons, and the squares to highlight."""

from typing import Any

from sanssouci.notation import write_square
from sanssouci.review import say_reason
from sanssouci.rules import View
from sanssouci.workers import Expectation, HintResult, squares_of

Json = dict[str, Any]


def write_hint_answer(hint: HintResult, view: View, language: str) -> Json:
    edition = view.variant.edition
    return {
        "turn": hint.turn,
        "reasons": [
            {
                "key": reason.key,
                "sentence": say_reason(reason, edition, language),
                "seat": dict(reason.details).get("seat"),
                "squares": [write_square(square) for square in squares_of(reason)],
            }
            for reason in hint.reasons
        ],
        "expected": _write(hint.expected),
        "others": [_write(other) for other in hint.others],
    }


def _write(expected: Expectation) -> Json:
    return {
        "turn": expected.turn,
        "score": round(expected.score, 1),
        "margin": round(expected.margin, 1),
        "share": round(expected.share, 3),
        "level": expected.level,
    }
