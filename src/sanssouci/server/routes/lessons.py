"""Strategy lessons: the list, a position to solve, and the assessment of a turn. Nothing is stored."""

from typing import Annotated

from fastapi import Path, Query
from pydantic import Field
from starlette.responses import Response

from sanssouci.lessons import AnswerResult, Lesson, TurnValue, check_answer, find_lesson, lessons
from sanssouci.locale import translate
from sanssouci.notation import (
    GameViewJson,
    OptionsJson,
    parse_turn,
    seat_names,
    write_options,
    write_turn,
    write_view,
)
from sanssouci.notation.json_types import EditionName, ExpansionName, JsonObject, Round
from sanssouci.table import PlayEvent, write_public_turns
from sanssouci.workers import TurnForecast

from ..auth.principal import CurrentUser
from ..error_responses import json_response
from ..wire.requests import RequestModel
from ..wire.responses import HintAnswer
from ..wire.route_docs import Audience, described, router_of
from .tables import write_reason

LessonText = Annotated[str, Field(pattern="^[a-z]{1,20}-[0-9]{1,2}$")]


class LessonEntry(JsonObject):
    """A lesson in the list."""

    lesson: LessonText
    """Its id."""
    theme: str
    """The theme as a key."""
    title: str
    """The theme in the reader's language."""
    look: str
    """What to look for, in the reader's language."""
    round: Round
    """The round of the position."""
    seats: Annotated[int, Field(ge=2, le=4)]
    """The number of seats."""
    edition: EditionName
    """The edition."""
    expansions: list[ExpansionName]
    """The expansions in play."""


class LessonsAnswer(JsonObject):
    """All lessons."""

    lessons: list[LessonEntry]
    """In the order in which to learn them: the base game first; those of a theme together."""


class LessonAnswer(LessonEntry):
    """A position to solve."""

    names: list[str]
    """The name of each seat."""
    events: list[PlayEvent]
    """The last round: the seat's own turn and the turns since; `chair` is the seat."""
    game: GameViewJson
    """The view of the seat to move."""
    options: OptionsJson


class LessonVerdict(JsonObject):
    """The assessment of a turn."""

    solved: bool
    """Whether the turn is the best, or as good."""
    chosen: TurnForecast | None
    """The expected result of the turn; null if none was sent."""
    cost: float | None
    """The points of the margin that it loses against the best turn."""
    hint: HintAnswer
    """The best turn, its reasons compared with yours, and at most three others."""


class AnswerLesson(RequestModel):
    """The turn that you would play."""

    turn: Annotated[
        str | None,
        Field(
            min_length=6,
            max_length=20,
            description="Put together from the lesson's `options`; null to see the best turn.",
        ),
    ]


def write_entry(lesson: Lesson, language: str) -> LessonEntry:
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


def write_position(lesson: Lesson, language: str) -> LessonAnswer:
    """A lesson's position, which reveals neither hidden cards nor the best turn."""
    last = max(0, lesson.view.turn - lesson.view.variant.seats)
    return {
        **write_entry(lesson, language),
        "names": seat_names(lesson.record),
        "events": write_public_turns(lesson.record, last),
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


def _expected(lesson: Lesson, worth: TurnValue) -> TurnForecast:
    return {
        "turn": write_turn(worth.turn),
        "score": worth.score,
        "margin": round(lesson.margin - worth.cost, 1),
        "share": worth.share,
        "level": worth.solves,
    }


router = router_of("lessons")
LessonId = Annotated[str, Path(pattern="^[a-z]{1,20}-[0-9]{1,2}$", description="The lesson's id.")]
ReadersEdition = Annotated[
    EditionName | None,
    Query(description="The edition to show lessons in; those with the wild boar are always Imperial."),
]


@router.get("/api/lessons", **described("List lessons", Audience.ANYONE, LessonsAnswer, 400))
async def all_lessons(principal: CurrentUser, edition: ReadersEdition = None) -> Response:
    """All lessons in the order in which to learn them."""
    return json_response(
        LessonsAnswer(lessons=[write_entry(lesson, principal.language) for lesson in lessons(edition)])
    )


@router.get("/api/lessons/{lesson}", **described("Get a lesson", Audience.ANYONE, LessonAnswer, 400, 404))
async def one_lesson(lesson: LessonId, principal: CurrentUser, edition: ReadersEdition = None) -> Response:
    """A position as its seat sees it, and the turns to choose from."""
    return json_response(write_position(find_lesson(lesson, edition), principal.language))


@router.post(
    "/api/lessons/{lesson}/answer",
    **described("Answer a lesson", Audience.ANYONE, LessonVerdict, 400, 404, 422),
)
async def answer_lesson(
    lesson: LessonId, answered: AnswerLesson, principal: CurrentUser, edition: ReadersEdition = None
) -> Response:
    """The value of a turn compared with the best one, and why; the same turn always gets the same answer."""
    found = find_lesson(lesson, edition)
    turn = None if answered.turn is None else parse_turn(answered.turn)
    return json_response(write_verdict(found, check_answer(found, turn), principal.language))
