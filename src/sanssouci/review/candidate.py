"""A candidate turn with its context: the view, and the garden before and after."""

from dataclasses import dataclass
from functools import cached_property

from sanssouci.rules import (
    ROUNDS,
    Garden,
    Missions,
    Options,
    Score,
    Squares,
    Turn,
    View,
    noble_stops,
    turn_score,
)

from .gains import gain


@dataclass(frozen=True)
class Candidate:
    """A turn that the seat of a view could play."""

    view: View
    turn: Turn

    def __post_init__(self) -> None:
        if self.turn not in self.options:
            raise ValueError(f"{self.turn} is not legal")

    @cached_property
    def options(self) -> Options:
        """The turns it is chosen from."""
        return self.view.options()

    @property
    def before(self) -> Garden:
        """The own garden before the turn."""
        return self.options.garden

    @cached_property
    def after(self) -> Garden:
        """The own garden after the turn."""
        return self.before.after(self.turn)

    @property
    def score(self) -> Score:
        """The own score before the turn."""
        return self.view.scores[self.view.to_move]

    @property
    def missions(self) -> Missions:
        """The own missions."""
        return self.view.missions[self.view.to_move] or ()

    @property
    def left(self) -> int:
        """The number of own turns after this one."""
        return ROUNDS - self.view.round

    @property
    def kept(self) -> int | None:
        """The card that stays in hand; None in the last round."""
        rest = self.view.hand & ~(1 << self.turn.card)
        return rest.bit_length() - 1 if rest else None

    @cached_property
    def gain(self) -> int:
        """What the turn scores at once."""
        return gain(self.options, self.score, self.turn)

    @property
    def reward(self) -> int:
        """What a marked square brings."""
        return turn_score(self.before, self.score, self.turn).rewards - self.score.rewards

    @cached_property
    def stops_before(self) -> Squares:
        """Where nobles could stop without the tile."""
        return stops_of(self.before)

    @cached_property
    def stops_after(self) -> Squares:
        """Where nobles can stop in the turns to come."""
        return stops_of(self.after)


def stops_of(garden: Garden) -> Squares:
    """The squares where nobles could end a move in a garden as it is (R20)."""
    return noble_stops(garden.connected, garden.gardeners, garden.nobles)
