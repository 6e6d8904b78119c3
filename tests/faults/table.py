"""The table that the fault tests print: one row each, with n, what was measured, and the goal."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """How one test went; ``ok`` is None if it was not run, and ``measured`` says why."""

    test: str
    n: int
    measured: str
    goal: str
    ok: bool | None

    @classmethod
    def not_run(cls, test: str, goal: str, reason: str) -> "Row":
        """A test that this machine cannot run."""
        return cls(test, 0, reason, goal, None)

    def __str__(self) -> str:
        verdict = "not run" if self.ok is None else "ok" if self.ok else "FAILED"
        n = "–" if self.ok is None else f"{self.n:,}"
        return f"| {self.test} | {n} | {verdict}: {self.measured} | {self.goal} |"


def write_table(rows: Iterable[Row]) -> str:
    """All rows as a table in Markdown."""
    return "\n".join(["| test | n | measured | goal |", "|---|---:|---|---|", *map(str, rows)])
