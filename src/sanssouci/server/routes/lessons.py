"""Lessons on strategy: the list, a position to solve, and the verdict on a turn. Nothing of it is kept."""

from typing import Annotated

from fastapi import Path
from starlette.responses import Response

from sanssouci.lessons import check_answer, find_lesson, lessons
from sanssouci.notation import parse_turn

from ..description.schemas.lessons import LessonAnswer, LessonsAnswer, VerdictAnswer
from ..description.schemas.routes import Who, described, router_of
from ..edge.limits import Bucket
from ..lessons import AnswerLesson, write_entry, write_position, write_verdict
from ..replies import answer
from ..services import Served
from ..visitor import Visits, check_rate

router = router_of("lessons")
LessonId = Annotated[str, Path(pattern="^[a-z]{1,20}-[0-9]{1,2}$", description="The lesson's id.")]


@router.get("/api/lessons", **described("Lessons", Who.ANYONE, Bucket.READ, LessonsAnswer))
async def all_lessons(services: Served, visitor: Visits) -> Response:
    """All lessons in the order in which they are learnt."""
    check_rate(services, visitor, Bucket.READ)
    return answer({"lessons": [write_entry(lesson, visitor.language) for lesson in lessons()]})


@router.get("/api/lessons/{lesson}", **described("A lesson", Who.ANYONE, Bucket.READ, LessonAnswer, 400, 404))
async def one_lesson(lesson: LessonId, services: Served, visitor: Visits) -> Response:
    """A position as its seat sees it, and the turns to choose from."""
    check_rate(services, visitor, Bucket.READ)
    return answer(write_position(find_lesson(lesson), visitor.language))


@router.post(
    "/api/lessons/{lesson}/answer",
    **described("Answer a lesson", Who.ANYONE, Bucket.READ, VerdictAnswer, 400, 404, 422),
)
async def answer_lesson(
    lesson: LessonId, answered: AnswerLesson, services: Served, visitor: Visits
) -> Response:
    """What a turn is worth beside the best one, and why; the same turn is always told the same."""
    check_rate(services, visitor, Bucket.READ)
    found = find_lesson(lesson)
    turn = None if answered.turn is None else parse_turn(answered.turn)
    return answer(write_verdict(found, check_answer(found, turn), visitor.language))
