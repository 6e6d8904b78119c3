"""Lessons: positions of real games to solve, made and checked by the strongest player.

Finding and checking them takes the kernel; knowing them does not.
"""

from .answer import AnswerResult, check_answer
from .collection import UnknownLesson, find_lesson, lessons, parse_lessons, write_lessons
from .lesson import CLEAR, LEVEL, Lesson, TurnValue
from .themes import THEMES

__all__ = [
    "CLEAR",
    "LEVEL",
    "THEMES",
    "AnswerResult",
    "Lesson",
    "TurnValue",
    "UnknownLesson",
    "check_answer",
    "find_lesson",
    "lessons",
    "parse_lessons",
    "write_lessons",
]
