"""``sanssouci boards balance``: compares the sides of a set of boards."""

from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .executor_options import On, open_cluster, play_series
from .game_options import (
    Edition,
    Expansions,
    Json,
    Seats,
    SeedText,
    Threads,
    read_games,
    read_players,
    read_seed,
    read_threads,
    read_variant,
)
from .language import Lang, sentence, set_language
from .output import STOPPED, out, print_json, print_notice, progress_bar, show_speed

if TYPE_CHECKING:
    from rich.table import Table

    from sanssouci.arena import Balance, Executor, Series, Simulation


def balance(
    boards: Annotated[
        str, typer.Argument(help="The name of a set, or a file.", metavar="NAME|FILE")
    ] = "parterre",
    games: Annotated[int, typer.Option(help="Number of games.")] = 100_000,
    seats: Seats = None,
    edition: Edition = "ravensburger",
    expansions: Expansions = "",
    players: Annotated[str, typer.Option(help="The computer player on all seats.")] = "greedy",
    seed: SeedText = None,
    threads: Threads = None,
    on: On = None,
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Compare the sides of a set by the mean score of the players who had them.

    Sides are picked at random. A balanced side differs little from the mean of the others.

    Example: sanssouci boards balance mine.toml --edition imperial --expansions rewards
    """
    from sanssouci.arena import Balance, Series, Simulation

    set_language(lang)
    names = read_players(players, seats)
    variant, board_set = read_variant(len(names), edition, expansions, boards)
    simulation = Simulation(variant, board_set, names, read_seed(seed))
    found = Balance(variant.seats)
    series, crew = Series(simulation, read_games(games), Balance), read_threads(threads)
    with open_cluster(on, crew) as cluster:
        stopped = _play_all(series, cluster, crew, found)
    if found.games:
        _show(simulation, found, json)
    if stopped:
        print_notice(sentence("cli.interrupted", done=found.games, wanted=games))
        raise typer.Exit(STOPPED)


def _play_all(
    series: "Series[Balance]", cluster: "Executor | None", threads: int | None, found: "Balance"
) -> bool:
    """Play and count the games; True if Ctrl-C has ended it."""
    from sanssouci.arena import defer_interrupt

    try:
        with progress_bar(speed=True) as bar, closing(play_series(series, cluster, threads)) as played:
            task = bar.add_task(sentence("simulate.progress"), total=series.games, speed="")
            for portion in played:
                with defer_interrupt():
                    found.merge(portion.totals)
                show_speed(bar, task, portion.games)
    except KeyboardInterrupt:
        return True
    return False


def _show(simulation: "Simulation", found: "Balance", json: bool) -> None:
    from sanssouci.dealer import write_seed

    sides = found.to_json()
    if json:
        boards = {"name": simulation.boards.name, "sha256": simulation.boards.sha256}
        seed, count = write_seed(simulation.seed), simulation.variant.seats
        print_json({"games": found.games, "seats": count, "seed": seed, "boards": boards, "sides": sides})
        return
    out().print(_table(sides))
    print_notice(sentence("simulate.seed", seed=write_seed(simulation.seed)))


def _table(sides: list[dict[str, Any]]) -> "Table":
    """Numbers boards from 1 and names sides, as everywhere in the output."""
    from rich.table import Table

    from sanssouci.editions import SIDES

    table = Table()
    table.add_column(sentence("balance.side"))
    for key in ("balance.seats", "simulate.mean", "balance.difference"):
        table.add_column(sentence(key), justify="right")
    for side in sides:
        name = f"boards.{side['kind']}.{side['board'] + 1}.{SIDES[side['side']]}"
        interval = "-" if side["uncertainty"] is None else f"{side['uncertainty']:.2f}"
        difference = f"{side['difference']:+.2f} ± {interval}"
        table.add_row(name, f"{side['seats']:,}", f"{side['mean_score']:.2f}", difference)
    return table
