"""Staging of a turn: card, space, square, boar, noble; every step can be undone.

Nothing hidden is shown before a turn is confirmed, so a person may stage and undo as often as they like.
"""

from dataclasses import dataclass
from enum import IntEnum

from sanssouci.rules import Options, Square, Turn, members


class TurnStep(IntEnum):
    CARD = 0
    SPACE = 1
    SQUARE = 2
    BOAR = 3
    NOBLE = 4
    CONFIRM = 5


Value = int | None
"""A card, a space, a square, a goal of the boar, a stop of a noble; None is no boar or no noble."""


@dataclass(frozen=True)
class Staged:
    """The choices made so far, in the order of the stages."""

    options: Options
    chosen: tuple[Value, ...] = ()

    @property
    def step(self) -> TurnStep:
        return TurnStep(len(self.chosen))

    def choices(self) -> tuple[Value, ...]:
        """The possible choices in a fixed order; empty when the turn is complete."""
        match self.step:
            case TurnStep.CARD:
                return members(self.options.cards)
            case TurnStep.SPACE:
                return members(self.options.spaces(self._number(TurnStep.CARD)))
            case TurnStep.SQUARE:
                return members(self.options.squares(self._number(TurnStep.SPACE)))
            case TurnStep.BOAR:
                return self.options.boar(self._number(TurnStep.SQUARE))
            case TurnStep.NOBLE:
                return (None, *members(self.options.stops(self._number(TurnStep.SQUARE), self.gardener)))
            case TurnStep.CONFIRM:
                return ()

    def choose(self, value: Value) -> "Staged":
        """Make a choice; stages with a single choice are skipped."""
        if value not in self.choices():
            raise ValueError(f"{value} cannot be chosen now")
        return Staged(self.options, (*self.chosen, value)).settled()

    def settled(self) -> "Staged":
        """Skip all stages with a single choice."""
        staged = self
        while len(choices := staged.choices()) == 1:
            staged = Staged(staged.options, (*staged.chosen, choices[0]))
        return staged

    def back(self) -> "Staged":
        """Go back to the last step that had a choice."""
        staged = self
        while staged.chosen:
            staged = Staged(staged.options, staged.chosen[:-1])
            if len(staged.choices()) > 1:
                break
        return staged

    @property
    def gardener(self) -> bool:
        """Whether the tile will be a gardener."""
        return self.options.gardener(self._number(TurnStep.SPACE))

    def turn(self, value: Value = None) -> Turn:
        """The turn as staged; the open step takes ``value``, later steps are left out.

        Only complete turns are legal; others serve to find out why a value is refused.
        """
        chosen = (*self.chosen, value, None, None, None, None, None)[:5]
        card, space, square, boar, noble = chosen
        laid = self._laid(space, square)
        return Turn(card or 0, space or 0, laid, self._as_gardener(space), boar, noble)

    def _laid(self, space: Value, square: Value) -> Square:
        if square is not None:
            return square
        return 0 if space is None else self.options.own_square(space)

    def _as_gardener(self, space: Value) -> bool:
        return space is not None and self.options.gardener(space)

    def _number(self, step: TurnStep) -> int:
        value = self.chosen[step]
        assert value is not None, "only boar and noble may be nothing"
        return value
