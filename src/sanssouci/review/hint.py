"""A hint: the best turn that a search finds, with one or two reasons that a person can check on the board."""

from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING

from sanssouci.dealer import Seed
from sanssouci.rules import Turn, View

from .evaluation import ROLLOUTS, SEED, evaluate
from .reason import Reason
from .reasons import reasons

if TYPE_CHECKING:
    from sanssouci.kernel import TurnEstimate

_WORTH_SAYING = 0.5
"""A second reason that weighs less is left out."""


@dataclass(frozen=True, slots=True)
class Hint:
    """The best turn, the reasons, and the estimates of all turns that were tried."""

    turn: Turn
    reasons: tuple[Reason, ...]
    """One or two, the more important first."""
    estimates: "tuple[TurnEstimate, ...]"
    """The best first."""

    def others(self) -> "tuple[TurnEstimate, ...]":
        """The best one of each other choice of card, tile and square; the best first."""
        first: dict[tuple[int, int, int], TurnEstimate] = {}
        for estimate in self.estimates:
            turn = estimate.turn
            first.setdefault((turn.card, turn.space, turn.square), estimate)
        return tuple(first.values())[1:]


def within_noise(one: "TurnEstimate", other: "TurnEstimate", seat: int) -> bool:
    """Whether two turns of a seat are about as good: they differ by less than the noise of their scores.

    If both have started the same simulated games, the noise of their difference is even smaller.
    """
    noise = hypot(one.scores[seat].error, other.scores[seat].error)
    return abs(one.value - other.value) <= noise


def hint(view: View, seed: Seed = SEED, rollouts: int = ROLLOUTS) -> Hint:
    """A hint for the seat of a view, which must be to move; the same seed gives the same hint."""
    estimates = evaluate(view, seed, rollouts)
    return Hint(estimates[0].turn, _best_reasons(view, estimates), estimates)


def _best_reasons(view: View, estimates: "tuple[TurnEstimate, ...]") -> tuple[Reason, ...]:
    """The one or two most important reasons; those shared with the second-best turn count half."""
    best, *others = estimates
    common = reasons(view, others[0].turn) if others else ()

    def importance(reason: Reason) -> float:
        return reason.weight / 2 if reason in common else reason.weight

    first, *rest = sorted(reasons(view, best.turn), key=importance, reverse=True) or [_trial(view, best)]
    second = [reason for reason in rest if not reason.repeats(first) and importance(reason) >= _WORTH_SAYING]
    return (first, *second[:1])


def _trial(view: View, best: "TurnEstimate") -> Reason:
    """The reason if no fact on the board favours the best turn: its results in the simulated games."""
    return Reason.of(
        "trial",
        0,
        games=best.games,
        points=round(best.scores[view.to_move].mean),
        share=round(100 * best.shares[view.to_move].mean),
    )
