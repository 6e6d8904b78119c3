"""A player that searches: it tries its best turns in imagined games."""

from typing import ClassVar

from sanssouci.kernel import search
from sanssouci.rules import Turn, View

from .kernel_player import KernelPlayer

ROLLOUTS = 1000
"""What it may spend on a turn if nothing is said."""


class PlannerPlayer(KernelPlayer):
    """Searches within its budget; see ``kernel.search``. It sees only what its seat may know."""

    job: ClassVar[str] = "search"

    def decide(self, view: View) -> Turn:
        """The turn that did best in the imagined games."""
        seed = b"".join(self._stream.below(1 << 32).to_bytes(4, "big") for _ in range(8))
        seconds, rollouts = self._budget.seconds, self._budget.rollouts
        if seconds is not None:
            return search(view, seed, seconds=seconds)[0].turn
        return search(view, seed, ROLLOUTS if rollouts is None else rollouts)[0].turn
