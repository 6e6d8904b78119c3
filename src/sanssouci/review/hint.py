"""A hint: the best turn that a search finds, with one or two reasons that a person can check on the board.

A search chooses the finalists. Then all of them begin the same simulated games. The chance to win decides,
and where it is equal, the margin. Order, figures and "about as good" follow from these games alone, so they
cannot contradict each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

from sanssouci.dealer import Seed, derive_seed
from sanssouci.rules import Turn, View, motif_on

from .evaluation import SEED
from .evaluator import evaluator_for
from .reason import Reason
from .reasons import reasons

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from sanssouci.kernel import SampleMean

HINT_ROLLOUTS = {2: 3000, 3: 3000, 4: 2200}
"""Simulated games for a hint by default, by seats: under a second on one core."""
FINALISTS = 5
"""Turns that are compared, each with another card, motif or square."""
PIECES = 20
"""The comparison is split into so many parts; their spread shows how exact it is."""
CLEAR = 2.0
"""Standard errors by which two turns must differ to be called different."""
LEAST_SHARE, LEAST_MARGIN = 0.01, 0.5
"""Smaller differences do not matter to a person."""
_WORTH_SAYING = 0.5
"""A second reason that weighs less is left out."""


@dataclass(frozen=True, slots=True)
class TurnOutlook:
    """What a turn is expected to bring its seat."""

    turn: Turn
    games: int
    """The simulated games that it began."""
    score: "SampleMean"
    """The own points at the end."""
    margin: "SampleMean"
    """The own points over those of the best other seat."""
    share: "SampleMean"
    """The share of the win."""
    level: bool
    """Whether it, like all turns above it, is about as good as the best: no clear difference in figures."""

    @property
    def percent(self) -> int:
        """The chance to win as it is shown."""
        return round(100 * self.share.mean)


@dataclass(frozen=True, slots=True)
class Hint:
    """The best turn, the reasons, and what to expect of it and of the other finalists."""

    turn: Turn
    reasons: tuple[Reason, ...]
    """One or two, the more important first."""
    outlooks: tuple[TurnOutlook, ...]
    """The best first; no two of them look alike on the table."""


def hint(view: View, seed: Seed = SEED, rollouts: int | None = None) -> Hint:
    """A hint for the seat of a view, which must be to move; the same seed gives the same hint.

    ``rollouts`` is ``HINT_ROLLOUTS`` by default.
    """
    outlooks = rank_turns(view, seed, rollouts)
    return Hint(outlooks[0].turn, _best_reasons(view, outlooks), outlooks)


def rank_turns(
    view: View, seed: Seed = SEED, rollouts: int | None = None, turns: Sequence[Turn] | None = None
) -> tuple[TurnOutlook, ...]:
    """What ``turns`` of the seat to move are expected to bring, the best first; all begin the same games.

    By default these are the best turns that a search finds with half of the rollouts, one for each choice of
    card, motif and square. ``rollouts`` is ``HINT_ROLLOUTS`` by default. ``ValueError`` if there are no
    turns, or one is not legal.
    """
    import numpy as np

    rollouts = HINT_ROLLOUTS[view.variant.seats] if rollouts is None else rollouts
    evaluator = evaluator_for(view.variant.seats)
    if turns is None:
        rollouts //= 2
        turns = _finalists(evaluator.search(view, seed, max(1, rollouts)), view)
    games = max(1, rollouts // (PIECES * max(1, len(turns))))
    found, seat = evaluator.compare(view, turns, derive_seed(seed, "compare"), games, PIECES), view.to_move
    pieces = np.stack((found.scores[..., seat], found.margins, found.shares[..., seat]), axis=-1)
    return _ranked(turns, pieces, games)


def _finalists(found: Sequence[Turn], view: View) -> list[Turn]:
    # Equal tiles on two spaces, or two moves of nobles after the same tile, are no second idea to a person.
    first: dict[tuple[int, int, int], Turn] = {}
    for turn in found:
        first.setdefault((turn.card, motif_on(view.display, turn.space), turn.square), turn)
    return list(first.values())[:FINALISTS]


def _ranked(turns: Sequence[Turn], pieces: "npt.NDArray[np.float64]", games: int) -> tuple[TurnOutlook, ...]:
    """By the chance to win in whole percent, as it is shown; then by margin, in tenths of a point."""
    from sanssouci.kernel import SampleMean

    means = pieces.mean(axis=0)
    shown = [(round(100 * share), round(margin, 1)) for _, margin, share in means.tolist()]
    order = sorted(range(len(turns)), key=lambda place: (-shown[place][0], -shown[place][1]))
    outlooks: list[TurnOutlook] = []
    level = True
    for place in order:
        score, margin, share = (
            SampleMean(float(mean), error)
            for mean, error in zip(means[place], _errors(pieces[:, place]), strict=True)
        )
        # A turn below a clearly worse one is not as good, even where noise hides the difference.
        level = level and _is_level(pieces[:, order[0]] - pieces[:, place])
        outlooks.append(TurnOutlook(turns[place], games * len(pieces), score, margin, share, level))
    return tuple(outlooks)


def _is_level(differences: "npt.NDArray[np.float64]") -> bool:
    """Whether two turns, of whose pieces these are the differences, are about as good."""
    _, margin, share = abs(differences.mean(axis=0))
    _, margin_error, share_error = _errors(differences)
    return bool(
        share <= max(LEAST_SHARE, CLEAR * share_error) and margin <= max(LEAST_MARGIN, CLEAR * margin_error)
    )


def _errors(pieces: "npt.NDArray[np.float64]") -> list[float]:
    """Standard errors of the means of all pieces."""
    return [float(error) for error in pieces.std(axis=0, ddof=1) / sqrt(len(pieces))]


def _best_reasons(view: View, outlooks: tuple[TurnOutlook, ...]) -> tuple[Reason, ...]:
    """The one or two most important reasons; those shared with the second-best turn count half."""
    best, *others = outlooks
    common = reasons(view, others[0].turn) if others else ()

    def importance(reason: Reason) -> float:
        return reason.weight / 2 if reason in common else reason.weight

    first, *rest = sorted(reasons(view, best.turn), key=importance, reverse=True) or [_trial(best)]
    second = [reason for reason in rest if not reason.repeats(first) and importance(reason) >= _WORTH_SAYING]
    return (first, *second[:1])


def _trial(best: TurnOutlook) -> Reason:
    """The reason if no fact on the board favours the best turn: its results in the simulated games."""
    return Reason.of("trial", 0, games=best.games, points=round(best.score.mean), share=best.percent)
