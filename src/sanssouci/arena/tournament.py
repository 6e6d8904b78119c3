"""A run of an arena: the games still to be played, and the standings so far."""

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import chain
from typing import Any

from .executor import Executor
from .match import Answer, Match, MatchTask
from .outcome import GameId, Outcome
from .signals import Interruption
from .sprt import Decision, Sprt
from .standings import Standings, deal_score


class Tournament:
    """A match of a number of deals. Deals count in the order of their numbers, whichever finishes first."""

    def __init__(self, match: Match, deals: int, sprt: Sprt | None = None) -> None:
        self.match = match
        self.deals = deals
        self.sprt = sprt
        self.standings = Standings(tuple(map(str, match.players)))
        self.finished = 0
        """Games played, including those not counted yet."""
        self._open: dict[int, dict[int, Outcome]] = {}
        self._next = 1
        self.taken_up: set[GameId] = set()
        """Games played by an earlier run."""

    @property
    def games(self) -> int:
        """The total number of games."""
        return self.deals * len(self.match.seatings)

    @property
    def decided(self) -> bool:
        """Whether the sequential test has ended it."""
        return self.sprt is not None and self.sprt.decision is not Decision.UNDECIDED

    def add_outcomes(self, outcomes: Iterable[Outcome]) -> None:
        """Count games that were played in an earlier run."""
        for outcome in outcomes:
            if outcome.game[0] <= self.deals and outcome.game not in self.taken_up:
                self.taken_up.add(outcome.game)
                self._add(outcome)

    def missing(self) -> Iterator[GameId]:
        """The games that are still to be played, deal by deal."""
        for deal in range(self._next, self.deals + 1):
            for place in range(len(self.match.seatings)):
                if (deal, place) not in self.taken_up:
                    yield deal, place

    def play(self, executor: Executor, records: bool) -> Generator[Answer, None, None]:
        """Play what is missing; every game is counted, then handed on as it finishes.

        Ctrl-C becomes ``KeyboardInterrupt`` between two games; ``ExecutorFault`` if the run cannot continue.
        """
        if self.decided:
            return
        task = MatchTask(self.match, records)
        with (
            Interruption() as interruption,
            closing(executor.run(task, self.missing(), interruption)) as batches,
        ):
            for outcome, record in chain.from_iterable(batches):
                self._add(outcome)
                yield outcome, record
                if self.decided:
                    return

    def close(self) -> None:
        """Count the games of deals that were not finished, unless the test has ended before them."""
        for deal in sorted(self._open):
            if not self.decided:
                self.standings.add(_ordered(self._open.pop(deal)))

    def to_json(self) -> dict[str, Any]:
        """Settings and standings, by name."""
        settings = self.match.settings()
        del settings["players"]
        return {
            "games": self.standings.games,
            "deals": self.standings.deals,
            **settings,
            "sprt": self.sprt.to_json() if self.sprt else None,
            "players": [standing.to_json() for standing in self.standings.figures()],
        }

    def _add(self, outcome: Outcome) -> None:
        self.finished += 1
        deal, place = outcome.game
        self._open.setdefault(deal, {})[place] = outcome
        while not self.decided and len(self._open.get(self._next, ())) == len(self.match.seatings):
            whole = _ordered(self._open.pop(self._next))
            self._next += 1
            self.standings.add(whole)
            if self.sprt is not None:
                self.sprt.add(deal_score(whole))


def _ordered(games: dict[int, Outcome]) -> list[Outcome]:
    return [games[place] for place in sorted(games)]
