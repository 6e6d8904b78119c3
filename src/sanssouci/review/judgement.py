"""One turn judged by what its seat could know: what it cost against the best turn that a search finds.

The search has its own imagined games. What it found and what was played are then tried in others, which both
begin: so the better turn is not better because it was chosen among many, and the two differ by what they are
worth and not by what was dealt.
"""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from math import sqrt
from statistics import stdev
from typing import TYPE_CHECKING

from sanssouci.dealer import Seed
from sanssouci.rules import State, Turn, View

from .evaluation import evaluate
from .outlook import Outlook

if TYPE_CHECKING:
    from sanssouci.kernel import Prospect

LEAST = 1.0
"""Points of lead that a better turn is worth, or it is not spoken of."""
CLEAR = 3.0
"""Standard errors by which it has to be better."""
PIECES = 16
"""The games of a trial are played in so many pieces, whose differences tell the error."""
_DEEPEST = 10_000
"""A search that is deeper finds hardly anything else, and cannot be stopped for seconds."""

Breath = Callable[[], None]
"""Called between two pieces of work; it raises if the work is to be stopped."""


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
        search = min(max(1, rollouts // 4), _DEEPEST)
        return cls(search, max(PIECES, 11 * rollouts // 40), max(PIECES, rollouts // 5))


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


def judge(view: View, turn: Turn, seed: Seed, depth: Depth, breathe: Breath = lambda: None) -> Judgement:
    """Judge a turn of the seat of a view; nothing that this seat could not know plays a part."""
    best, seat = best_turn(view, seed, depth), view.to_move
    trials = try_in_pieces(view, (best, turn), part_of(seed, "trial"), depth.trial, breathe)
    pairs = [(Outlook.of_prospects(trial[:1]), Outlook.of_prospects(trial[1:])) for trial in trials]
    return Judgement(
        seat,
        turn,
        best,
        Outlook.of_prospects([trial[0] for trial in trials]),
        Outlook.of_prospects([trial[1] for trial in trials]),
        _error([one.shares[seat] - two.shares[seat] for one, two in pairs]),
        _error([one.leads[seat] - two.leads[seat] for one, two in pairs]),
    )


def try_in_pieces(
    game: View | State, turns: tuple[Turn, ...], seed: Seed, games: int, breathe: Breath
) -> "list[tuple[Prospect, ...]]":
    """What is expected of each of some turns, piece by piece; one that is named twice is tried once."""
    from sanssouci.kernel import weigh

    different, pieces = tuple(dict.fromkeys(turns)), []
    for number in range(PIECES):
        breathe()
        tried = weigh(game, different, part_of(seed, f"piece {number}"), games // PIECES)
        pieces.append(tuple(tried[different.index(turn)] for turn in turns))
    return pieces


def best_turn(view: View, seed: Seed, depth: Depth) -> Turn:
    """The turn that a search thinks best for the seat of a view."""
    return evaluate(view, part_of(seed, "search"), depth.search)[0].turn


def _error(differences: list[float]) -> float:
    return stdev(differences) / sqrt(len(differences))


def part_of(seed: Seed, name: str) -> Seed:
    """A seed of its own for every purpose."""
    return sha256(seed + name.encode()).digest()
