"""How the players of an arena stand: sums over whole deals, and the figures that follow from them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from sanssouci.rules import winners

from .elo import ratings
from .intervals import DealMean, Estimate
from .match import Outcome

_PARTS = 12
"""A victory is shared by one, two, three or four: in twelfths every share is a whole number."""


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
        }


class _Tally:
    """The running sums of one player."""

    def __init__(self) -> None:
        self.games = self.turns = 0
        self.seconds = 0.0
        self.wins = DealMean(_PARTS)
        self.scores = DealMean()
        self.margins = DealMean()

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
        self.scores.add(len(own), sum(outcome.scores[seat] for outcome, seat in own))
        self.margins.add(len(own), sum(_margin(outcome, seat) for outcome, seat in own))


class Standings:
    """All players; the memory needed does not grow with the games."""

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
                tally.seconds / tally.turns,
                rating,
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
        ranks = list(zip(outcome.scores, outcome.gardeners, strict=True))
        for first, second in combinations(range(len(ranks)), 2):
            one, two = outcome.seating[first], outcome.seating[second]
            if one != two:
                yield one, two, 1 + (ranks[first] > ranks[second]) - (ranks[first] < ranks[second])


def _seats(outcome: Outcome, player: int) -> list[int]:
    return [seat for seat, sitting in enumerate(outcome.seating) if sitting == player]


def _win(outcome: Outcome, seat: int) -> int:
    """R28: what part of the victory is a seat's, in twelfths."""
    won = winners(outcome.scores, outcome.gardeners)
    return _PARTS // len(won) if seat in won else 0


def _margin(outcome: Outcome, seat: int) -> int:
    player = outcome.seating[seat]
    others = (
        score for score, sitting in zip(outcome.scores, outcome.seating, strict=True) if sitting != player
    )
    return outcome.scores[seat] - max(others)
