"""Players that look one turn ahead, in the kernel."""

from typing import ClassVar

from sanssouci.dealer import Stream
from sanssouci.kernel import GREEDY, STEWARD, best_turn, is_warm, warm_up
from sanssouci.rules import SetupView, Turn, View

from .player import Budget


class GreedyPlayer:
    """Plays the turn after which its own garden is judged best, as it lies there then.

    ``kernel.greedy`` tells how a garden is judged.
    """

    policy: ClassVar[int] = GREEDY

    def __init__(self, stream: Stream, budget: Budget = Budget()) -> None:  # noqa: B008 - it is frozen
        self._stream = stream

    @staticmethod
    def prepared() -> bool:
        """Whether all that it needs has been compiled on this machine before."""
        return is_warm("greedy")

    @staticmethod
    def prepare() -> None:
        """Compile it."""
        warm_up("greedy")

    def pick(self, view: SetupView) -> int:
        """One of the sides at random: on balanced boards there is nothing to choose between."""
        return self._stream.below(len(view.sides()))

    def decide(self, view: View) -> Turn:
        """The best turn; the same view is always answered with the same turn."""
        return best_turn(view, self.policy)


class StewardPlayer(GreedyPlayer):
    """The same with weights found by trial: it expects the garden to grow, and keeps what will be of use."""

    policy: ClassVar[int] = STEWARD
