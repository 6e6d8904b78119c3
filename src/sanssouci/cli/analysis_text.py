"""An analysis as text: the graph, every turn, where the win came from, the turning points."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from sanssouci.review import Analysis

_NAME, _TURN, _SHARE = 12, 16, 13


def print_analysis(analysis: "Analysis", console: "Console", language: str) -> None:
    """All of it; lines are wrapped for the width of the console."""
    from rich.text import Text

    from sanssouci.locale import say
    from sanssouci.notation import seat_names
    from sanssouci.review import headline, turning_line, turning_points
    from sanssouci.terminal import Prose

    def tell(text: str, style: str = "") -> None:
        console.print(Prose(text), style=style)

    tell(say("analyse.title", language, names=" · ".join(seat_names(analysis.record))), "bold")
    tell(headline(analysis, language))
    console.print()
    for line in _graphs(analysis, console, language):
        console.print(Text(line), soft_wrap=True)
    console.print(Text(_head(language)), style="bold", soft_wrap=True)
    for number in range(len(analysis.judgements)):
        _print_turn(analysis, number, console, language)
    console.print()
    console.print(_sums(analysis, language))
    tell(say("analyse.turning", language), "bold")
    points = turning_points(analysis)
    for point in points:
        tell(f"  {turning_line(analysis, point, language)}")
    if not points:
        tell(f"  {say('analyse.no_turning', language)}")
    console.print()
    tell(say("analyse.note", language))


def _graphs(analysis: "Analysis", console: "Console", language: str) -> list[str]:
    """Of two seats the second has what the first has not, so one strip is enough."""
    from sanssouci.locale import say
    from sanssouci.notation import seat_names
    from sanssouci.terminal import share_strip

    lines = []
    names, alone = seat_names(analysis.record), analysis.seats == 2
    for seat in range(1 if alone else analysis.seats):
        shares = [outlook.shares[seat] for outlook in analysis.outlooks]
        plain = console.options.ascii_only
        lines.append(say("analyse.graph_of", language, name=names[seat]))
        lines += share_strip(shares, analysis.seats, console.width, 8 if alone else 4, plain)
        lines.append("")
    return lines


def _head(language: str) -> str:
    from sanssouci.locale import say

    keys = ("analyse.round", "analyse.seat", "analyse.turn", "analyse.share", "analyse.cost")
    names = [say(key, language) for key in keys]
    return f"{_row(*names)} ({say('analyse.units', language)})"


def _row(number: str, name: str, turn: str, share: str, cost: str) -> str:
    return f"{number:>6}  {name:<{_NAME}}  {turn:<{_TURN}}  {share:<{_SHARE}}  {cost}".rstrip()


def _print_turn(analysis: "Analysis", number: int, console: "Console", language: str) -> None:
    """A line for the turn; below it the better one and why, if there was one."""
    from rich.text import Text

    from sanssouci.notation import seat_names, write_turn
    from sanssouci.review import better_line, cost_line, share_line
    from sanssouci.terminal import Prose

    judgement = analysis.judgements[number]
    name = seat_names(analysis.record)[judgement.seat][:_NAME]
    turn, share = write_turn(judgement.turn), share_line(judgement)
    line = _row(str(analysis.round(number)), name, turn, share, cost_line(judgement, language))
    console.print(Text(line, style="bold" if judgement.missed else ""), soft_wrap=True)
    better = better_line(analysis, number, language)
    if better:
        console.print(Prose(f"        {better}"))


def _sums(analysis: "Analysis", language: str) -> "Table":
    """A column for each seat, so that four fit in 80 characters."""
    from rich.table import Table
    from rich.text import Text

    from sanssouci.locale import say
    from sanssouci.notation import seat_names
    from sanssouci.review import account_sections

    table = Table(title=Text(say("analyse.sums", language)), title_justify="left")
    table.add_column("")
    for name in seat_names(analysis.record):
        table.add_column(Text(name), justify="right", overflow="fold")
    for section in account_sections(analysis, language):
        if section.heading:
            table.add_row(section.heading, style="bold")
        for name, cells in section.rows:
            table.add_row(f"  {name}" if section.heading else name, *cells)
        table.add_section()
    return table
