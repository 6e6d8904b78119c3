"""Six opponents of increasing strength, the same on any machine.

The first three look one turn ahead and use more criteria from level to level. The others search, limited by
rollouts, not by time: two in games that are simulated to the end, the last with the value network. None of
them blunders on purpose.
"""

from typing import ClassVar

from sanssouci.kernel import LEVEL_1, LEVEL_2, LEVEL_3, best_turns
from sanssouci.rules import Turn, View

from .kernel_player import KernelPlayer, SearchPlayer
from .master import MasterPlayer
from .planner import PlannerPlayer


class JudgingLevel(KernelPlayer):
    """Plays the turn with the highest evaluation; among equals, one at random."""

    job: ClassVar[str] = "static_eval"
    policy: ClassVar[int]

    def decide(self, view: View) -> Turn:
        """One of the best turns."""
        turns = best_turns(view, self.policy)
        return turns[self._stream.below(len(turns))]


class FixedRollouts(SearchPlayer):
    """Searches with a fixed number of rollouts; only a time limit can make it spend less."""

    rollouts: ClassVar[int]
    spends: ClassVar[tuple[str, ...]] = ("seconds",)

    def _rollouts(self) -> int:
        return self.rollouts


class LevelOne(JudgingLevel):
    """Sees the points of this turn, nothing else."""

    policy: ClassVar[int] = LEVEL_1


class LevelTwo(JudgingLevel):
    """Also sees reachable stops, rows and columns, but no missions."""

    policy: ClassVar[int] = LEVEL_2


class LevelThree(JudgingLevel):
    """Sees everything that counts in the garden as it is now."""

    policy: ClassVar[int] = LEVEL_3


class LevelFour(FixedRollouts, PlannerPlayer):
    """Tries a dozen turns in a few simulated games."""

    rollouts: ClassVar[int] = 100
    candidates: ClassVar[int] = 12


class LevelFive(FixedRollouts, PlannerPlayer):
    """Tries two dozen turns in thousands of games."""

    rollouts: ClassVar[int] = 5000


class LevelSix(FixedRollouts, MasterPlayer):
    """Judges with the value network: the strongest that answers in about a second."""

    rollouts: ClassVar[int] = 8000
