"""What is expected of a game, for every seat: its share of the win, and its final score."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sanssouci.rules import Result, State

if TYPE_CHECKING:
    from sanssouci.kernel import Prospect


@dataclass(frozen=True, slots=True)
class Outlook:
    """Means over imagined games, or the result of a game that is over."""

    shares: tuple[float, ...]
    """Of the win; they add up to one."""
    scores: tuple[float, ...]

    @property
    def leads(self) -> tuple[float, ...]:
        """The points of each seat over the mean of the others; they add up to nought."""
        total, others = sum(self.scores), len(self.scores) - 1
        return tuple(score - (total - score) / others for score in self.scores)

    @classmethod
    def of_prospects(cls, prospects: "Sequence[Prospect]") -> "Outlook":
        """The mean of what several trials of equally many games expect."""
        count, seats = len(prospects), range(len(prospects[0].shares))
        return cls(
            tuple(sum(prospect.shares[seat].mean for prospect in prospects) / count for seat in seats),
            tuple(sum(prospect.scores[seat].mean for prospect in prospects) / count for seat in seats),
        )

    @classmethod
    def of_result(cls, state: State) -> "Outlook":
        """What came of a finished game; those who win together share it."""
        result = Result.of(state)
        share = 1 / len(result.winners)
        return cls(
            tuple(share if seat in result.winners else 0.0 for seat in range(len(result.scores))),
            tuple(float(score.total) for score in result.scores),
        )
