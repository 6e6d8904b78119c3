"""Serialises strategy lessons: the list, a position as its seat sees it, and the assessment of a turn."""

from typing import Annotated, Any

from pydantic import Field

from sanssouci.lessons import AnswerResult, Lesson, TurnValue
from sanssouci.locale import translate
from sanssouci.notation import seat_names, write_options, write_turn, write_view
from sanssouci.table import write_public_turns

from ..wire.lessons import LessonEntry, LessonVerdict
from ..wire.requests import RequestModel
from ..wire.responses import Expectation
from .hints import write_reason

Json = dict[str, Any]


class AnswerLesson(RequestModel):
    """What you would play."""

    turn: Annotated[
        str | None,
        Field(
            min_length=6,
            max_length=20,
            description="Put together from the lesson's `options`; null: you want to be shown the best turn.",
        ),
    ]


def write_entry(lesson: Lesson, language: str) -> LessonEntry:
    """A lesson in the list."""
    variant = lesson.view.variant
    return {
        "lesson": lesson.id,
        "theme": lesson.theme,
        "title": translate(f"lesson.{lesson.theme}", language),
        "look": translate(f"lesson.{lesson.theme}_look", language),
        "round": lesson.view.round,
        "seats": variant.seats,
        "edition": variant.edition,
        "expansions": list(variant.expansions),
    }


def write_position(lesson: Lesson, language: str) -> Json:
    """A lesson's position, which reveals neither hidden cards nor the best turn."""
    last = max(0, lesson.view.turn - lesson.view.variant.seats)
    return {
        **write_entry(lesson, language),
        "names": seat_names(lesson.record),
        "told": write_public_turns(lesson.record, last),
        "game": write_view(lesson.view),
        "options": write_options(lesson.view.options()),
    }


def write_verdict(lesson: Lesson, found: AnswerResult, language: str) -> LessonVerdict:
    """The assessment of an answer; the best turn has the shape of a hint."""
    edition, names = lesson.view.variant.edition, seat_names(lesson.record)
    return {
        "solved": found.solved,
        "chosen": None if found.chosen is None else _expected(lesson, found.chosen),
        "cost": None if found.chosen is None else found.chosen.cost,
        "hint": {
            "turn": write_turn(found.best.turn),
            "reasons": [write_reason(reason, edition, language, names) for reason in found.reasons],
            "expected": _expected(lesson, found.best),
            "others": [_expected(lesson, other) for other in found.others],
        },
    }


def _expected(lesson: Lesson, worth: TurnValue) -> Expectation:
    return {
        "turn": write_turn(worth.turn),
        "score": worth.score,
        "margin": round(lesson.margin - worth.cost, 1),
        "share": worth.share,
        "level": worth.solves,
    }
