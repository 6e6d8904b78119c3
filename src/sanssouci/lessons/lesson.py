"""A lesson: a position of a real game, and the value of every legal turn."""

import json
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from typing_extensions import TypedDict

from sanssouci.notation import Record, parse_turn, read_record_json, verify, write_record, write_turn
from sanssouci.rules import Refused, State, Turn, View

LEVEL = 0.6
"""Points of margin: a turn that costs no more is as good as the best, and solves a lesson."""
CLEAR = 1.0
"""The least points that every other turn costs, so that solving a lesson is not a matter of noise."""


@dataclass(frozen=True, slots=True)
class TurnValue:
    """The expected result of a turn, for the seat that plays it."""

    turn: Turn
    cost: float
    """The margin over the best other seat that it loses compared with the best turn, in points."""
    score: float
    """Its points at the end."""
    share: float
    """Of the win."""

    @property
    def solves(self) -> bool:
        """Whether it is as good as the best."""
        return self.cost <= LEVEL


@dataclass(frozen=True)
class Lesson:
    """A record that stops where the lesson begins, and the value of every turn there."""

    id: str
    theme: str
    record: Record = field(repr=False)
    tempting: Turn
    """The best of the turns that score most at once; it does not solve the lesson."""
    margin: float
    """The expected margin over the best other seat with the best turn, in points."""
    worths: tuple[TurnValue, ...] = field(repr=False)
    """The value of every legal turn, the best first."""

    @cached_property
    def state(self) -> State:
        """The position."""
        return verify(self.record)

    @cached_property
    def view(self) -> View:
        """The view of the seat to move: everything a learner sees."""
        return self.state.view(self.state.to_move)

    @property
    def best(self) -> TurnValue:
        """The best turn."""
        return self.worths[0]

    def in_edition(self, edition: str) -> "Lesson":
        """The lesson with the names and colours of an edition; with the boar it is always Imperial (R34)."""
        deal = self.record.deal
        if deal.variant.wild_boar:
            return self
        deal = replace(deal, variant=replace(deal.variant, edition=edition))
        return replace(self, record=replace(self.record, deal=deal))

    def worth(self, turn: Turn) -> TurnValue:
        """The value of a turn; ``Refused`` if it is not legal."""
        refusal = self.view.options().refusal(turn)
        if refusal is not None:
            raise Refused(refusal)
        return next(worth for worth in self.worths if worth.turn == turn)


class LessonJson(TypedDict):
    """A lesson in the file: costs in tenths of a point, shares in hundredths, in the order of the turns."""

    id: str
    theme: str
    tempting: str
    best: str
    margin: float
    costs: list[int]
    scores: list[int]
    shares: list[int]
    record: dict[str, Any]


def write_lesson(lesson: Lesson) -> LessonJson:
    """A lesson for the file."""
    worths = {write_turn(worth.turn): worth for worth in lesson.worths}
    return {
        "id": lesson.id,
        "theme": lesson.theme,
        "tempting": write_turn(lesson.tempting),
        "best": write_turn(lesson.best.turn),
        "margin": round(lesson.margin, 1),
        "costs": [round(10 * worths[text].cost) for text in sorted(worths)],
        "scores": [round(worths[text].score) for text in sorted(worths)],
        "shares": [round(100 * worths[text].share) for text in sorted(worths)],
        "record": json.loads(write_record(lesson.record)),
    }


def read_lesson(fields: LessonJson) -> Lesson:
    """The lesson that the file holds, or ``ValueError``."""
    record = read_record_json(fields["record"])
    state = verify(record)
    texts = sorted(map(write_turn, state.view(state.to_move).options()))
    figures = zip(texts, fields["costs"], fields["scores"], fields["shares"], strict=True)
    worths = [
        TurnValue(parse_turn(text), cost / 10, score, share / 100) for text, cost, score, share in figures
    ]
    best = parse_turn(fields["best"])
    worths.sort(key=lambda worth: (worth.cost, worth.turn != best, -worth.share))
    if worths[0].turn != best:
        raise ValueError(f"the best turn of {fields['id']} is another one")
    return Lesson(
        fields["id"], fields["theme"], record, parse_turn(fields["tempting"]), fields["margin"], tuple(worths)
    )
