"""The options shared by all commands that start a game."""

from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from sanssouci.locale import UserError

T = TypeVar("T")

MAX_GAMES = 10**12
MAX_THREADS = 1024

if TYPE_CHECKING:
    from sanssouci.dealer import Seed
    from sanssouci.editions import BoardSet
    from sanssouci.rules import Variant

Seats = Annotated[
    int | None,
    typer.Option(help="Number of seats, 2 to 4.", show_default="2, or the number of players listed"),
]
Edition = Annotated[str, typer.Option(help="ravensburger or imperial.")]
Expansions = Annotated[str, typer.Option(help="rewards, wild_boar, or both separated by a comma.")]
BOARDS_HELP = "The name of a set of boards (sanssouci boards list), or your own file."
Boards = Annotated[
    str, typer.Option(help=BOARDS_HELP, show_default="the edition's own set", metavar="NAME|FILE")
]
SeedText = Annotated[
    str | None,
    typer.Option("--seed", help="An integer or 64 hex digits.", show_default="random; printed"),
]
Players = Annotated[
    str, typer.Option(help="The player of each seat, separated by commas; a single name fills all seats.")
]
Threads = Annotated[
    int | None, typer.Option(help="Number of threads.", show_default="one for each processor")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document to standard output.")]
Force = Annotated[bool, typer.Option("--force", help="Replace existing files.")]


def one_of(option: str, value: str, known: tuple[str, ...]) -> str:
    """``UserError`` if the value is not a known one."""
    if value not in known:
        raise UserError("cli.bad_choice", option=option, value=value, known=", ".join(known))
    return value


def read_variant(seats: int, edition: str, expansions: str, boards: str) -> "tuple[Variant, BoardSet]":
    """The variant and the boards that the options describe."""
    from sanssouci.editions import check_boards, load_edition
    from sanssouci.rules import EDITIONS, EXPANSIONS, REWARDS, WILD_BOAR, Refused, Variant, variant_refusal

    one_of("--edition", edition, EDITIONS)
    names = [
        one_of("--expansions", name.strip(), EXPANSIONS) for name in expansions.split(",") if name.strip()
    ]
    board_set = named_boards(boards) if boards else load_edition(edition).boards
    variant = Variant(seats, edition, REWARDS in names, WILD_BOAR in names, board_set.deck)
    refusal = variant_refusal(variant)
    if refusal is not None:
        raise Refused(refusal)
    check_boards(board_set, variant)
    return variant, board_set


def named_boards(name: str) -> "BoardSet":
    """A set of boards by name or file; errors in a file include its name."""
    from sanssouci.editions import BoardsError, find_boards

    try:
        return find_boards(name)
    except BoardsError as error:
        raise UserError("cli.in_file", path=name, sentence=error) from None


def read_players(players: str, seats: int | None, also: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The player of each seat; ``also`` lists accepted names that are not computer players."""
    from sanssouci.players import check_player

    names = tuple(name.strip() for name in players.split(","))
    for name in names:
        check_player(name, also)
    return for_all_seats(names, seats)


def for_all_seats(players: tuple[T, ...], seats: int | None) -> tuple[T, ...]:
    """A player for each seat; a single one takes all seats."""
    if len(players) == 1:
        return players * (2 if seats is None else max(seats, 1))
    if seats is not None and seats != len(players):
        raise UserError("cli.players_seats", players=len(players), seats=seats)
    return players


def read_games(games: int) -> int:
    if games < 1:
        raise UserError("cli.no_games", games=games)
    if games > MAX_GAMES:
        raise UserError("cli.too_many_games", most=MAX_GAMES)
    return games


def read_threads(threads: int | None) -> int | None:
    """The number of threads, or None for one per processor."""
    if threads is not None and not 1 <= threads <= MAX_THREADS:
        raise UserError("cli.bad_threads", threads=threads, most=MAX_THREADS)
    return threads


def read_seed(text: str | None) -> "Seed":
    """The given seed, or a new one."""
    from sanssouci.dealer import new_seed, parse_seed

    return new_seed() if text is None else parse_seed(text)
