"""On which terms the workers work: what they may spend, and when patience is over."""

import json
from dataclasses import dataclass, field

from sanssouci.players import Budget
from sanssouci.review import ROLLOUTS


@dataclass(frozen=True, slots=True)
class PoolConfig:
    """Settings of a workforce."""

    budget: Budget = field(default_factory=lambda: Budget(seconds=1.0))
    """For a turn of a player that has none of its own; levels have, and are equally strong on any machine."""
    hint_rollouts: int = ROLLOUTS
    review_rollouts: int = 8_000
    """Imagined games for each position of a game that is looked back at."""
    limit: float = 30.0
    """Seconds after which a worker that has not answered is ended."""
    patience: float = 600.0
    """Seconds that a worker may take to begin: the first one on a machine compiles the kernel."""
    hints: int = 16
    """How many hints may wait; with 0 there are none, and nothing is prepared for them."""
    jobs: int = 5000
    """After so many a worker is replaced, whatever its players have left lying about in its memory."""

    def line(self, allowed: frozenset[str]) -> bytes:
        """The terms as a worker reads them first."""
        document = {
            "allowed": sorted(allowed),
            "seconds": self.budget.seconds,
            "rollouts": self.budget.rollouts,
            "hints": self.hints > 0,
            "hint_rollouts": self.hint_rollouts,
        }
        return json.dumps(document).encode("ascii") + b"\n"
