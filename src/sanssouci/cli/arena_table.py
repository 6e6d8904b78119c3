"""The standings of an arena as a table."""

from typing import TYPE_CHECKING

from .language import current_language, sentence

if TYPE_CHECKING:
    from rich.table import Table

    from sanssouci.arena import Tournament


def arena_table(tournament: "Tournament") -> "Table":
    """A row for each player; under each figure its interval, so that it fits in 80 characters."""
    from rich.table import Table
    from rich.text import Text

    from sanssouci.arena import lost_lines, match_title, seconds_text

    table = Table(
        title=Text(match_title(tournament, current_language())), title_justify="left", caption_justify="left"
    )
    table.caption = Text("\n".join([sentence("arena.interval"), *lost_lines(tournament, current_language())]))
    table.add_column(sentence("arena.player"), overflow="fold")
    for heading in _headings():
        table.add_column(heading, justify="right")
    for standing in tournament.standings.figures():
        table.add_row(
            Text(standing.player),
            _cell(standing.win_share.value, standing.win_share.low, standing.win_share.high, "{:.1%}"),
            _cell(standing.score.value, standing.score.low, standing.score.high, "{:.1f}"),
            _cell(standing.margin.value, standing.margin.low, standing.margin.high, "{:+.1f}"),
            f"{standing.elo:+.0f}",
            seconds_text(standing.seconds_per_turn),
            end_section=True,
        )
    return table


def _headings() -> list[str]:
    keys = ("simulate.wins", "arena.score", "arena.margin")
    return [*map(sentence, keys), "Elo", sentence("arena.seconds")]


def _cell(value: float, low: float | None, high: float | None, form: str) -> str:
    ends = "" if low is None or high is None else f"{form.format(low)}, {form.format(high)}".replace("%", "")
    return f"{form.format(value)}\n{ends or '-'}"
