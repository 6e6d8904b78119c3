"""The strongest player: it searches with the value network."""

import logging
from functools import cache
from typing import ClassVar

from sanssouci.network import COMPILE_UNIT, Network, NetworkError, network_search, shipped_network
from sanssouci.rules import Turn, View

from .kernel_player import KernelPlayer
from .planner import PlannerPlayer

_LOG = logging.getLogger("sanssouci.players")
ROLLOUTS = 1000
"""Short games for a turn without a budget."""


class MasterPlayer(KernelPlayer):
    """Searches within its budget; see ``network.search``. It sees only what its seat may know.

    Without a usable network file, the planner plays with the same budget.
    """

    job: ClassVar[str] = COMPILE_UNIT
    spends: ClassVar[tuple[str, ...]] = ("seconds", "rollouts")

    @classmethod
    def prepare(cls) -> None:
        """Compile everything it needs, and what the planner needs where a network is missing."""
        super().prepare()
        if any(_network(seats) is None for seats in (2, 3)):
            PlannerPlayer.prepare()

    def decide(self, view: View) -> Turn:
        """The turn that did best in short simulated games."""
        network = _network(view.variant.seats)
        if network is None:
            return PlannerPlayer(self._stream, self._budget).decide(view)
        seed = b"".join(self._stream.below(1 << 32).to_bytes(4, "big") for _ in range(8))
        rollouts, seconds = self._budget.rollouts, self._budget.seconds
        if rollouts is None and seconds is None:
            rollouts = ROLLOUTS
        found = network_search(view, network.layers, seed, rollouts, seconds, threads=self._budget.threads)
        return found[0].turn


@cache
def _network(seats: int) -> Network | None:
    """The network for a game; None, said once, if its file cannot be used."""
    try:
        return shipped_network(seats)
    except NetworkError as error:
        _LOG.warning("%s", error)
        return None
