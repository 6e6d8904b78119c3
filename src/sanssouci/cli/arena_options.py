"""Parses and checks the options of ``sanssouci arena``."""

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sanssouci.locale import UserError

from .game_options import BOARDS_HELP, read_games
from .player_options import read_typed

if TYPE_CHECKING:
    from sanssouci.arena import Match, Sprt
    from sanssouci.players import Budget, ExternalEngine

WIDEST = 1000
"""Elo points; a larger difference needs no test."""

Field = Annotated[
    str,
    typer.Option(
        "--players",
        help='The players, two or more, separated by commas; cmd:"…" is a program.',
        show_default="none",
    ),
]
SeatCount = Annotated[
    int | None,
    typer.Option(
        "--seats",
        help="Number of seats, 2 to 4.",
        show_default="2, or the length of the list if a player is named twice",
    ),
]
ReferenceBoards = Annotated[str, typer.Option("--boards", help=BOARDS_HELP, metavar="NAME|FILE")]
"""Not the edition's own set: arena results stay comparable if that changes."""
Time = Annotated[
    float | None, typer.Option(help="Seconds per turn for each player.", show_default="no limit")
]
Rollouts = Annotated[
    int | None, typer.Option(help="Rollouts per turn for each player.", show_default="no limit")
]
SprtText = Annotated[
    str,
    typer.Option(
        "--sprt",
        help="Stop as soon as a sequential test decides between two Elo differences.",
        metavar="ELO0,ELO1",
    ),
]
Resume = Annotated[
    Path | None,
    typer.Option(
        help="A journal of the games: continue it, or start a new one.", metavar="FILE", readable=False
    ),
]
Page = Annotated[
    Path | None,
    typer.Option("--html", help="Write the results as a page with charts.", metavar="FILE", readable=False),
]
Workers = Annotated[
    int | None, typer.Option(help="Number of worker processes.", show_default="one for each processor")
]
GameCount = Annotated[int, typer.Option("--games", help="Number of games; only whole deals are played.")]


def read_field(
    players: str, limit: float, seats: int | None
) -> "tuple[tuple[str | ExternalEngine, ...], tuple[int, ...]]":
    """The players of an arena, two or more, and how many seats each takes.

    That is fixed only where a name is repeated; then the list is the whole table.
    """
    from sanssouci.arena import MOST_PLAYERS

    typed = read_typed(players, limit) if players else ()
    names = tuple(dict.fromkeys(typed))
    places = tuple(typed.count(name) for name in names)
    if len(names) < 2:
        raise UserError("arena.few_players")
    if len(names) > MOST_PLAYERS:
        raise UserError("arena.many_players", most=MOST_PLAYERS)
    if len(names) == len(typed):
        return names, ()
    if seats is not None and len(typed) != seats:
        raise UserError("arena.player_twice", name=names[places.index(max(places))], seats=seats)
    return names, places


def read_deals(games: int, match: "Match") -> int:
    """The number of deals for a number of games, rounded up: a deal is played in every seating."""
    return -(-read_games(games) // len(match.seatings))


def read_budget(time: float | None, rollouts: int | None) -> "Budget":
    """The budget of a player for a turn."""
    from sanssouci.players import Budget

    if time is not None and rollouts is not None:
        raise UserError("arena.two_budgets")
    if time is not None and not 0 < time < math.inf:
        raise UserError("arena.bad_time", time=time)
    if rollouts is not None and rollouts < 1:
        raise UserError("arena.bad_rollouts", rollouts=rollouts)
    return Budget(time, rollouts)


def read_sprt(text: str, names: "tuple[str | ExternalEngine, ...]") -> "Sprt | None":
    """The requested sequential test, if any."""
    from sanssouci.arena import Sprt

    if not text:
        return None
    if len(names) != 2:
        raise UserError("arena.sprt_players", players=len(names))
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        elo0 = elo1 = math.nan
    if not -WIDEST <= elo0 < elo1 <= WIDEST:
        raise UserError("arena.bad_sprt", text=text, widest=WIDEST)
    return Sprt(elo0, elo1)


def read_workers(workers: int | None) -> int:
    from sanssouci.arena import MOST_WORKERS

    if workers is None:
        return min(_processors(), MOST_WORKERS)
    if not 1 <= workers <= MOST_WORKERS:
        raise UserError("arena.bad_workers", workers=workers, most=MOST_WORKERS)
    return workers


def _processors() -> int:
    """The processors that this process may use, if the system can tell."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
