"""Some measured milliseconds, and what is said of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil


@dataclass(frozen=True)
class Times:
    """Milliseconds, the shortest first."""

    sorted: tuple[float, ...]

    @classmethod
    def of(cls, milliseconds: Iterable[float]) -> "Times":
        """Those that were measured; there is at least one."""
        found = tuple(sorted(milliseconds))
        if not found:
            raise SystemExit("nothing was measured")
        return cls(found)

    def __len__(self) -> int:
        return len(self.sorted)

    def at(self, share: float) -> float:
        """The time within which this share of all is."""
        return self.sorted[max(ceil(share * len(self.sorted)) - 1, 0)]

    @property
    def worst(self) -> float:
        """The longest."""
        return self.sorted[-1]

    def over(self, limit: float) -> float:
        """The share that takes longer."""
        return sum(time > limit for time in self.sorted) / len(self.sorted)

    def figures(self) -> dict[str, float]:
        """What a program gets to read."""
        return {
            "n": len(self),
            "p50_ms": self.at(0.5),
            "p95_ms": self.at(0.95),
            "p99_ms": self.at(0.99),
            "max_ms": self.worst,
        }
