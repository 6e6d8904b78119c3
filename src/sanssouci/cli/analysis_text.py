"""An analysis as text: the graph, every turn, where the win came from, the turning points."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from sanssouci.review import Analysis

_NAME, _TURN, _SHARE = 12, 16, 13
_WIDE = 76
"""Columns needed for a turn in one line; on a narrower terminal it takes two."""


def print_analysis(analysis: "Analysis", console: "Console", language: str) -> None:
    """The whole analysis, wrapped to the width of the console."""
    from sanssouci.locale import translate
    from sanssouci.review import headline, names_of, turning_line, turning_points
    from sanssouci.terminal import WrappedText

    def print_text(text: str, style: str = "") -> None:
        console.print(WrappedText(text), style=style)

    print_text(translate("analyse.title", language, names=" · ".join(names_of(analysis))), "bold")
    print_text(headline(analysis, language))
    console.print()
    for title, strip in _graphs(analysis, console, language):
        print_text(title)
        for line in (*strip, ""):
            _print_line(line, console)
    print_text(translate("analyse.reading", language))
    if console.width >= _WIDE:
        _print_line(_head(language), console, "bold")
    for number in range(len(analysis.turn_reviews)):
        _print_turn(analysis, number, console, language)
    console.print()
    console.print(_sums(analysis, console, language))
    print_text(translate("analyse.turning", language), "bold")
    points = turning_points(analysis)
    for point in points:
        print_text(f"  {turning_line(analysis, point, language)}")
    if not points:
        print_text(f"  {translate('analyse.no_turning', language)}")
    console.print()
    print_text(translate("analyse.note", language))


def _print_line(line: str, console: "Console", style: str = "") -> None:
    """A line that is not wrapped."""
    from rich.text import Text

    from sanssouci.terminal import spelled

    console.print(Text(spelled(line, console.encoding), style=style), soft_wrap=True)


def _graphs(analysis: "Analysis", console: "Console", language: str) -> list[tuple[str, list[str]]]:
    """Titles and strips; with two seats one strip is enough, because the shares add up to 1."""
    from sanssouci.locale import translate
    from sanssouci.review import names_of
    from sanssouci.terminal import share_strip

    names, alone = names_of(analysis), analysis.seats == 2
    height, plain = 8 if alone else 4, console.options.ascii_only
    graphs = []
    for seat in range(1 if alone else analysis.seats):
        shares = [forecast.shares[seat] for forecast in analysis.forecasts]
        strip = share_strip(shares, analysis.seats, console.width, height, plain, language)
        graphs.append((translate("analyse.graph_of", language, name=names[seat]), strip))
    return graphs


def _head(language: str) -> str:
    from sanssouci.locale import translate

    keys = ("analyse.round", "analyse.seat", "analyse.turn", "analyse.share", "analyse.cost")
    names = [translate(key, language) for key in keys]
    return f"{_row(*names)} ({translate('analyse.units', language)})"


def _row(number: str, name: str, turn: str, share: str, cost: str) -> str:
    from sanssouci.terminal import fitted

    return f"{number:>6}  {fitted(name, _NAME)}  {turn:<{_TURN}}  {share:<{_SHARE}}  {cost}".rstrip()


def _narrow_rows(number: str, name: str, turn: str, share: str, cost: str) -> list[str]:
    from sanssouci.terminal import fitted

    return [f"{number:>2}  {fitted(name, _NAME)}  {turn}", f"    {share}  {cost}".rstrip()]


def _print_turn(analysis: "Analysis", number: int, console: "Console", language: str) -> None:
    """One or two lines for the turn, then the better turn and the reasons if there was one."""
    from sanssouci.notation import write_turn
    from sanssouci.review import better_line, cost_figures, names_of, share_line
    from sanssouci.terminal import WrappedText

    turn_review, wide = analysis.turn_reviews[number], console.width >= _WIDE
    cells = (
        str(analysis.round(number)),
        names_of(analysis)[turn_review.seat],
        write_turn(turn_review.turn),
        share_line(turn_review, language),
        " ".join(cost_figures(turn_review, language)),
    )
    for line in [_row(*cells)] if wide else _narrow_rows(*cells):
        _print_line(line, console, "bold" if turn_review.missed else "")
    better = better_line(analysis, number, language)
    if better:
        console.print(WrappedText(f"{' ' * (8 if wide else 4)}{better}"))


def _sums(analysis: "Analysis", console: "Console", language: str) -> "Table":
    """A column for each seat, so that four fit in 80 characters."""
    from rich.box import SIMPLE
    from rich.table import Table
    from rich.text import Text

    from sanssouci.locale import translate
    from sanssouci.review import account_sections, names_of
    from sanssouci.terminal import spelled

    title = Text(translate("analyse.sums", language))
    table = Table(title=title, title_justify="left", box=SIMPLE, padding=0)
    table.add_column("")
    for name in names_of(analysis):
        table.add_column(Text(name), justify="right", overflow="fold")
    for section in account_sections(analysis, language):
        if section.heading:
            table.add_row(section.heading, style="bold")
        for name, cells in section.rows:
            shown = (spelled(cell, console.encoding) for cell in cells)
            table.add_row(f"  {name}" if section.heading else name, *shown)
        table.add_section()
    return table
