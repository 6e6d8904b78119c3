"""What a fault test is, for ``make faults``: a module of this folder announces one as ``FAULT``."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..share import Share
from .table import Row

Progress = Callable[[str], None]
"""Told how far a test is, in a few words."""


@dataclass(frozen=True)
class Fault:
    """A test in full length."""

    name: str
    """By which one chooses it."""
    test: str
    goal: str
    rows: Callable[[Progress, Share], Sequence[Row]]
    """Runs a share of it; several rows where the parts of the goal are counted apart."""

    def not_run(self, reason: str) -> Row:
        """Its row if it was not run."""
        return Row.not_run(self.test, self.goal, reason)
