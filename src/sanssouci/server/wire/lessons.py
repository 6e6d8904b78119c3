"""Lessons: positions to solve, and the verdict on a turn."""

from typing import Annotated

from pydantic import Field

from .events import PlayEvent
from .game_view import Edition, Expansion, GameView, Options
from .responses import Expectation, HintAnswer
from .scalars import WireModel

LessonText = Annotated[str, Field(pattern="^[a-z]{1,20}-[0-9]{1,2}$")]


class LessonEntry(WireModel):
    """A lesson, before one sees its position."""

    lesson: Annotated[LessonText, Field(description="Its id.")]
    theme: Annotated[str, Field(description="What it is about, for programs.")]
    title: Annotated[str, Field(description="What it is about, for people, in their language.")]
    look: Annotated[str, Field(description="What to look for, in their language.")]
    round: Annotated[int, Field(ge=1, le=18, description="The round that is played.")]
    seats: Annotated[int, Field(ge=2, le=4, description="How many play.")]
    edition: Annotated[Edition, Field(description="Which edition.")]
    expansions: Annotated[list[Expansion], Field(description="Those that are played.")]


class LessonsAnswer(WireModel):
    """All lessons."""

    lessons: Annotated[
        list[LessonEntry],
        Field(description="In the order in which they are learnt; those of a theme together."),
    ]


class LessonAnswer(LessonEntry):
    """A position to solve."""

    names: Annotated[list[str], Field(description="Per seat what it is called.")]
    told: Annotated[
        list[PlayEvent],
        Field(description="The last round: the seat's own turn and those since; `chair` is the seat."),
    ]
    game: Annotated[GameView, Field(description="As the seat sees it that is to move.")]
    options: Annotated[Options, Field(description="Its legal turns.")]


class LessonVerdict(WireModel):
    """How good a turn is."""

    solved: Annotated[bool, Field(description="Whether it is the best, or as good.")]
    chosen: Annotated[
        Expectation | None, Field(description="What is expected of it; null if none was named.")
    ]
    cost: Annotated[
        float | None,
        Field(ge=0, description="How many points of the margin it loses against the best turn."),
    ]
    hint: Annotated[
        HintAnswer,
        Field(description="The best turn, what sets it apart from yours, and at most three others."),
    ]
