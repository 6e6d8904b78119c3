"""An optional short review after a game."""

from collections.abc import Sequence

from sanssouci.editions import Words
from sanssouci.notation import Record, write_turn
from sanssouci.review import (
    Analysis,
    account_cells,
    analyse,
    better_line,
    cost_figures,
    costliest,
    misses,
    names_of,
    prepare,
    prepared,
    shares,
    split_skill_and_luck,
    turning_line,
    turning_points,
    turns_of,
)

from .console import PlayerConsole, QuitGame, quit_words

ROLLOUTS = 1200
"""Rollouts for each turn; the whole game takes some seconds."""


def offer_review(record: Record, people: Sequence[int], console: PlayerConsole) -> None:
    """Ask the players whether they want a review, and show it."""
    try:
        if console.ask(console.words.translate("review.offer")).lower() in _declines(console.words):
            return
        analysis = _analysed(record, console)
    except (QuitGame, KeyboardInterrupt):
        return
    console.print_lines(["", *review_text(analysis, people, console.words)])


def _declines(words: Words) -> tuple[str, ...]:
    return (*quit_words(words), "n", "no", *words.translate("review.no").split())


def _analysed(record: Record, console: PlayerConsole) -> Analysis:
    """The analysis, with its progress; compiles the kernel first if needed."""
    if not prepared():
        with console.waiting("cli.compiling"):
            prepare()
    if console.plain:
        console.print_message("review.begins")
        return analyse(record, rollouts=ROLLOUTS)
    with console.counting("review.thinking", len(record.turns) + 1) as count:
        return analyse(record, rollouts=ROLLOUTS, done=count)


def review_text(analysis: Analysis, people: Sequence[int], words: Words) -> list[str]:
    """The turning point, and for each person the costliest turn and the shares of skill and luck."""
    points = sorted(turning_points(analysis), key=lambda point: -abs(point.change))
    lines = [
        words.translate("review.turning", point=turning_line(analysis, points[0], words.language))
        if points
        else words.translate("analyse.no_turning")
    ]
    for seat in people:
        lines += [_costliest_text(analysis, seat, words), _sums_text(analysis, seat, words)]
    return lines


def _costliest_text(analysis: Analysis, seat: int, words: Words) -> str:
    number, name = costliest(analysis, seat), names_of(analysis)[seat]
    if number is None:
        return words.translate("review.none_missed", name=name)
    turn_review = analysis.turn_reviews[number]
    share, points = cost_figures(turn_review, words.language)
    return words.translate(
        "review.costliest",
        name=name,
        round=analysis.round(number),
        turn=write_turn(turn_review.turn),
        share=share,
        points=points,
        better=better_line(analysis, number, words.language),
    )


def _sums_text(analysis: Analysis, seat: int, words: Words) -> str:
    cells = account_cells(split_skill_and_luck(analysis, seat, shares), shares, words.language)
    start, skill, others, luck, end = cells
    return words.translate(
        "review.sums",
        name=names_of(analysis)[seat],
        start=start,
        skill=skill,
        others=others,
        luck=luck,
        end=end,
        missed=f"{len(misses(analysis, seat))} / {len(turns_of(analysis, seat))}",
    )
