"""The text of an analysis, for the terminal and for a page."""

from collections.abc import Sequence
from dataclasses import dataclass

from sanssouci.dealer import write_seed
from sanssouci.editions import Words
from sanssouci.locale import translate
from sanssouci.notation import seat_names, write_card, write_column, write_turn

from .analysis import Analysis
from .reason import Reason, say_reason
from .reasons import reasons
from .skill_and_luck import Cause, Figure, SkillAndLuck, TurningPoint, leads, shares, split_skill_and_luck
from .turn_review import TurnReview

INTERVAL = 1.96
"""Standard errors to either side of a 95 % interval."""
_REASONS = 2
"""How many reasons are given for a turn; the strongest come first."""


def names_of(analysis: Analysis) -> list[str]:
    """The names of the seats, numbered where they are equal."""
    names = seat_names(analysis.record)
    return [
        f"{name} ({number})" if names.count(name) > 1 else name for number, name in enumerate(names, start=1)
    ]


def percent(share: float, language: str) -> str:
    """A chance of winning, in whole percent."""
    return translate("word.percent", language, number=round(100 * share))


def change(share: float, language: str) -> str:
    """A change of a chance of winning, with its sign."""
    hundredths = round(100 * share)
    return translate("word.percent", language, number=f"{hundredths:+}" if hundredths else 0)


def tenths(number: float, language: str, signed: bool = True) -> str:
    """A number with one decimal."""
    text = f"{round(number, 1) + 0.0:{'+' if signed else ''}.1f}"  # adding 0.0 turns -0.0 into 0.0
    return text.replace(".", translate("word.decimal", language))


def share_line(turn_review: TurnReview, language: str) -> str:
    """The seat's chance of winning before and after its turn."""
    before, after = turn_review.before.shares[turn_review.seat], turn_review.after.shares[turn_review.seat]
    return f"{percent(before, language)} → {percent(after, language)}"


def cost_figures(turn_review: TurnReview, language: str) -> tuple[str, ...]:
    """The cost of a turn if there was a better one: in chance of winning, then in points."""
    if not turn_review.missed:
        return ()
    return change(-turn_review.cost_share, language), tenths(-turn_review.cost_points, language)


def better_line(analysis: Analysis, number: int, language: str) -> str:
    """The missed turn and the reasons; empty if none was missed."""
    turn_review = analysis.turn_reviews[number]
    if not turn_review.missed:
        return ""
    better = translate("analyse.better", language, turn=write_turn(turn_review.best))
    return f"{better} – {' '.join(why(analysis, number, language))}"


def why(analysis: Analysis, number: int, language: str) -> list[str]:
    """Why the best turn is better than the one that was played, by what its seat could know.

    At most a few reasons are given, none twice; if there are none, the simulated games are named instead.
    """
    turn_review, state = analysis.turn_reviews[number], analysis.states[number]
    selected: list[Reason] = []
    for reason in reasons(state.view(turn_review.seat), turn_review.best, instead_of=turn_review.turn):
        if len(selected) < _REASONS and not any(reason.repeats(other) for other in selected):
            selected.append(reason)
    names, edition = names_of(analysis), state.variant.edition
    sentences = [say_reason(reason, edition, language, names) for reason in selected]
    return sentences or [translate("analyse.no_reason", language)]


def headline(analysis: Analysis, language: str) -> str:
    """The variant, and the result or the point where the game stopped."""
    variant, state = analysis.record.deal.variant, analysis.states[-1]
    words, names = Words(language, variant.edition), names_of(analysis)
    scores = ", ".join(f"{name} {score.total}" for name, score in zip(names, state.scores, strict=True))
    expansions = ", ".join(map(words.expansion, variant.expansions)) or translate("simulate.base", language)
    game = f"{words.edition.title}, {expansions}"
    stopped = translate("analyse.stopped", language, turns=state.turn, all=variant.turns)
    return f"{game} · {scores}" if analysis.over else f"{game} · {scores} ({stopped})"


def provenance(analysis: Analysis, language: str) -> str:
    """The parameters that reproduce the analysis."""
    seed = translate("simulate.seed", language, seed=write_seed(analysis.seed))
    return f"{translate('analyse.depth', language, rollouts=analysis.rollouts)} · {seed}"


def turning_line(analysis: Analysis, point: TurningPoint, language: str) -> str:
    """A turning point as a sentence."""
    names, turn_review = names_of(analysis), analysis.turn_reviews[point.number]
    args = {
        "round": analysis.round(point.number),
        "name": names[turn_review.seat],
        "turn": write_turn(turn_review.turn),
        "change": change(point.change, language),
    }
    if point.cause is Cause.SKILL:
        return translate(
            "analyse.skill_point" if point.change > 0 else "analyse.weak_point", language, **args
        )
    if point.cause is Cause.MISSED:
        return translate("analyse.missed_point", language, better=write_turn(turn_review.best), **args)
    lucky, dealt = names[point.seat], dealt_line(analysis, point.number, language)
    if not dealt:
        return translate("analyse.luck_alone", language, lucky=lucky, **args)
    return translate("analyse.luck_point", language, lucky=lucky, dealt=dealt, **args)


def dealt_line(analysis: Analysis, number: int, language: str) -> str:
    """The tile and card dealt after a turn; empty if nothing was left."""
    turn_review, chance = analysis.turn_reviews[number], analysis.chance(number)
    parts = []
    if chance.refill is not None:
        tile, space = write_column(chance.refill), turn_review.turn.space
        parts.append(translate("analyse.tile", language, tile=tile, space=space))
    if chance.draw is not None:
        name = names_of(analysis)[turn_review.seat]
        parts.append(translate("analyse.card", language, name=name, card=write_card(chance.draw)))
    return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Section:
    """Rows of a table with an optional heading: a name, and a cell for each seat."""

    heading: str
    rows: tuple[tuple[str, tuple[str, ...]], ...]


def account_sections(analysis: Analysis, language: str) -> tuple[Section, ...]:
    """The sources of the win and of the lead, and how often a better turn was missed."""
    seats = range(analysis.seats)
    missed = tuple(f"{len(misses(analysis, seat))} / {len(turns_of(analysis, seat))}" for seat in seats)
    return (
        Section(translate("analyse.share", language), _account_rows(analysis, shares, language)),
        Section(translate("analyse.lead", language), _account_rows(analysis, leads, language)),
        Section("", ((translate("analyse.missed", language), missed),)),
    )


def _account_rows(
    analysis: Analysis, figure: Figure, language: str
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    end = "analyse.end" if analysis.over else "analyse.now"
    keys = ("analyse.start", "analyse.skill", "analyse.others", "analyse.luck", end)
    columns = [
        account_cells(split_skill_and_luck(analysis, seat, figure), figure, language)
        for seat in range(analysis.seats)
    ]
    return tuple(
        (translate(key, language), cells) for key, cells in zip(keys, zip(*columns, strict=True), strict=True)
    )


def account_cells(found: SkillAndLuck, figure: Figure, language: str) -> tuple[str, ...]:
    """The parts of an account as they are shown, skill and luck with the half width of their interval.

    Shares are whole hundredths, leads tenths; what rounding loses goes to luck, so that they still add up.
    """
    times = 100 if figure is shares else 10
    start, skill, others, end = (
        round(times * part) for part in (found.start, found.skill, found.others, found.end)
    )
    parts = (start, skill, others, end - start - skill - others, end)
    signs = (figure is leads, True, True, True, figure is leads)
    doubts = (0.0, found.error, 0.0, found.luck_error, 0.0)
    return tuple(
        _cell(part / times, sign, INTERVAL * doubt, figure, language)
        for part, sign, doubt in zip(parts, signs, doubts, strict=True)
    )


def _cell(part: float, signed: bool, doubt: float, figure: Figure, language: str) -> str:
    if figure is leads:
        return tenths(part, language, signed) + (f" ± {tenths(doubt, language, False)}" if doubt else "")
    number = f"{round(100 * part):{'+' if signed else ''}}"
    return translate("word.percent", language, number=f"{number} ± {round(100 * doubt)}" if doubt else number)


def turns_of(analysis: Analysis, seat: int) -> Sequence[int]:
    """The turns of a seat, counted from 0."""
    return [number for number, turn_review in enumerate(analysis.turn_reviews) if turn_review.seat == seat]


def misses(analysis: Analysis, seat: int) -> Sequence[int]:
    """The turns for which there was a better one."""
    return [number for number in turns_of(analysis, seat) if analysis.turn_reviews[number].missed]


def costliest(analysis: Analysis, seat: int) -> int | None:
    """The missed turn that cost a seat most: in chance of winning, then in points."""

    def cost(number: int) -> tuple[float, float]:
        turn_review = analysis.turn_reviews[number]
        return turn_review.cost_share, turn_review.cost_points

    return max(misses(analysis, seat), key=cost, default=None)
