"""``sanssouci boards balance``: compares the sides of a set of boards."""

from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Any

import typer

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
from .language import Lang, sentence, speak
from .output import STOPPED, out, print_json, progress_bar, remark, show_speed
from .precompile import precompile_kernel, precompile_players

if TYPE_CHECKING:
    from rich.table import Table

    from sanssouci.arena import Balance, Simulation


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
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Compare the sides of a set by the mean score of the players who had them.

    Sides are picked at random. A balanced side differs little from the mean of the others.

    Example: sanssouci boards balance mine.toml --edition imperial --expansions rewards
    """
    from sanssouci.arena import Balance, Simulation

    speak(lang)
    names = read_players(players, seats)
    variant, board_set = read_variant(len(names), edition, expansions, boards)
    simulation = Simulation(variant, board_set, names, read_seed(seed))
    found = Balance()
    stopped = _play_all(simulation, read_games(games), read_threads(threads), found)
    if found.games:
        _show(simulation, found, json)
    if stopped:
        remark(sentence("cli.interrupted", done=found.games, wanted=games))
        raise typer.Exit(STOPPED)


def _play_all(simulation: "Simulation", games: int, threads: int | None, found: "Balance") -> bool:
    """Play and count the games; True if Ctrl-C has ended it."""
    try:
        if simulation.in_kernel:
            precompile_kernel("series")
        else:
            precompile_players(simulation.players)
        with progress_bar(speed=True) as bar, closing(simulation.chunks(games, threads)) as played:
            task = bar.add_task(sentence("simulate.progress"), total=games, speed="")
            for chunk in played:
                found.add(chunk.results, simulation.variant.seats)
                show_speed(bar, task, len(chunk.results))
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
    remark(sentence("simulate.seed", seed=write_seed(simulation.seed)))


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
