"""``sanssouci simulate``: plays many games, with statistics and records."""

from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sanssouci.locale import UserError, os_error_reason

from .executor_options import On, open_cluster, play_series
from .game_options import (
    Boards,
    Edition,
    Expansions,
    Force,
    Json,
    Players,
    Seats,
    SeedText,
    Threads,
    read_games,
    read_players,
    read_seed,
    read_threads,
    read_variant,
)
from .language import Lang, current_language, sentence, set_language
from .output import (
    STOPPED,
    check_target,
    out,
    print_json,
    print_notice,
    progress_bar,
    results_kept_clean,
    show_speed,
    write_new_file,
)
from .records import Records, open_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from sanssouci.arena import Executor, ResultsFile, Series, Simulation, Summary


def simulate(
    games: Annotated[int, typer.Option(help="Number of games.")] = 100,
    seats: Seats = None,
    edition: Edition = "ravensburger",
    expansions: Expansions = "",
    players: Players = "random",
    seed: SeedText = None,
    boards: Boards = "",
    threads: Threads = None,
    on: On = None,
    records: Records = None,
    results: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="A new .csv or .parquet file: one row per game and seat.",
            metavar="FILE",
            readable=False,
        ),
    ] = None,
    force: Force = False,
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Play many games between computer players and summarise the scores.

    The same seed gives the same games on any machine and with any number of threads.

    Example: sanssouci simulate --games 1000000 --players greedy,random --seed 1 --out results.csv
    """
    from sanssouci.arena import ExecutorFault, GameFault, Series, Simulation, Summary, defer_interrupt

    set_language(lang)
    read_games(games)
    names = read_players(players, seats)
    variant, board_set = read_variant(len(names), edition, expansions, boards)
    simulation = Simulation(variant, board_set, names, read_seed(seed))
    crew = read_threads(threads)
    summary, stopped = Summary(variant.seats), None
    with open_cluster(on, crew) as cluster, _results_file(results, simulation, force) as file:
        if records is not None:
            open_folder(records, force)
        try:
            series = Series(simulation, games, Summary, file is not None, records is not None)
            _play_all(series, cluster, crew, summary, file, records)
        except (KeyboardInterrupt, GameFault, ExecutorFault) as error:  # the results so far are kept
            stopped = error
        if file is not None and summary.games:
            with defer_interrupt():
                file.close()
    if summary.games:
        _show(simulation, summary, json)
    if isinstance(stopped, UserError):
        print_notice(stopped.translate(current_language()))
        raise typer.Exit(1)
    if stopped is not None:
        print_notice(sentence("cli.interrupted", done=summary.games, wanted=games))
        raise typer.Exit(STOPPED)


@contextmanager
def _results_file(path: Path | None, simulation: "Simulation", force: bool) -> "Iterator[ResultsFile | None]":
    """The file for the results, if requested; an unfinished file is removed."""
    from sanssouci.arena import KINDS, ResultsFile

    if path is None:
        yield None
        return
    if path.suffix.lower() not in KINDS:
        raise UserError("cli.bad_results", path=path, known=", ".join(KINDS))
    check_target(path, force)
    if path.exists() and not path.is_file():  # a table is not written into a pipe
        raise UserError("cli.unwritable", path=path, reason=UserError("file.not_a_file"))
    file = None
    try:
        file = ResultsFile(path, simulation)
        yield file
    except OSError as error:
        raise UserError("cli.unwritable", path=path, reason=os_error_reason(error)) from None
    finally:
        if file is not None:
            file.discard()


def _play_all(
    series: "Series[Summary]",
    cluster: "Executor | None",
    threads: int | None,
    summary: "Summary",
    file: "ResultsFile | None",
    records: Path | None,
) -> None:
    from sanssouci.arena import defer_interrupt

    with (
        progress_bar(speed=True) as bar,
        results_kept_clean(),
        closing(play_series(series, cluster, threads)) as played,
    ):
        task = bar.add_task(sentence("simulate.progress"), total=series.games, speed="")
        for portion in played:
            with defer_interrupt():  # so that the files and the counts agree
                if records is not None:
                    for number, record in portion.records:
                        write_new_file(records / f"game-{number:06}.json", record, force=True)
                if file is not None:
                    for chunk in portion.chunks:
                        file.add(chunk)
                summary.merge(portion.totals)
            show_speed(bar, task, portion.games)


def _show(simulation: "Simulation", summary: "Summary", json: bool) -> None:
    from sanssouci.dealer import write_seed

    if json:
        print_json(_document(simulation, summary))
        return
    variant = simulation.variant
    title = sentence(
        "simulate.title",
        games=summary.games,
        edition=variant.edition,
        expansions=", ".join(variant.expansions) or sentence("simulate.base"),
        boards=simulation.boards.name,
    )
    out().print(_table(simulation, summary, title))
    print_notice(sentence("simulate.seed", seed=write_seed(simulation.seed)))


def _table(simulation: "Simulation", summary: "Summary", title: str) -> "Table":
    """A column for each seat, so that four fit in 80 characters."""
    from rich.table import Table
    from rich.text import Text

    from sanssouci.rules import PARTS

    table = Table(title=Text(title), title_justify="left")
    table.add_column("")
    for place, player in enumerate(simulation.players, start=1):
        table.add_column(f"{player} {place}", justify="right")
    seats = summary.seats
    table.add_row(sentence("simulate.wins"), *(f"{seat.wins / seat.games:.1%}" for seat in seats))
    table.add_row(sentence("simulate.mean"), *(f"{seat.mean:.1f}" for seat in seats), style="bold")
    table.add_row(sentence("simulate.spread"), *(f"{seat.spread:.1f}" for seat in seats))
    table.add_row(sentence("simulate.range"), *(f"{seat.lowest}, {seat.highest}" for seat in seats))
    table.add_row(
        sentence("simulate.middle"), *(f"{seat.quantile(5)}, {seat.quantile(95)}" for seat in seats)
    )
    quartiles = (", ".join(str(seat.quantile(part)) for part in (25, 50, 75)) for seat in seats)
    table.add_row(sentence("simulate.quartiles"), *quartiles, end_section=True)
    for part in PARTS:
        points = (f"{seat.mean_parts()[part]:.1f} {seat.part_shares()[part]:>5.0%}" for seat in seats)
        table.add_row(sentence(f"part.{part}"), *points)
    gardeners = (f"{seat.gardeners / seat.games:.1f}" for seat in seats)
    table.add_row(sentence("simulate.gardeners"), *gardeners)
    return table


def _document(simulation: "Simulation", summary: "Summary") -> dict[str, Any]:
    from sanssouci.dealer import write_seed

    variant = simulation.variant
    return {
        "games": summary.games,
        "seed": write_seed(simulation.seed),
        "edition": variant.edition,
        "expansions": list(variant.expansions),
        "boards": {"name": simulation.boards.name, "sha256": simulation.boards.sha256},
        "seats": [
            {"player": player, **seat.to_json()}
            for player, seat in zip(simulation.players, summary.seats, strict=True)
        ],
    }
