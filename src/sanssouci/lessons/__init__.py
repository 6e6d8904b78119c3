"""Lessons: positions of real games to solve, made and checked with the value network.

Finding and checking them takes the kernel; knowing them does not.
"""

from .answer import AnswerResult, check_answer
from .collection import (
    PARTS,
    Collection,
    UnknownLesson,
    find_lesson,
    learning_order,
    lessons,
    parse_lessons,
    write_lessons,
)
from .lesson import CLEAR, LEVEL, Lesson, TurnValue
from .themes import THEMES

__all__ = [
    "CLEAR",
    "LEVEL",
    "PARTS",
    "THEMES",
    "AnswerResult",
    "Collection",
    "Lesson",
    "TurnValue",
    "UnknownLesson",
    "check_answer",
    "find_lesson",
    "learning_order",
    "lessons",
    "parse_lessons",
    "write_lessons",
]
