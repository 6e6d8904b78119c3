"""``sanssouci train``: trains a value network by self-play."""

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sanssouci.locale import UserError, printable

from .executor_options import On, open_cluster
from .game_options import Json, read_threads
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
    against: Annotated[
        Path | None,
        typer.Option(
            help="A network that stays as it is and plays the other seats: learn only to beat it.",
            metavar="FILE",
        ),
    ] = None,
    rate: Annotated[float, typer.Option(help="Learning rate at the start; it falls with time.")] = 5e-4,
    noise: Annotated[
        str, typer.Option(help="Noise on the choice of turns in points, at the start and at the end.")
    ] = "0.3,0.15",
    random_turns: Annotated[
        str, typer.Option(help="Share of random turns, at the start and at the end.")
    ] = "0.023,0.003",
    reuse: Annotated[float, typer.Option(help="How often a position is trained on, on average.")] = 16,
    seed: Annotated[int, typer.Option(help="Seed of the games.", min=0)] = 1,
    device: Annotated[
        str,
        typer.Option(help="Where gradients are computed: cpu, cuda.", show_default="a GPU if there is one"),
    ] = "",
    threads: Annotated[
        int | None,
        typer.Option(help="Threads that play.", show_default="one fewer than there are processors"),
    ] = None,
    on: On = None,
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Train a value network by self-play, on all cores and a GPU if there is one.

    A checkpoint is written every two minutes. If stopped, the same command continues; with more --seconds a
    finished run goes on. Needs PyTorch: pip install 'sanssouci-game\\[learning]'. Playing does not,
    and neither do the nodes of a cluster.

    Example: sanssouci train build/two-seats --seats 2 --seconds 3600
    """
    set_language(lang)
    if seats not in _SEATS:
        raise UserError("train.bad_seats", text=seats)
    if not seconds > 0:
        raise UserError("train.bad_seconds", seconds=seconds)
    if hidden % 32 or not 32 <= hidden <= MOST_HIDDEN:
        raise UserError("train.bad_hidden", hidden=hidden, most=MOST_HIDDEN)
    for option, number in (("rate", rate), ("reuse", reuse)):
        if not 0 < number < math.inf:
            raise UserError("train.bad_setting", option=option, text=number, example="0.5")
    noises, shares = _read_pair("noise", noise), _read_pair("random-turns", random_turns, most=1)
    # The thread that computes gradients needs a core too.
    crew = read_threads(threads) if threads else max(1, (os.cpu_count() or 2) - 1)
    try:
        from sanssouci.learning.run import Plan, Run
    except ImportError as error:
        if error.name != "torch":
            raise
        raise UserError("train.needs") from None
    begun_with = None if start is None else _read(start, "start")
    opponent = None if against is None else _read(against, "against")
    plan = Plan(
        seats=_SEATS[seats],
        hidden=hidden,
        seconds=seconds,
        rate=rate,
        noise=noises,
        blunders=shares,
        reuse=reuse,
        seed=seed,
    )
    with open_cluster(on, threads) as cluster:
        run = Run(plan, folder, device or None, crew, begun_with, opponent, cluster)
        if run.progress.seconds >= seconds:
            raise UserError("train.finished", seconds=round(run.progress.seconds))
        print_notice(
            sentence(
                "train.started" if cluster is None else "train.started_on",
                folder=printable(folder),
                seconds=round(run.progress.seconds),
                total=round(seconds),
                threads=crew,
                device=run.device,
                address=on,
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


def _read_pair(option: str, text: str, most: float = math.inf) -> tuple[float, float]:
    """Two numbers from 0 to ``most``: for the start and for the end of a run."""
    try:
        first, last = map(float, text.split(","))
    except ValueError:
        first = last = math.nan
    if not (0 <= first <= most and 0 <= last <= most and first + last < math.inf):
        raise UserError("train.bad_setting", option=option, text=text, example="0.2,0.1")
    return first, last


def _read(path: Path, option: str) -> "Network":
    from sanssouci.network import NetworkError, read_network

    try:
        return read_network(path.read_bytes(), path.name)
    except (OSError, ValueError, NetworkError):
        raise UserError("train.bad_network", option=option, path=path) from None


def _train(run: "Run") -> None:
    """Train to the end of the plan; on a terminal the table of strength grows as the network does."""
    from rich.live import Live

    if not err().is_terminal:
        run.train(lambda row: print_notice("  ".join(f"{name} {value}" for name, value in row.items())))
        return
    with Live(_table(run.progress.curve), console=err(), transient=True) as live:
        run.train(lambda row: live.update(_table(run.progress.curve)))


def _table(curve: list[dict[str, Any]]) -> "Table":
    """The last rows of a curve: the share of wins and the margin of every contest."""
    from rich.table import Table

    table = Table()
    names = curve[-1] if curve else ()
    contests = [name.removeprefix("wins ") for name in names if name.startswith("wins ")]
    for key in ("train.column_seconds", "train.column_games", "train.column_steps", "train.column_own"):
        table.add_column(sentence(key), justify="right")
    for name in contests:
        seats, _, both = name.partition(" ")
        table.add_column(sentence("train.column_both" if both else "train.column_contest", seats=seats))
    for row in curve[-20:]:
        results = ((row[f"{kind} {name}"] for kind in ("wins", "margin", "error")) for name in contests)
        table.add_row(
            *(f"{row[name]:,}" for name in ("seconds", "games", "steps")),
            f"{row['own']:.2f}",
            *(f"{wins:.1%} {margin:+.1f}\u00a0±\u00a0{error:.1f}" for wins, margin, error in results),
        )
    return table
