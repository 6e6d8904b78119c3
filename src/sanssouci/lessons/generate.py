"""Generates lessons: searches games between strong players for best turns that are not obvious.

A position must pass these tests, the cheapest first: a search prefers a turn that does not score most at
once; every turn that scores most at once is clearly worse; every legal turn is clearly as good as the best or
clearly not; a fact on the board explains the best turn. The same seed and number of games find the same
lessons.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from sanssouci.arena import Game, Simulation
from sanssouci.dealer import Seed, derive_seed
from sanssouci.editions import load_edition
from sanssouci.kernel import search
from sanssouci.notation import Record, write_turn
from sanssouci.review import gain
from sanssouci.rules import IMPERIAL, Turn, Variant, View

from .lesson import CLEAR, Lesson
from .solver import Solution, compare, solve
from .themes import THEMES, theme_of

PLAYER = "level:4"
"""Who plays the games."""
_NAMES = ("Ada", "Berta", "Carl", "Dora")
_VARIANTS = (
    Variant(2),
    Variant(2, IMPERIAL, wild_boar=True),
    Variant(2, rewards=True),
    Variant(3, rewards=True),
    Variant(2, IMPERIAL, rewards=True, wild_boar=True),
    Variant(4),
)
"""Game n uses variant n, modulo their number."""
_FIRST_ROUND = 3
"""In earlier rounds hardly any turn is clearly best."""
_FEWEST = 15
"""Minimum legal turns; with fewer, guessing would do."""
_TEMPTED = 2.0
"""Minimum cost in points of each turn with the highest immediate score."""
_OPEN = (0.04, 0.97)
"""Range of the chance of winning with the best turn: a decided game teaches little."""
_TRIED = 6
"""How many of these are compared before the whole position is solved."""
_SEARCH, _TRIAL, _SKETCH, GAMES = 500, 100, 1000, 6000
"""Rollouts to find a turn, to compare it, to solve a position roughly, and to solve it finally."""
_MAX_TURNS, _MAX_TILES = 8, 2
"""Limits for the solutions of a lesson: turns, and choices of card, tile and square."""
_TRIED_OF_A_THEME, _OF_A_THEME, _OF_A_GAME = 5, 3, 3
"""How many of a theme are solved finally, how many of them are published, and how many of one game."""

ReportProgress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Draft:
    """A position that may become a lesson, solved roughly."""

    game: int
    seed: Seed
    sketch: Lesson

    @property
    def clarity(self) -> float:
        """The cost of the tempting turn, reduced if several turns solve the lesson."""
        solving = sum(worth.solves for worth in self.sketch.worths)
        return self.sketch.worth(self.sketch.tempting).cost - solving / 4


def make_lessons(seed: Seed, games: int, threads: int, report: ReportProgress) -> tuple[Lesson, ...]:
    """Lessons from a number of games, by theme, the clearest of each first."""
    with ThreadPoolExecutor(threads) as pool:
        through = pool.map(lambda number: tuple(_find_candidates(seed, number, report)), range(1, games + 1))
        finds = _clearest([find for found in through for find in found])
        settled = list(pool.map(_confirmed, finds))
    kept: list[Lesson] = []
    themes, of_game = Counter[str](), Counter[int]()
    for find, lesson in zip(finds, settled, strict=True):
        if lesson is None or themes[lesson.theme] == _OF_A_THEME or of_game[find.game] == _OF_A_GAME:
            continue
        themes[lesson.theme] += 1
        of_game[find.game] += 1
        kept.append(lesson)
    return _in_order(kept)


def _clearest(finds: list[_Draft]) -> list[_Draft]:
    """The candidates of each theme that are worth a final solution, the clearest first."""
    finds.sort(key=lambda find: -find.clarity)
    themes: dict[str, list[_Draft]] = {}
    for find in finds:
        themes.setdefault(find.sketch.theme, []).append(find)
    return [find for find in finds if find in themes[find.sketch.theme][:_TRIED_OF_A_THEME]]


def _find_candidates(seed: Seed, number: int, report: ReportProgress) -> Iterator[_Draft]:
    """The candidates from one game."""
    variant = _VARIANTS[number % len(_VARIANTS)]
    boards = load_edition(variant.edition).boards
    game = Simulation(variant, boards, (PLAYER,) * variant.seats, seed).play(number)
    state = game.deal.start()
    for turn in game.turns:
        view = state.view(state.to_move)
        part = derive_seed(seed, f"game {number} turn {view.turn}")
        sketch = _sketch(_record(game, view.turn), view, part)
        if sketch is not None:
            report(f"game {number}, round {view.round}: {sketch.theme}")
            yield _Draft(number, part, sketch)
        state = state.play(turn, game.deal.chance(state.turn))
    report(f"game {number} is looked through")


def _sketch(record: Record, view: View, seed: Seed) -> Lesson | None:
    """A lesson at a position, if there may be one."""
    if view.round < _FIRST_ROUND or len(view.options()) < _FEWEST:
        return None
    tempting = _tempting(view)
    best = search(view, derive_seed(seed, "search"), _SEARCH)[0].turn
    if best in tempting:
        return None
    costs = compare(view, (best, *tempting[:_TRIED]), derive_seed(seed, "trial"), _TRIAL)
    if min(costs[turn] for turn in tempting[:_TRIED]) < _TEMPTED:
        return None
    return _lesson(record, view, tempting, solve(view, derive_seed(seed, "sketch"), _SKETCH))


def _confirmed(find: _Draft) -> Lesson | None:
    """The lesson, solved with other random numbers; None if it fails or has another theme."""
    sketch = find.sketch
    solution = solve(sketch.view, derive_seed(find.seed, "settle"), GAMES)
    lesson = _lesson(sketch.record, sketch.view, _tempting(sketch.view), solution)
    same = lesson is not None and lesson.theme == sketch.theme and sketch.worth(lesson.best.turn).solves
    return lesson if same else None


def _tempting(view: View) -> tuple[Turn, ...]:
    """The turns with the highest immediate score."""
    options, score = view.options(), view.scores[view.to_move]
    gains = {turn: gain(options, score, turn) for turn in options}
    most = max(gains.values())
    return tuple(turn for turn, points in gains.items() if points == most)


def _lesson(record: Record, view: View, tempting: tuple[Turn, ...], solution: Solution) -> Lesson | None:
    """The lesson of a solved position, if it is clear and a fact on the board explains it."""
    solving = [worth for worth in solution.worths if worth.solves]
    missing = solution.worths[len(solving) :]
    tiles = {(worth.turn.card, worth.turn.space, worth.turn.square) for worth in solving}
    tempted = next(worth for worth in solution.worths if worth.turn in tempting)
    if len(solving) > _MAX_TURNS or len(tiles) > _MAX_TILES or tempted.cost < _TEMPTED:
        return None
    best = solving[0]
    if missing[0].cost < CLEAR or tempted.share >= best.share or not _OPEN[0] <= best.share <= _OPEN[1]:
        return None
    theme = theme_of(view, best.turn, tempted.turn)
    if theme is None:
        return None
    return Lesson("", theme, record, tempted.turn, solution.margin, solution.worths)


def _record(game: Game, turns: int) -> Record:
    """The first turns of a game."""
    seats = tuple({"name": name} for name in _NAMES[: game.deal.variant.seats])
    return Record(game.deal, seats, tuple(map(write_turn, game.turns[:turns])))


def _in_order(kept: list[Lesson]) -> tuple[Lesson, ...]:
    """By theme, each lesson with its id."""
    return tuple(
        replace(lesson, id=f"{theme}-{number}")
        for theme in THEMES
        for number, lesson in enumerate((one for one in kept if one.theme == theme), start=1)
    )
