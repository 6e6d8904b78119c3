"""Measured times and their percentiles."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil


@dataclass(frozen=True)
class Times:
    """Milliseconds in ascending order."""

    sorted: tuple[float, ...]

    @classmethod
    def of(cls, milliseconds: Iterable[float]) -> "Times":
        """Sort the measured times. Exits if there are none."""
        found = tuple(sorted(milliseconds))
        if not found:
            raise SystemExit("nothing was measured")
        return cls(found)

    def __len__(self) -> int:
        return len(self.sorted)

    def at(self, share: float) -> float:
        """The percentile for a share from 0 to 1."""
        return self.sorted[max(ceil(share * len(self.sorted)) - 1, 0)]

    @property
    def worst(self) -> float:
        return self.sorted[-1]

    def over(self, limit: float) -> float:
        """The share of times over a limit."""
        return sum(time > limit for time in self.sorted) / len(self.sorted)

    def figures(self) -> dict[str, float]:
        """The figures for JSON output."""
        return {
            "n": len(self),
            "p50_ms": self.at(0.5),
            "p95_ms": self.at(0.95),
            "p99_ms": self.at(0.99),
            "max_ms": self.worst,
        }
