"""One turn judged by what its seat could know: what it cost against the best turn that a search finds.

The search has its own imagined games. What it found and what was played are then tried in others, which both
begin: so the better turn is not better because it was chosen among many, and the two differ by what they are
worth and not by what was dealt.
"""

from dataclasses import dataclass
from hashlib import sha256
from math import sqrt
from statistics import stdev

from sanssouci.dealer import Seed
from sanssouci.rules import Turn, View

from .evaluation import evaluate
from .outlook import Outlook

LEAST = 1.0
"""Points of lead that a better turn is worth, or it is not spoken of."""
CLEAR = 3.0
"""Standard errors by which it has to be better."""
_TRIALS = 16
"""The games of a trial are played in so many parts, whose differences tell the error."""


@dataclass(frozen=True, slots=True)
class Depth:
    """How many games are imagined for one turn, and for what."""

    search: int
    """To find the best turn."""
    trial: int
    """To compare it with the one that was played; each of the two begins so many."""
    open: int
    """To judge the position with all cards open."""

    @classmethod
    def of(cls, rollouts: int) -> "Depth":
        """All of them together are about so many."""
        search, trial = rollouts // 4, 11 * rollouts // 40
        return cls(max(1, search), max(_TRIALS, trial), max(1, rollouts // 5))


@dataclass(frozen=True, slots=True)
class Judgement:
    """A turn that was played, beside the best one that was found for its seat."""

    seat: int
    turn: Turn
    best: Turn
    """The turn itself, if nothing better was found."""
    before: Outlook
    """With the best turn."""
    after: Outlook
    """With the turn that was played."""
    share_error: float = 0.0
    lead_error: float = 0.0

    @property
    def cost_share(self) -> float:
        """What it cost of the win; below nought if the turn did better than the one that was found."""
        return self.before.shares[self.seat] - self.after.shares[self.seat]

    @property
    def cost_points(self) -> float:
        """What it cost of the lead, in points."""
        return self.before.leads[self.seat] - self.after.leads[self.seat]

    @property
    def missed(self) -> bool:
        """Whether there was a turn that was clearly better, also for winning."""
        least = max(LEAST, CLEAR * self.lead_error)
        return self.best != self.turn and self.cost_points >= least and self.cost_share >= 0


def judge(view: View, turn: Turn, seed: Seed, depth: Depth) -> Judgement:
    """Judge a turn of the seat of a view; nothing that this seat could not know plays a part."""
    from sanssouci.kernel import weigh

    best = best_turn(view, seed, depth)
    turns = (turn,) if best == turn else (best, turn)
    seat, games = view.to_move, depth.trial // _TRIALS
    trials = [weigh(view, turns, part_of(seed, f"trial {number}"), games) for number in range(_TRIALS)]
    pairs = [(Outlook.of_prospects(trial[:1]), Outlook.of_prospects(trial[-1:])) for trial in trials]
    return Judgement(
        seat,
        turn,
        best,
        Outlook.of_prospects([trial[0] for trial in trials]),
        Outlook.of_prospects([trial[-1] for trial in trials]),
        _error([one.shares[seat] - two.shares[seat] for one, two in pairs]),
        _error([one.leads[seat] - two.leads[seat] for one, two in pairs]),
    )


def best_turn(view: View, seed: Seed, depth: Depth) -> Turn:
    """The turn that a search thinks best for the seat of a view."""
    return evaluate(view, part_of(seed, "search"), depth.search)[0].turn


def _error(differences: list[float]) -> float:
    return stdev(differences) / sqrt(len(differences))


def part_of(seed: Seed, name: str) -> Seed:
    """A seed of its own for every purpose."""
    return sha256(seed + name.encode()).digest()
