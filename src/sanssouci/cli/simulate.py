"""``sanssouci simulate``: many games, counted and recorded."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sanssouci.locale import Complaint

from .game_options import (
    Boards,
    Edition,
    Expansions,
    Force,
    Json,
    Players,
    Seats,
    SeedText,
    read_players,
    read_seed,
    read_variant,
)
from .language import Lang, sentence, speak
from .output import out, print_json, progress_bar, remark, write_new_file
from .records_folder import Records, open_folder

if TYPE_CHECKING:
    from rich.table import Table

    from sanssouci.arena import Simulation, Summary

MOST_GAMES = 10**12
_STOPPED = 130
"""The exit status of a program that was stopped by hand."""


def simulate(
    games: Annotated[int, typer.Option(help="How many games.")] = 100,
    seats: Seats = None,
    edition: Edition = "ravensburger",
    expansions: Expansions = "",
    players: Players = "random",
    seed: SeedText = None,
    boards: Boards = "",
    records: Records = None,
    force: Force = False,
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Play many games between computer players and sum up the scores.

    The same seed gives the same games on any machine.

    Example: sanssouci simulate --games 1000 --seats 3 --expansions rewards --seed 1 --records out
    """
    from sanssouci.arena import Simulation, Summary

    speak(lang)
    if games < 1:
        raise Complaint("cli.no_games", games=games)
    if games > MOST_GAMES:
        raise Complaint("cli.too_many_games", most=MOST_GAMES)
    names = read_players(players, seats)
    variant, board_set = read_variant(len(names), edition, expansions, boards)
    simulation = Simulation(variant, board_set, names, read_seed(seed))
    if records is not None:
        open_folder(records, force)
    summary = Summary(variant.seats)
    stopped = _play_all(simulation, games, summary, records)
    if summary.games:
        _show(simulation, summary, json)
    if stopped:
        remark(sentence("cli.interrupted", done=summary.games, wanted=games))
        raise typer.Exit(_STOPPED)


def _play_all(simulation: "Simulation", games: int, summary: "Summary", records: Path | None) -> bool:
    """Play and record the games; True if a person stopped it. What was done is kept."""
    from sanssouci.notation import write_record
    from sanssouci.rules import Result

    try:
        with progress_bar() as bar:
            for number in bar.track(range(1, games + 1), description=sentence("simulate.progress")):
                game = simulation.play(number)
                if records is not None:
                    data = write_record(simulation.record(number, game))
                    write_new_file(records / f"game-{number:06}.json", data, force=True)
                summary.add(Result.of(game.state))
    except KeyboardInterrupt:
        return True
    return False


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
    remark(sentence("simulate.seed", seed=write_seed(simulation.seed)))


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
    scores = (f"{seat.lowest}, {seat.highest}" for seat in seats)
    table.add_row(sentence("simulate.range"), *scores, end_section=True)
    for part in PARTS:
        table.add_row(sentence(f"part.{part}"), *(f"{seat.parts[part] / seat.games:.1f}" for seat in seats))
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
