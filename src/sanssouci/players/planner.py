"""The search player: it tries its best turns in simulated games."""

from typing import ClassVar

from sanssouci.kernel import CANDIDATES, search
from sanssouci.rules import Turn, View

from .kernel_player import SearchPlayer


class PlannerPlayer(SearchPlayer):
    """See ``kernel.search``. It sees only what its seat may know."""

    job: ClassVar[str] = "search"
    candidates: ClassVar[int] = CANDIDATES

    def decide(self, view: View) -> Turn:
        """The turn that did best in the simulated games."""
        budget = self._budget
        found = search(view, self._seed(), self._rollouts(), budget.seconds, self.candidates, budget.threads)
        return found[0].turn
