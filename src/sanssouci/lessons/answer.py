"""Checks an answer to a lesson: the value of the turn, the best turn with reasons, and good alternatives."""

from dataclasses import dataclass

from sanssouci.review import Reason, reasons
from sanssouci.rules import Turn

from .lesson import Lesson, TurnValue
from .themes import is_about

_REASONS = 2
_OTHERS = 3
"""The most alternatives shown."""
_GOOD = 2.0
"""The most points that an alternative may cost."""


@dataclass(frozen=True, slots=True)
class AnswerResult:
    """The feedback on an answer, or on the request to see the best turn."""

    chosen: TurnValue | None
    best: TurnValue
    reasons: tuple[Reason, ...]
    """Why the best turn is better than the chosen one or, if that is as good, than the tempting one."""
    others: tuple[TurnValue, ...]
    """The best turn for each other choice of card, tile and square, if it is good enough."""

    @property
    def solved(self) -> bool:
        """Whether the turn that was chosen solves the lesson."""
        return self.chosen is not None and self.chosen.solves


def check_answer(lesson: Lesson, turn: Turn | None) -> AnswerResult:
    """The verdict on a turn, or on none; ``Refused`` if it is not legal."""
    chosen = None if turn is None else lesson.worth(turn)
    missed = lesson.tempting if chosen is None or chosen.solves else chosen.turn
    return AnswerResult(chosen, lesson.best, _reasons_against(lesson, missed), _others(lesson))


def _reasons_against(lesson: Lesson, missed: Turn) -> tuple[Reason, ...]:
    """Reasons on the theme first, then the most important; no two on the same topic."""
    best, selected = lesson.best.turn, list[Reason]()
    apart = sorted(
        reasons(lesson.view, best, instead_of=missed), key=lambda reason: not is_about(reason, lesson.theme)
    )
    for reason in (*apart, *reasons(lesson.view, best)):
        if len(selected) < _REASONS and not any(reason.repeats(other) for other in selected):
            selected.append(reason)
    return tuple(selected)


def _others(lesson: Lesson) -> tuple[TurnValue, ...]:
    """The next best turns that differ from the best one in more than the noble or the boar."""
    first: dict[tuple[int, int, int], TurnValue] = {}
    for worth in lesson.worths:
        turn = worth.turn
        first.setdefault((turn.card, turn.space, turn.square), worth)
    return tuple(worth for worth in first.values() if worth.cost <= _GOOD)[1 : _OTHERS + 1]
