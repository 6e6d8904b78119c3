"""Lessons: positions of real games to solve, made and checked by the strongest player.

Finding and checking them takes the kernel; knowing them does not.
"""

from .collection import UnknownLesson, find_lesson, lessons, parse_lessons, write_lessons
from .lesson import CLEAR, LEVEL, Lesson, Worth
from .themes import THEMES
from .verdict import Verdict, verdict

__all__ = [
    "CLEAR",
    "LEVEL",
    "THEMES",
    "Lesson",
    "UnknownLesson",
    "Verdict",
    "Worth",
    "find_lesson",
    "lessons",
    "parse_lessons",
    "verdict",
    "write_lessons",
]
