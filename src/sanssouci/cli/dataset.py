"""``sanssouci dataset``: writes every position and turn of many games as Parquet files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .arena_options import Workers
from .executor_options import On, open_executor
from .game_options import (
    Boards,
    Edition,
    Expansions,
    Json,
    Players,
    Seats,
    SeedText,
    read_games,
    read_players,
    read_seed,
    read_variant,
)
from .language import Lang, sentence, set_language
from .output import (
    STOPPED,
    print_json,
    print_line,
    print_notice,
    progress_bar,
    results_kept_clean,
    show_speed,
)
from .precompile import precompile_kernel, precompile_players

if TYPE_CHECKING:
    from sanssouci.arena import Simulation


def dataset(
    folder: Annotated[Path, typer.Argument(help="The folder of the dataset; it is made.", metavar="DIR")],
    games: Annotated[int, typer.Option(help="Number of games.")] = 1000,
    seats: Seats = None,
    edition: Edition = "ravensburger",
    expansions: Expansions = "",
    players: Players = "steward",
    seed: SeedText = None,
    boards: Boards = "",
    part: Annotated[int, typer.Option("--games-per-file", help="Games in each file.")] = 1000,
    workers: Workers = None,
    on: On = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only compare the files with their checksums.")
    ] = False,
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Write games as a dataset: one row per game, and one per turn with the position before it.

    Needs pyarrow: pip install 'sanssouci-game\\[parquet]'. If stopped, the same command continues.

    Example: sanssouci dataset data/steward --games 10000 --players steward --seed 1
    """
    from sanssouci.arena import Simulation
    from sanssouci.dealer import parse_seed
    from sanssouci.env.dataset import GAMES, MANIFEST, check_dataset, read_manifest

    set_language(lang)
    if check:
        manifest = check_dataset(folder)
    else:
        read_games(games)
        names = read_players(players, seats)
        variant, board_set = read_variant(len(names), edition, expansions, boards)
        begun = seed is None and (folder / MANIFEST).is_file()
        chosen = parse_seed(read_manifest(folder)["settings"]["seed"]) if begun else read_seed(seed)
        manifest = _write(folder, Simulation(variant, board_set, names, chosen), games, part, on, workers)
    if json:
        print_json(manifest)
    elif manifest["complete"]:
        _print_summary(folder, manifest, "dataset.checked" if check else "dataset.written")
    else:
        written = _rows(manifest, GAMES)
        print_notice(sentence("dataset.incomplete", path=folder, written=written, games=manifest["games"]))
    raise typer.Exit(0 if manifest["complete"] else 1)


def _rows(manifest: dict[str, Any], table: str) -> int:
    return sum(entry["rows"] for name, entry in manifest["files"].items() if name.startswith(table + "/"))


def _print_summary(folder: Path, manifest: dict[str, Any], key: str) -> None:
    from sanssouci.env.dataset import TURNS

    turns = _rows(manifest, TURNS)
    size = sum(entry["bytes"] for entry in manifest["files"].values())
    print_line(sentence(key, path=folder, games=manifest["games"], turns=turns, size=f"{size / 1e6:.1f}"))


def _write(
    folder: Path, simulation: "Simulation", games: int, part: int, on: str | None, workers: int | None
) -> dict[str, Any]:
    from sanssouci.env.dataset import write_dataset

    precompile_kernel("batch")
    if simulation.in_kernel:
        precompile_kernel("series")
    else:
        precompile_players(simulation.players)
    with open_executor(on, workers) as executor, progress_bar(speed=True) as bar, results_kept_clean():
        task = bar.add_task(sentence("simulate.progress"), total=games, speed="")
        done = 0

        def advance(count: int) -> None:
            nonlocal done
            done += count
            show_speed(bar, task, count)

        try:
            return write_dataset(folder, simulation, games, part, executor, advance)
        except KeyboardInterrupt:
            print_notice(sentence("cli.interrupted", done=done, wanted=games))
            raise typer.Exit(STOPPED) from None
