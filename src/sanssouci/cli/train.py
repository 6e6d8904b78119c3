"""``sanssouci train``: trains a value network by self-play."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sanssouci.locale import UserError, printable

from .game_options import Json, Threads, read_threads
from .language import Lang, sentence, set_language
from .output import STOPPED, err, out, print_json, print_notice

if TYPE_CHECKING:
    from rich.table import Table

    from sanssouci.learning.run import Run
    from sanssouci.network import Network

MOST_HIDDEN = 4096
_SEATS = {"2": (2,), "3": (3,), "4": (4,), "3,4": (3, 4), "2,3,4": (2, 3, 4)}


def train(
    folder: Annotated[
        Path, typer.Argument(help="The folder of the run: its checkpoint and its network.", metavar="DIR")
    ],
    seats: Annotated[str, typer.Option(help="The numbers of seats to learn: 2, or 3,4, or 2,3,4.")] = "2",
    seconds: Annotated[float, typer.Option(help="Training time of the whole run.")] = 3600,
    hidden: Annotated[int, typer.Option(help="Width of the hidden layer.")] = 1024,
    start: Annotated[
        Path | None,
        typer.Option(help="A finished network to begin with; it may be narrower.", metavar="FILE"),
    ] = None,
    device: Annotated[
        str,
        typer.Option(help="Where gradients are computed: cpu, cuda.", show_default="a GPU if there is one"),
    ] = "",
    threads: Threads = None,
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Train a value network by self-play, on all cores and a GPU if there is one.

    A checkpoint is written every two minutes. If stopped, the same command continues; with more --seconds a
    finished run goes on. Needs PyTorch: pip install 'sanssouci-game\\[learning]'. Playing does not.

    Example: sanssouci train build/two-seats --seats 2 --seconds 3600
    """
    set_language(lang)
    if seats not in _SEATS:
        raise UserError("train.bad_seats", text=seats)
    if not seconds > 0:
        raise UserError("train.bad_seconds", seconds=seconds)
    if hidden % 32 or not 32 <= hidden <= MOST_HIDDEN:
        raise UserError("train.bad_hidden", hidden=hidden, most=MOST_HIDDEN)
    # The thread that computes gradients needs a core too.
    crew = read_threads(threads) if threads else max(1, (os.cpu_count() or 2) - 1)
    try:
        from sanssouci.learning.run import Plan, Run
    except ImportError as error:
        if error.name != "torch":
            raise
        raise UserError("train.needs") from None
    begun_with = None if start is None else _read(start)
    plan = Plan(seats=_SEATS[seats], hidden=hidden, seconds=seconds)
    run = Run(plan, folder, device or None, crew, begun_with)
    if run.progress.seconds >= seconds:
        raise UserError("train.finished", seconds=round(run.progress.seconds))
    print_notice(
        sentence(
            "train.started",
            folder=printable(folder),
            seconds=round(run.progress.seconds),
            total=round(seconds),
            threads=crew,
            device=run.device,
        )
    )
    try:
        _train(run)
    except KeyboardInterrupt:
        raise typer.Exit(STOPPED) from None
    finally:
        if json:
            print_json(run.progress.curve)
        elif run.progress.curve:
            out().print(_table(run.progress.curve))
    path = run.write_network()
    print_notice(
        sentence("train.saved", path=printable(path), size=path.stat().st_size, games=run.progress.games)
    )


def _read(path: Path) -> "Network":
    from sanssouci.network import NetworkError, read_network

    try:
        return read_network(path.read_bytes(), path.name)
    except (OSError, ValueError, NetworkError):
        raise UserError("train.bad_start", path=path) from None


def _train(run: "Run") -> None:
    """Train to the end of the plan; on a terminal the table of strength grows as the network does."""
    from rich.live import Live

    if not err().is_terminal:
        run.train(lambda row: print_notice("  ".join(f"{name} {value}" for name, value in row.items())))
        return
    with Live(_table(run.progress.curve), console=err(), transient=True) as live:
        run.train(lambda row: live.update(_table(run.progress.curve)))


def _table(curve: list[dict[str, Any]]) -> "Table":
    """The last rows of a curve."""
    from rich.table import Table

    table = Table()
    for name in curve[-1] if curve else ():
        table.add_column(name, justify="right")
    for row in curve[-20:]:
        table.add_row(*(f"{value:,}" for value in row.values()))
    return table
