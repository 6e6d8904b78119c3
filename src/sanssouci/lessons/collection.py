"""The collection of lessons, a file of the package."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from typing_extensions import TypedDict

from sanssouci.locale import UserError
from sanssouci.notation import read_typed_json

from .lesson import Lesson, LessonJson, read_lesson, write_lesson

FORMAT = "sanssouci-lessons/1"
FILE = Path(__file__).with_name("lessons.json")


class LessonsFile(TypedDict):
    """The whole file."""

    format: str
    lessons: list[LessonJson]


class UnknownLesson(UserError):
    """There is no such lesson."""

    def __init__(self) -> None:
        super().__init__("lesson.missing")


@cache
def lessons() -> tuple[Lesson, ...]:
    """All lessons, in the order in which they are learnt."""
    return parse_lessons(FILE.read_text(encoding="utf-8"))


def find_lesson(name: str) -> Lesson:
    """A lesson by its id, or ``UnknownLesson``."""
    for lesson in lessons():
        if lesson.id == name:
            return lesson
    raise UnknownLesson


def write_lessons(found: Sequence[Lesson]) -> str:
    """A file of lessons: one line for each."""
    lines = [json.dumps(write_lesson(lesson), separators=(",", ":")) for lesson in found]
    body = ",\n".join(lines)
    return f'{{"format":"{FORMAT}","lessons":[\n{body}\n]}}\n'


def parse_lessons(text: str) -> tuple[Lesson, ...]:
    """The lessons of a file, or ``ValueError``."""
    document = read_typed_json(LessonsFile, text)
    if document["format"] != FORMAT:
        raise ValueError("no file of lessons")
    return tuple(map(read_lesson, document["lessons"]))
