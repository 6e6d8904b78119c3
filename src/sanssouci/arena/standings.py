"""Standings of an arena: sums over whole deals, and the figures computed from them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from .elo import ratings
from .intervals import DealMean, Estimate
from .match import MatchFault
from .outcome import Outcome

_REASONS = 3
"""The number of faults reported per player."""
_PARTS = 12
"""Wins are counted in twelfths, so that a win shared by two, three or four is a whole number."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The figures of one player."""

    player: str
    games: int
    win_share: Estimate
    """The share of the games it sat in that it won; a shared victory counts 1 / winners."""
    score: Estimate
    margin: Estimate
    """Points ahead of the best seat of another player."""
    seconds_per_turn: float
    elo: float
    faults: int
    """The games that it lost by a fault."""
    reasons: tuple[MatchFault, ...]
    """The first of those faults, in the order of the deals."""

    def to_json(self) -> dict[str, Any]:
        """All figures by name."""
        return {
            "player": self.player,
            "games": self.games,
            **self.win_share.to_json("win_share"),
            **self.score.to_json("mean_score"),
            **self.margin.to_json("margin"),
            "seconds_per_turn": self.seconds_per_turn,
            "elo": self.elo,
            "faults": self.faults,
            "reasons": list(map(str, self.reasons)),
        }


class _Tally:
    """The running sums of one player."""

    def __init__(self) -> None:
        self.games = self.turns = 0
        self.seconds = 0.0
        self.wins = DealMean(_PARTS)
        self.scores = DealMean()
        self.margins = DealMean()
        self.faults: list[MatchFault] = []
        self.lost = 0

    def add(self, player: int, outcomes: Sequence[Outcome]) -> None:
        """The games of one deal."""
        games = [outcome for outcome in outcomes if player in outcome.seating]
        if not games:
            return
        own = [(outcome, seat) for outcome in games for seat in _seats(outcome, player)]
        self.games += len(games)
        self.turns += sum(outcome.turns[seat] for outcome, seat in own)
        self.seconds += sum(outcome.seconds[seat] for outcome, seat in own)
        self.wins.add(len(games), sum(_win(outcome, seat) for outcome, seat in own))
        self.scores.add(len(own), sum(outcome.points[seat] for outcome, seat in own))
        self.margins.add(len(own), sum(_margin(outcome, seat) for outcome, seat in own))
        self.lost += sum(not outcome.at_fault.isdisjoint(_seats(outcome, player)) for outcome in games)

    def record_faults(self, faults: Iterable[MatchFault]) -> None:
        """Add the faults in the games of one deal; only the first ones are kept."""
        self.faults = [*self.faults, *faults][:_REASONS]


class Standings:
    """The sums of all players; memory does not grow with the number of games."""

    def __init__(self, players: Sequence[str]) -> None:
        self.players = tuple(players)
        self.games = self.deals = 0
        self._tallies = [_Tally() for _ in players]
        self._halves = [[0] * len(players) for _ in players]

    def add(self, outcomes: Sequence[Outcome]) -> None:
        """The games of one deal."""
        self.deals += 1
        self.games += len(outcomes)
        for player, tally in enumerate(self._tallies):
            tally.add(player, outcomes)
        for one, two, halves in _meetings(outcomes):
            self._halves[one][two] += halves
            self._halves[two][one] += 2 - halves
        for player, tally in enumerate(self._tallies):
            tally.record_faults(self._faults(player, outcomes))

    def _faults(self, player: int, outcomes: Sequence[Outcome]) -> Iterable[MatchFault]:
        for outcome in outcomes:
            seated = ", ".join(self.players[sitting] for sitting in outcome.seating)
            for loss in outcome.losses:
                if outcome.seating[loss.fault.seat] == player:
                    yield MatchFault(
                        "arena.fault",
                        player=self.players[player],
                        deal=outcome.game[0],
                        seating=seated,
                        fault=loss.fault,
                    )

    def figures(self) -> tuple[Standing, ...]:
        """The standing of everyone who has played, in the order of the players."""
        elo = ratings([[halves / 2 for halves in row] for row in self._halves])
        return tuple(
            Standing(
                player,
                tally.games,
                tally.wins.by_wilson(),
                tally.scores.by_t(),
                tally.margins.by_t(),
                tally.seconds / max(tally.turns, 1),
                rating,
                tally.lost,
                tuple(tally.faults),
            )
            for player, tally, rating in zip(self.players, self._tallies, elo, strict=True)
            if tally.games
        )


def deal_score(outcomes: Sequence[Outcome]) -> Fraction:
    """The mean score of the first player against the second in the meetings of one deal."""
    halves = [halves if one == 0 else 2 - halves for one, _, halves in _meetings(outcomes)]
    return Fraction(sum(halves), 2 * len(halves))


def _meetings(outcomes: Iterable[Outcome]) -> Iterable[tuple[int, int, int]]:
    """Every pair of seats with different players, and the half points of the first of them."""
    for outcome in outcomes:
        ranks = [outcome.rank(seat) for seat in range(len(outcome.scores))]
        for first, second in combinations(range(len(ranks)), 2):
            one, two = outcome.seating[first], outcome.seating[second]
            if one != two:
                yield one, two, 1 + (ranks[first] > ranks[second]) - (ranks[first] < ranks[second])


def _seats(outcome: Outcome, player: int) -> list[int]:
    return [seat for seat, sitting in enumerate(outcome.seating) if sitting == player]


def _win(outcome: Outcome, seat: int) -> int:
    """R28: a seat's share of the win, in twelfths."""
    won = outcome.winners
    return _PARTS // len(won) if seat in won else 0


def _margin(outcome: Outcome, seat: int) -> int:
    player = outcome.seating[seat]
    others = (
        score for score, sitting in zip(outcome.points, outcome.seating, strict=True) if sitting != player
    )
    return outcome.points[seat] - max(others)
