"""Lessons: positions to solve, and the verdict on a turn."""

from typing import Annotated

from pydantic import Field

from .events import PlayEvent
from .game_view import GameView, Options
from .responses import Expectation, HintAnswer
from .scalars import Edition, Expansion, WireDict

LessonText = Annotated[str, Field(pattern="^[a-z]{1,20}-[0-9]{1,2}$")]


class LessonEntry(WireDict):
    """A lesson, before one sees its position."""

    lesson: LessonText
    """Its id."""
    theme: str
    """What it is about, for programs."""
    title: str
    """What it is about, for people, in their language."""
    look: str
    """What to look for, in their language."""
    round: Annotated[int, Field(ge=1, le=18)]
    """The round that is played."""
    seats: Annotated[int, Field(ge=2, le=4)]
    """How many play."""
    edition: Edition
    """Which edition."""
    expansions: list[Expansion]
    """Those that are played."""


class LessonsAnswer(WireDict):
    """All lessons."""

    lessons: list[LessonEntry]
    """In the order in which they are learnt; those of a theme together."""


class LessonAnswer(LessonEntry):
    """A position to solve."""

    names: list[str]
    """Per seat what it is called."""
    told: list[PlayEvent]
    """The last round: the seat's own turn and those since; `chair` is the seat."""
    game: GameView
    """As the seat sees it that is to move."""
    options: Options
    """Its legal turns."""


class LessonVerdict(WireDict):
    """How good a turn is."""

    solved: bool
    """Whether it is the best, or as good."""
    chosen: Expectation | None
    """What is expected of it; null if none was named."""
    cost: Annotated[float | None, Field(ge=0)]
    """How many points of the margin it loses against the best turn."""
    hint: HintAnswer
    """The best turn, what sets it apart from yours, and at most three others."""
