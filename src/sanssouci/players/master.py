"""The strongest player: it searches with the value network."""

from dataclasses import replace
from typing import ClassVar

from sanssouci.network import COMPILE_UNIT, NetworkError, network_faults, network_search, usable_network
from sanssouci.rules import Turn, View

from .kernel_player import SearchPlayer
from .planner import PlannerPlayer


class MasterPlayer(SearchPlayer):
    """See ``network.search``; its rollouts are short games. It sees only what its seat may know.

    Without a usable network file, the planner plays with the same budget.
    """

    job: ClassVar[str] = COMPILE_UNIT

    @classmethod
    def prepare(cls) -> None:
        """Compile everything it needs, and what the planner needs where a network is missing."""
        super().prepare()
        if cls.faults():
            PlannerPlayer.prepare()

    @classmethod
    def faults(cls) -> tuple[NetworkError, ...]:
        """The network files that cannot be used."""
        return network_faults()

    def decide(self, view: View) -> Turn:
        """The turn that did best in short simulated games."""
        network, budget = usable_network(view.variant.seats), replace(self._budget, rollouts=self._rollouts())
        if network is None:
            return PlannerPlayer(self._stream, budget).decide(view)
        found = network_search(
            view, network.layers, self._seed(), budget.rollouts, budget.seconds, threads=budget.threads
        )
        return found[0].turn
