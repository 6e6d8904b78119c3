"""Generates lessons: searches games of the value network for best turns that are not obvious.

A position must pass these tests, the cheapest first: a search prefers a turn that does not score most at
once; every turn that scores most at once is clearly worse; a fact on the board explains the best turn; every
legal turn is clearly as good as the best or clearly not. The same seed and number of games find the same
lessons.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import NamedTuple

from sanssouci.arena import Game, Simulation
from sanssouci.dealer import Seed, derive_seed
from sanssouci.editions import load_edition
from sanssouci.notation import Record, write_turn
from sanssouci.review import evaluator_for, gain
from sanssouci.rules import IMPERIAL, Turn, Variant, View

from .collection import Collection, learning_order
from .lesson import CLEAR, LEVEL, Lesson
from .solver import Solution, compare, solve
from .themes import THEMES, theme_of

PLAYER = "master@1"
"""The player of the games: the value network without a search."""
_NAMES = ("Ada", "Berta", "Carl", "Dora")
WANTED: Mapping[Variant, Mapping[str, int]] = {
    Variant(2): {
        "ways": 2, "nobles": 2, "lines": 2, "missions": 2, "gardeners": 2, "cards": 2, "rivals": 2, "end": 2,
    },
    Variant(2, rewards=True): {"rewards": 2},
    Variant(2, IMPERIAL, wild_boar=True): {"boar": 2},
    Variant(2, IMPERIAL, rewards=True, wild_boar=True): {"boar": 1, "rewards": 1},
}  # fmt: skip
"""The variants that games are played with, and how many lessons of each theme are wanted."""
_FIRST_ROUND = 3
"""In earlier rounds hardly any turn is clearly best."""
_FEWEST = 15
"""Minimum legal turns; with fewer, guessing would do."""
_TEMPTED = 2.0
"""Minimum cost in points of each turn with the highest immediate score."""
_DENIED = 1.0
"""Minimum points that the best turn of a lesson about rivals takes from them."""
_OPEN = (0.15, 0.9)
"""Range of the chance of winning with the best turn: a decided game teaches little."""
_TRIED = 6
"""How many turns of a search, and of those that score most, are compared before all turns are solved."""
_SEARCH, _TRIAL, _SKETCH, GAMES = 200, 40, 100, 1000
"""Rollouts to find a turn, to compare it, to solve a position roughly, and to solve it finally."""
_MAX_TURNS, _MAX_TILES = 8, 2
"""Limits for the solutions of a lesson: turns, and choices of card, tile and square."""
_TRIED_FOR_ONE = 2
"""How many drafts are solved finally for each lesson that is wanted."""

ReportProgress = Callable[[str], None]


class _Key(NamedTuple):
    """Lessons are wanted for each set of expansions and each theme."""

    expansions: tuple[str, ...]
    theme: str

    @classmethod
    def of(cls, lesson: Lesson) -> "_Key":
        return cls(lesson.view.variant.expansions, lesson.theme)


@dataclass(frozen=True, slots=True)
class _Draft:
    """A position that may become a lesson, solved roughly."""

    game: int
    seed: Seed
    sketch: Lesson

    @property
    def key(self) -> _Key:
        return _Key.of(self.sketch)

    @property
    def clarity(self) -> float:
        """The costs of the best wrong turn and the tempting turn, reduced for each turn that solves it."""
        worths = self.sketch.worths
        solving = sum(worth.solves for worth in worths)
        return worths[solving].cost + self.sketch.worth(self.sketch.tempting).cost - solving / 4


def make_lessons(
    old: Collection,
    seed: Seed,
    games: int,
    threads: int,
    report: ReportProgress,
    themes: Sequence[str] = THEMES,
) -> Collection:
    """The old lessons that hold, solved again, and new ones where some are wanted.

    ``games`` are played with each variant that a theme needs lessons of.
    """
    with ThreadPoolExecutor(threads) as pool:
        renewed = tuple(pool.map(lambda lesson: _renew(lesson, seed), old.lessons))
        kept = [lesson for lesson in renewed if lesson is not None]
        missing = _missing(kept, themes)
        tasks = [
            (variant, number)
            for variant in WANTED
            for number in range(1, games + 1)
            if any(key.expansions == variant.expansions for key in missing)
        ]
        found = pool.map(lambda task: tuple(_look_through(seed, task[0], task[1], missing, report)), tasks)
        drafts = _clearest([draft for several in found for draft in several], missing)
        settled = tuple(pool.map(_confirm, drafts))
    games_used, positions = set[tuple[_Key, int]](), {lesson.view for lesson in kept}
    for draft, lesson in zip(drafts, settled, strict=True):
        of_game = draft.key, draft.game
        if lesson is None or not missing[draft.key] or of_game in games_used or lesson.view in positions:
            continue
        missing[draft.key] -= 1
        games_used.add(of_game)
        kept.append(lesson)
    gone = [lesson.id for lesson, again in zip(old.lessons, renewed, strict=True) if again is None]
    return _numbered(kept, (*old.retired, *gone))


def _missing(kept: Sequence[Lesson], themes: Sequence[str]) -> Counter[_Key]:
    """How many lessons are wanted in addition to those that are kept."""
    present = Counter(_Key.of(lesson) for lesson in kept)
    return Counter(
        {
            key: wanted - present[key]
            for variant, counts in WANTED.items()
            for theme, wanted in counts.items()
            if theme in themes and wanted > present[key := _Key(variant.expansions, theme)]
        }
    )


def _clearest(drafts: list[_Draft], missing: Counter[_Key]) -> list[_Draft]:
    """The drafts that are worth a final solution, the clearest first."""
    drafts.sort(key=lambda draft: -draft.clarity)
    taken, chosen = Counter[_Key](), []
    for draft in drafts:
        taken[draft.key] += 1
        if taken[draft.key] <= _TRIED_FOR_ONE * missing[draft.key]:
            chosen.append(draft)
    return chosen


def _look_through(
    seed: Seed, variant: Variant, number: int, missing: Counter[_Key], report: ReportProgress
) -> Iterator[_Draft]:
    """The candidates from one game."""
    name = " ".join((*variant.expansions, f"game {number}"))
    part = derive_seed(seed, " ".join(("games", *variant.expansions)))
    boards = load_edition(variant.edition).boards
    game = Simulation(variant, boards, (PLAYER,) * variant.seats, part).play(number)
    state = game.deal.start()
    for turn in game.turns:
        view = state.view(state.to_move)
        own = derive_seed(part, f"game {number} turn {view.turn}")
        sketch = _sketch(_record(game, view.turn), view, own, missing)
        if sketch is not None:
            report(f"{name}, round {view.round}: {sketch.theme}")
            yield _Draft(number, own, sketch)
        state = state.play(turn, game.deal.chance(state.turn))
    report(f"{name} is looked through")


def _sketch(record: Record, view: View, seed: Seed, missing: Counter[_Key]) -> Lesson | None:
    """A lesson at a position, if there may be one."""
    if view.round < _FIRST_ROUND or len(view.options()) < _FEWEST:
        return None
    tempting = _tempting(view)
    found = evaluator_for(view.variant.seats).search(view, derive_seed(seed, "search"), _SEARCH)[:_TRIED]
    if found[0] in tempting:
        return None
    turns = tuple(dict.fromkeys((*found, *tempting[:_TRIED])))
    losses = compare(view, turns, derive_seed(seed, "trial"), _TRIAL)
    best, cheapest = (min(some, key=lambda turn: losses[turn].cost) for some in (found, tempting[:_TRIED]))
    if losses[cheapest].cost < _TEMPTED or any(LEVEL < loss.cost < CLEAR for loss in losses.values()):
        return None
    if len(_tiles([turn for turn in found if losses[turn].cost <= LEVEL])) > _MAX_TILES:
        return None
    theme = theme_of(view, best, cheapest)
    if theme is None or not missing[_Key(view.variant.expansions, theme)]:
        return None
    sketch = _lesson(record, view, solve(view, derive_seed(seed, "sketch"), _SKETCH))
    return sketch if sketch is not None and sketch.theme == theme else None


def _confirm(draft: _Draft) -> Lesson | None:
    """The lesson of a draft, solved finally."""
    return _renew(draft.sketch, draft.seed)


def _renew(lesson: Lesson, seed: Seed) -> Lesson | None:
    """The lesson, solved with other random numbers; None if it fails or has another theme."""
    solution = solve(lesson.view, derive_seed(seed, f"settle {lesson.id}"), GAMES)
    again = _lesson(lesson.record, lesson.view, solution)
    same = again is not None and again.theme == lesson.theme and lesson.worth(again.best.turn).solves
    return replace(again, id=lesson.id) if again is not None and same else None


def _tempting(view: View) -> tuple[Turn, ...]:
    """The turns with the highest immediate score."""
    options, score = view.options(), view.scores[view.to_move]
    gains = {turn: gain(options, score, turn) for turn in options}
    most = max(gains.values())
    return tuple(turn for turn, points in gains.items() if points == most)


def _lesson(record: Record, view: View, solution: Solution) -> Lesson | None:
    """The lesson of a solved position, if it is clear and a fact on the board explains it."""
    tempting = _tempting(view)
    solving = [worth for worth in solution.worths if worth.solves]
    missing = solution.worths[len(solving) :]
    tiles = _tiles([worth.turn for worth in solving])
    tempted = next(worth for worth in solution.worths if worth.turn in tempting)
    if len(solving) > _MAX_TURNS or len(tiles) > _MAX_TILES or tempted.cost < _TEMPTED:
        return None
    best = solving[0]
    if missing[0].cost < CLEAR or tempted.share >= best.share or not _OPEN[0] <= best.share <= _OPEN[1]:
        return None
    theme = theme_of(view, best.turn, tempted.turn)
    denied = tempted.cost - (best.score - tempted.score)
    if theme is None or (theme == "rivals" and denied < _DENIED):
        return None
    return Lesson("", theme, record, tempted.turn, solution.margin, solution.worths)


def _tiles(turns: Sequence[Turn]) -> set[tuple[int, int, int]]:
    """The choices of card, tile and square."""
    return {(turn.card, turn.space, turn.square) for turn in turns}


def _record(game: Game, turns: int) -> Record:
    """The first turns of a game."""
    seats = tuple({"name": name} for name in _NAMES[: game.deal.variant.seats])
    return Record(game.deal, seats, tuple(map(write_turn, game.turns[:turns])))


def _numbered(kept: Sequence[Lesson], retired: tuple[str, ...]) -> Collection:
    """The lessons in learning order; new ones get ids that were never used."""
    used = {*retired, *(lesson.id for lesson in kept)}
    found = []
    for lesson in sorted(kept, key=learning_order):
        number = 1
        while not lesson.id and f"{lesson.theme}-{number}" in used:
            number += 1
        numbered = lesson if lesson.id else replace(lesson, id=f"{lesson.theme}-{number}")
        used.add(numbered.id)
        found.append(numbered)
    return Collection(tuple(found), retired)
