"""Players that look one turn ahead, in the kernel."""

from typing import ClassVar

from sanssouci.kernel import GREEDY, STEWARD, best_turn
from sanssouci.rules import Turn, View

from .kernel_player import KernelPlayer


class GreedyPlayer(KernelPlayer):
    """Plays the turn after which its own garden has the highest evaluation.

    ``kernel.greedy`` describes the evaluation.
    """

    job: ClassVar[str] = "greedy"
    policy: ClassVar[int] = GREEDY

    def decide(self, view: View) -> Turn:
        """The best turn; the same view is always answered with the same turn."""
        return best_turn(view, self.policy)


class StewardPlayer(GreedyPlayer):
    """Greedy with tuned weights: it expects the garden to grow, and values the card it keeps."""

    policy: ClassVar[int] = STEWARD
