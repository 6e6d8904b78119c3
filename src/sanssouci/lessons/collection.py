"""The collection of lessons, a file of the package."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from typing_extensions import TypedDict

from sanssouci.locale import UserError
from sanssouci.notation import read_typed_json
from sanssouci.rules import REWARDS, WILD_BOAR

from .lesson import Lesson, LessonJson, read_lesson, write_lesson
from .themes import THEMES

FORMAT = "sanssouci-lessons/2"
FILE = Path(__file__).with_name("lessons.json")
PARTS: tuple[tuple[str, ...], ...] = ((), (REWARDS,), (WILD_BOAR,), (REWARDS, WILD_BOAR))
"""The expansions of the parts of the collection, in learning order."""


class LessonsFile(TypedDict):
    """The whole file."""

    format: str
    retired: list[str]
    lessons: list[LessonJson]


@dataclass(frozen=True, slots=True)
class Collection:
    """The contents of a file of lessons."""

    lessons: tuple[Lesson, ...] = ()
    retired: tuple[str, ...] = ()
    """The ids of replaced lessons. Browsers store the ids of solved lessons, so none is used again."""


class UnknownLesson(UserError):
    """There is no such lesson."""

    def __init__(self) -> None:
        super().__init__("lesson.missing")


def lessons(edition: str | None = None) -> tuple[Lesson, ...]:
    """All lessons, in the order in which they are learnt; with an edition, shown in it where possible."""
    return _read_lessons(edition)


@cache
def _read_lessons(edition: str | None) -> tuple[Lesson, ...]:
    if edition is None:
        return parse_lessons(FILE.read_text(encoding="utf-8")).lessons
    return tuple(lesson.in_edition(edition) for lesson in lessons())


def learning_order(lesson: Lesson) -> tuple[int, ...]:
    """A sort key: the base game first, then by theme; few seats first, then few turns to choose from."""
    variant = lesson.view.variant
    return PARTS.index(variant.expansions), THEMES.index(lesson.theme), variant.seats, len(lesson.worths)


def find_lesson(name: str, edition: str | None = None) -> Lesson:
    """A lesson by its id, or ``UnknownLesson``."""
    for lesson in lessons(edition):
        if lesson.id == name:
            return lesson
    raise UnknownLesson


def write_lessons(collection: Collection) -> str:
    """A file of lessons: one line for each."""
    lines = [json.dumps(write_lesson(lesson), separators=(",", ":")) for lesson in collection.lessons]
    retired, body = json.dumps(collection.retired), ",\n".join(lines)
    return f'{{"format":"{FORMAT}","retired":{retired},"lessons":[\n{body}\n]}}\n'


def parse_lessons(text: str) -> Collection:
    """The contents of a file, or ``ValueError``."""
    document = read_typed_json(LessonsFile, text)
    if document["format"] != FORMAT:
        raise ValueError("no file of lessons")
    return Collection(tuple(map(read_lesson, document["lessons"])), tuple(document["retired"]))
