"""A player that searches: it tries its best turns in imagined games."""

from sanssouci.dealer import Stream
from sanssouci.kernel import is_warm, search, warm_up
from sanssouci.rules import SetupView, Turn, View

from .player import Budget

ROLLOUTS = 1000
"""What it may spend on a turn if nothing is said."""


class PlannerPlayer:
    """Searches within its budget; see ``kernel.search``. It sees only what its seat may know."""

    def __init__(self, stream: Stream, budget: Budget = Budget()) -> None:  # noqa: B008 - it is frozen
        self._stream = stream
        self._budget = budget

    @staticmethod
    def prepared() -> bool:
        """Whether all that it needs has been compiled on this machine before."""
        return is_warm("search")

    @staticmethod
    def prepare() -> None:
        """Compile it."""
        warm_up("search")

    def pick(self, view: SetupView) -> int:
        """One of the sides at random: on balanced boards there is nothing to choose between."""
        return self._stream.below(len(view.sides()))

    def decide(self, view: View) -> Turn:
        """The turn that did best in the imagined games."""
        seed = b"".join(self._stream.below(1 << 32).to_bytes(4, "big") for _ in range(8))
        seconds, rollouts = self._budget.seconds, self._budget.rollouts
        if seconds is not None:
            return search(view, seed, seconds=seconds).turns[0]
        return search(view, seed, ROLLOUTS if rollouts is None else rollouts).turns[0]
