"""Strength of the computer players: matches on paired deals, each with its goals.

Every match has its own journal, so finished games are not played again. The journals are in a folder named
after a hash of the sources, so a changed engine starts over.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from sanssouci.arena import Estimate, Executor, Journal, Match, Standing, Tournament
from sanssouci.dealer import parse_seed
from sanssouci.editions import shipped_boards
from sanssouci.rules import IMPERIAL, Variant

BASE = Variant(2)
_SEED = parse_seed("1")
Advance = Callable[[int], None]
"""Called with the number of newly finished games."""


class Goal(NamedTuple):
    """The minimum of a figure, and in some cases its maximum."""

    least: float
    most: float = float("inf")

    def reached(self, figure: Estimate) -> bool:
        """Compares the figure itself, not its interval."""
        return self.least <= figure.value <= self.most


@dataclass(frozen=True, slots=True)
class Contest:
    """A match with goals for its first player."""

    players: tuple[str, ...]
    games: int
    long: int
    """The number of games in a full run."""
    variant: Variant = BASE
    wins: Goal | None = None
    score: Goal | None = None
    margin: Goal | None = None
    base: "Contest | None" = None
    """The goal of the margin is 80 % of the margin that is measured in this contest."""

    @property
    def name(self) -> str:
        """For people."""
        extras = (*self.variant.expansions, *([f"{self.variant.seats} seats"] * (self.variant.seats > 2)))
        return " ".join((" : ".join(self.players), *(f"({extra})" for extra in extras)))

    @property
    def file_name(self) -> str:
        """The file name of its journal."""
        return re.sub(r"[^\w.]+", "-", self.name).strip("-")

    def tournament(self, long: bool) -> Tournament:
        """A tournament of all its games, before the first one."""
        names = tuple(dict.fromkeys(self.players))
        places = tuple(self.players.count(name) for name in names)
        match = Match(self.variant, shipped_boards("reference"), names, _SEED, places=places)
        return Tournament(match, -(-(self.long if long else self.games) // len(match.seatings)))

    def goals(self, standing: Standing) -> Iterator[tuple[str, Goal, Estimate]]:
        """Every goal by the name of its figure, with what was measured."""
        for name, goal in (("win_share", self.wins), ("score", self.score), ("margin", self.margin)):
            if goal is not None:
                yield name, goal, getattr(standing, name)

    def with_base_goal(self, results: Iterable["Result"]) -> "Contest":
        """With the goal that follows from the measured margin of its base, if it has one."""
        for contest, standing in results:
            if contest == self.base:
                return replace(self, margin=Goal(SHARE_OF_BASE * standing.margin.value))
        return self

    def is_precise(self, standing: Standing) -> bool:
        """Whether the 95 % interval of the margin is narrow enough."""
        low, high = standing.margin.low, standing.margin.high
        if low is None or high is None:
            return False
        return (high - low) / 2 <= (MOST_ERROR_EXPANSIONS if self.variant.expansions else MOST_ERROR)


Result = tuple[Contest, Standing]
MOST_ERROR, MOST_ERROR_EXPANSIONS = 1.0, 1.5
"""Half of the widest precise interval of a margin, in points: in the base game, and with expansions."""
SHARE_OF_BASE = 0.8
"""The share of the base game's margin that is the goal with expansions."""
NEIGHBOURS = Goal(0.65, 0.85)
"""How often a level beats the one below it."""
MASTER_BASE = Contest(("master@0.1s", "planner@0.1s"), 100, 300)
CONTESTS = (
    Contest(("planner@0.02s", "greedy"), 200, 1000, wins=Goal(0.96), score=Goal(87)),
    Contest(("planner@0.1s", "greedy"), 160, 1000, wins=Goal(0.98), score=Goal(93)),
    Contest(("planner@1s", "planner@0.1s"), 100, 400, score=Goal(95), margin=Goal(1.5)),
    Contest(("planner@1s", "greedy"), 20, 100, score=Goal(95)),
    Contest(("planner@0.1s", *["greedy"] * 2), 72, 600, Variant(3), wins=Goal(0.94)),
    Contest(("planner@0.1s", *["greedy"] * 3), 72, 600, Variant(4), wins=Goal(0.94)),
    Contest(("planner@0.1s", "greedy"), 80, 600, Variant(2, rewards=True), wins=Goal(0.96)),
    Contest(("planner@0.1s", "greedy"), 80, 600, Variant(2, IMPERIAL, wild_boar=True), wins=Goal(0.96)),
    Contest(("level:2", "level:1"), 400, 4000, wins=NEIGHBOURS),
    Contest(("level:3", "level:2"), 400, 4000, wins=NEIGHBOURS),
    Contest(("level:4", "level:3"), 400, 1000, wins=NEIGHBOURS),
    Contest(("level:5", "level:4"), 400, 1000, wins=NEIGHBOURS),
    Contest(("level:6", "level:5"), 200, 400, wins=NEIGHBOURS),
    Contest(("master@1", "planner@0.1s"), 200, 400, margin=Goal(0)),  # the network without a search
    Contest(("master@0.02s", "planner@1s"), 100, 300, margin=Goal(1.5)),
    Contest(("master@0.1s", "planner@1s"), 100, 300, wins=Goal(0.6), margin=Goal(3.5)),
    Contest(("master@1s", "planner@1s"), 60, 300, wins=Goal(0.65), margin=Goal(4)),
    Contest(("master@0.1s", *["planner@0.1s"] * 2), 72, 300, Variant(3), wins=Goal(0.45)),
    Contest(("master@0.1s", *["planner@0.1s"] * 3), 72, 300, Variant(4), wins=Goal(0.36)),
    MASTER_BASE,
    *(
        Contest(MASTER_BASE.players, 80, 200, variant, base=MASTER_BASE)
        for variant in (
            Variant(2, rewards=True),
            Variant(2, IMPERIAL, wild_boar=True),
            Variant(2, IMPERIAL, rewards=True, wild_boar=True),
        )
    ),
)


def hold(tournament: Tournament, journal: Path, executor: Executor, advance: Advance) -> Standing:
    """Play the games missing in the journal and return the standing of the first player."""
    journal.parent.mkdir(parents=True, exist_ok=True)
    with Journal(journal) as kept:
        tournament.add_outcomes(kept.outcomes(tournament.match))
        kept.begin(tournament.match)
        advance(tournament.finished)
        with closing(tournament.play(executor, False)) as played:
            for outcome, _ in played:
                kept.write(outcome)
                advance(1)
    tournament.close()
    return tournament.standings.figures()[0]


def select_contests(text: str) -> list[Contest]:
    """The contests whose name contains the text, and those that their goals depend on."""
    chosen = [contest for contest in CONTESTS if text in contest.name]
    bases = [contest.base for contest in chosen]
    return [contest for contest in CONTESTS if contest in chosen or contest in bases]


def contest_json(contest: Contest, standing: Standing) -> dict[str, Any]:
    """The figures of a contest and its goals."""
    return {
        "contest": contest.name,
        **standing.to_json(),
        "precise": contest.is_precise(standing),
        "goals": {
            name: {
                "least": goal.least,
                "most": None if goal.most == float("inf") else goal.most,
                "reached": goal.reached(figure),
            }
            for name, goal, figure in contest.goals(standing)
        },
    }
