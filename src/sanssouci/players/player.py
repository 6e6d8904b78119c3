"""The interface of a player, its budget, and the factories that create players."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from sanssouci.dealer import Stream
from sanssouci.rules import SetupView, Turn, View


class Player(Protocol):
    """Decides for one seat of one game; it is never given more than that seat may know."""

    def pick(self, view: SetupView) -> int:
        """The side of the own board, one of ``view.sides()``."""
        ...

    def decide(self, view: View) -> Turn:
        """A legal turn, one of ``view.options()``."""
        ...


@dataclass(frozen=True, slots=True)
class Budget:
    """What a player may spend on one turn; None is no limit, and a player without a search ignores it.

    A factory may say in ``spends`` which of ``"seconds"`` and ``"rollouts"`` mean something to its players.
    """

    seconds: float | None = None
    rollouts: int | None = None
    threads: int = 1


Factory: TypeAlias = Callable[[Stream, Budget], Player]
"""Makes a player for one seat of one game, with the stream it may draw from."""
