"""Fault tests, and the table that ``make faults`` prints: one row each, with n, result and goal."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..share import Share

Progress = Callable[[str], None]
"""Called with a short text on the progress of a test."""


@dataclass(frozen=True)
class Row:
    """The result of one test. ``ok`` is None if it was not run, and ``measured`` says why."""

    test: str
    n: int
    measured: str
    goal: str
    ok: bool | None

    @classmethod
    def not_run(cls, test: str, goal: str, reason: str) -> "Row":
        return cls(test, 0, reason, goal, None)

    def __str__(self) -> str:
        verdict = "not run" if self.ok is None else "ok" if self.ok else "FAILED"
        n = "–" if self.ok is None else f"{self.n:,}"
        return f"| {self.test} | {n} | {verdict}: {self.measured} | {self.goal} |"


def write_table(rows: Iterable[Row]) -> str:
    """All rows as a Markdown table."""
    return "\n".join(["| test | n | measured | goal |", "|---|---:|---|---|", *map(str, rows)])


@dataclass(frozen=True)
class Fault:
    """A fault test at full length. A module of this folder defines one as ``FAULT``."""

    name: str
    """The name on the command line."""
    test: str
    goal: str
    rows: Callable[[Progress, Share], Sequence[Row]]
    """Runs a share of the test. Several rows if parts of the goal are counted separately."""
    parts: Mapping[str, Callable[[Progress, Share], Sequence[Row]]] = field(default_factory=dict)
    """Parts that can be run alone, as ``NAME:PART``."""

    def not_run(self, reason: str) -> Row:
        return Row.not_run(self.test, self.goal, reason)
