"""Where the games of ``simulate``, ``arena``, ``strength``, ``boards balance`` and ``train`` are played."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from .arena_options import read_workers
from .language import sentence
from .output import err
from .precompile import precompile_kernel, precompile_players

if TYPE_CHECKING:
    from sanssouci.arena import Executor, Portion, Series, Totals

T = TypeVar("T", bound="Totals")

On = Annotated[
    str | None,
    typer.Option(
        "--on",
        help="Play on a Ray cluster: ray starts one on this machine, ray://HOST:PORT uses a running one.",
        metavar="ADDRESS",
        show_default="this machine, without Ray",
    ),
]


@contextmanager
def open_cluster(on: str | None, processors: int | None) -> "Iterator[Executor | None]":
    """The cluster that was asked for, if any."""
    if on is None:
        yield None
        return
    from sanssouci.arena.ray_executor import RayExecutor

    with err().status(sentence("ray.connecting")):
        executor = RayExecutor(on, processors)
    with executor:
        yield executor


@contextmanager
def open_executor(on: str | None, workers: int | None) -> "Iterator[Executor]":
    """The cluster that was asked for, otherwise worker processes of this machine."""
    from sanssouci.arena import ProcessPool

    pool = ProcessPool(read_workers(workers))
    with open_cluster(on, workers) as cluster:
        yield cluster or pool


def play_series(
    series: "Series[T]", cluster: "Executor | None", threads: int | None
) -> "Generator[Portion[T], None, None]":
    """Play a series on a cluster, or in this process after compiling what it needs."""
    if cluster is not None:
        return series.play_on(cluster)
    if series.compiled:
        precompile_kernel("series")
    else:
        precompile_players(series.simulation.players)
    return series.play(threads)
