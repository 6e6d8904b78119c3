"""A player without a plan: every choice uniformly at random, stage by stage."""

from typing import ClassVar, TypeVar

from sanssouci.dealer import Stream
from sanssouci.rules import SetupView, Turn, View, members

from .player import Budget

T = TypeVar("T")


class RandomPlayer:
    """Draws a card, a space, a square, the boar's square, then one of the noble stops or none."""

    spends: ClassVar[tuple[str, ...]] = ()

    def __init__(self, stream: Stream, budget: Budget = Budget()) -> None:  # noqa: B008 - it is frozen
        """Takes a budget as every player does, and needs none."""
        self._stream = stream

    def pick(self, view: SetupView) -> int:
        """One of the sides."""
        return self._stream.below(len(view.sides()))

    def decide(self, view: View) -> Turn:
        """One of the legal turns; not all are equally likely, each stage is."""
        options = view.options()
        card = self._one_of(members(options.cards))
        space = self._one_of(members(options.spaces(card)))
        gardener = options.gardener(space)
        square = self._one_of(members(options.squares(space)))
        boar = self._one_of(options.boar(square))
        noble = self._one_of((*members(options.stops(square, gardener)), None))
        return Turn(card, space, square, gardener, boar, noble)

    def _one_of(self, choices: tuple[T, ...]) -> T:
        return choices[self._stream.below(len(choices))]
