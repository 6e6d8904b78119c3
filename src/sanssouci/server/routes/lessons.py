"""Strategy lessons: the list, a position to solve, and the assessment of a turn. Nothing is stored."""

from typing import Annotated

from fastapi import Path
from starlette.responses import Response

from sanssouci.lessons import check_answer, find_lesson, lessons
from sanssouci.notation import parse_turn

from ..auth.principal import CurrentUser, check_rate
from ..error_responses import json_response
from ..features.lessons import AnswerLesson, write_entry, write_position, write_verdict
from ..limits.rate_limits import Limit
from ..services import Served
from ..wire.lessons import LessonAnswer, LessonsAnswer, LessonVerdict
from ..wire.route_docs import Audience, described, router_of

router = router_of("lessons")
LessonId = Annotated[str, Path(pattern="^[a-z]{1,20}-[0-9]{1,2}$", description="The lesson's id.")]


@router.get("/api/lessons", **described("Lessons", Audience.ANYONE, Limit.READ, LessonsAnswer))
async def all_lessons(services: Served, principal: CurrentUser) -> Response:
    """All lessons in the order in which to learn them."""
    check_rate(services, principal, Limit.READ)
    return json_response(
        LessonsAnswer(lessons=[write_entry(lesson, principal.language) for lesson in lessons()])
    )


@router.get(
    "/api/lessons/{lesson}", **described("A lesson", Audience.ANYONE, Limit.READ, LessonAnswer, 400, 404)
)
async def one_lesson(lesson: LessonId, services: Served, principal: CurrentUser) -> Response:
    """A position as its seat sees it, and the turns to choose from."""
    check_rate(services, principal, Limit.READ)
    return json_response(write_position(find_lesson(lesson), principal.language))


@router.post(
    "/api/lessons/{lesson}/answer",
    **described("Answer a lesson", Audience.ANYONE, Limit.READ, LessonVerdict, 400, 404, 422),
)
async def answer_lesson(
    lesson: LessonId, answered: AnswerLesson, services: Served, principal: CurrentUser
) -> Response:
    """The value of a turn compared with the best one, and why; the same turn always gets the same answer."""
    check_rate(services, principal, Limit.READ)
    found = find_lesson(lesson)
    turn = None if answered.turn is None else parse_turn(answered.turn)
    return json_response(write_verdict(found, check_answer(found, turn), principal.language))
