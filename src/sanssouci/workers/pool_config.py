"""Settings of the worker pool."""

import json
from dataclasses import dataclass, field

from sanssouci.players import Budget


@dataclass(frozen=True, slots=True)
class PoolConfig:
    budget: Budget = field(default_factory=lambda: Budget(seconds=1.0))
    """For players without a budget of their own; levels have one, to be equally strong everywhere."""
    hint_rollouts: int | None = None
    """Rollouts for each hint; by default those of ``review.HINT_ROLLOUTS``."""
    review_rollouts: int = 2000
    """Rollouts for each position of a review."""
    job_timeout: float = 30.0
    """Seconds after which a worker that has not answered is killed."""
    start_timeout: float = 600.0
    """Seconds that a worker may take to start: the first one on a machine compiles the kernel."""
    max_hints: int = 16
    """How many hints may be queued; 0 turns hints off, and workers do not prepare for them."""
    max_jobs: int = 5000
    """Jobs after which a worker is replaced, so that memory leaks of players do not add up."""

    def line(self, allowed: frozenset[str]) -> bytes:
        """The first line that a worker reads."""
        document = {
            "allowed": sorted(allowed),
            "seconds": self.budget.seconds,
            "rollouts": self.budget.rollouts,
            "hints": self.max_hints > 0,
            "hint_rollouts": self.hint_rollouts,
        }
        return json.dumps(document).encode("ascii") + b"\n"
