"""``sanssouci bench``: benchmarks on this machine."""

import contextlib
import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .game_options import Json
from .language import Lang, sentence, set_language
from .output import err, out, print_json, print_notice
from .precompile import precompile_kernel

if TYPE_CHECKING:
    from rich.table import Table


def bench(
    full: Annotated[
        bool,
        typer.Option("--full", help="Also measure how time and memory grow with games, seats and variants."),
    ] = False,
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Measure how fast the rules, the kernel and the players run here, compared with C in the same run.

    Takes half a minute; --full takes a few minutes. Other load on the machine affects the figures.

    Example: sanssouci bench --json
    """
    from sanssouci.bench import measure, measure_growth

    set_language(lang)
    for job in ("series", "batch"):
        precompile_kernel(job)
    with err().status("") as status:

        def on_step(step: str) -> None:
            status.update(sentence("bench.measuring", step=step))

        growth = measure_growth(on_step) if full else {}
        figures = measure(on_step)
    if json:
        print_json(figures | growth)
    else:
        out().print(_table(figures))
        for name, series in growth.items():
            out().print(_series(name, series))
    _warn(figures)


def _warn(figures: dict[str, Any]) -> None:
    """Warn about a busy machine; fail if the games differ from those of the C program."""
    with contextlib.suppress(OSError, AttributeError):
        load, cores = os.getloadavg()[0], os.cpu_count() or 1
        if load > cores:
            print_notice(sentence("bench.busy", load=f"{load:.1f}", cores=cores))
    if figures["same_games_as_in_c"] is False:
        print_notice(sentence("bench.other_games"))
        raise typer.Exit(1)


def _table(figures: dict[str, Any]) -> "Table":
    from rich.table import Table

    from sanssouci.bench import AT_MOST, GOALS

    table = Table()
    table.add_column(sentence("bench.figure"))
    table.add_column(sentence("bench.here"), justify="right")
    table.add_column(sentence("bench.goal"), justify="right")
    for name, value in figures.items():
        goal = GOALS.get(name)
        missed = (
            goal is not None and value is not None and (value > goal if name == AT_MOST else value < goal)
        )
        table.add_row(
            name, _shown(value), f"{_shown(goal)}{' !' if missed else ''}" if goal is not None else ""
        )
    return table


def _series(name: str, series: dict[str, Any]) -> "Table":
    from rich.table import Table

    table = Table(title=name, title_justify="left", show_header=False)
    for key, value in series.items():
        values = value.values() if isinstance(value, dict) else (value,)
        table.add_row(key, *map(_shown, values))
    return table


def _shown(value: object) -> str:
    if isinstance(value, float | int) and not isinstance(value, bool):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return "-" if value is None else str(value)
