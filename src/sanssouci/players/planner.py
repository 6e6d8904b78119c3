"""The search player: it tries its best turns in simulated games."""

from typing import ClassVar

from sanssouci.kernel import CANDIDATES, search
from sanssouci.rules import Turn, View

from .kernel_player import KernelPlayer

ROLLOUTS = 1000
"""Rollouts for a turn without a budget."""


class PlannerPlayer(KernelPlayer):
    """Searches within its budget; see ``kernel.search``. It sees only what its seat may know."""

    job: ClassVar[str] = "search"
    spends: ClassVar[tuple[str, ...]] = ("seconds", "rollouts")
    candidates: ClassVar[int] = CANDIDATES

    def decide(self, view: View) -> Turn:
        """The turn that did best in the simulated games."""
        seed = b"".join(self._stream.below(1 << 32).to_bytes(4, "big") for _ in range(8))
        found = search(
            view, seed, self._rollouts(), self._budget.seconds, self.candidates, self._budget.threads
        )
        return found[0].turn

    def _rollouts(self) -> int | None:
        """The limit of rollouts; None if only time is limited."""
        if self._budget.rollouts is None and self._budget.seconds is None:
            return ROLLOUTS
        return self._budget.rollouts
