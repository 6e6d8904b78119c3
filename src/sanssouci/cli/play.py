"""``sanssouci play``: for now, a game between computer players on the screen."""

import secrets
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .game_options import (
    Boards,
    Edition,
    Expansions,
    Force,
    Players,
    Seats,
    SeedText,
    read_players,
    read_seed,
    read_variant,
)
from .output import out, refuse_existing, remark, write_new_file

if TYPE_CHECKING:
    from sanssouci.rules import State, Turn

GAME = "on the screen"


def play(
    seats: Seats = None,
    edition: Edition = "ravensburger",
    expansions: Expansions = "",
    players: Players = "random",
    seed: SeedText = None,
    boards: Boards = "",
    pause: Annotated[float, typer.Option(min=0, max=60, help="Seconds between two turns.")] = 0.2,
    save: Annotated[Path | None, typer.Option(help="Write the record to a new file.", metavar="FILE")] = None,
    force: Force = False,
) -> None:
    """Watch a game between computer players: every turn, the gardens at the end, who won and why.

    The deal can be proved afterwards: sanssouci play --save game.json, then sanssouci verify --seed game.json
    """
    from sanssouci.arena import game_record, play_game
    from sanssouci.dealer import BulkGame, FairDealer, write_fair
    from sanssouci.notation import write_record
    from sanssouci.players import make_player

    from .drawing import gardens_drawing, score_table, turn_line

    names = read_players(players, seats)
    variant, board_set = read_variant(len(names), edition, expansions, boards)
    if save is not None:
        refuse_existing(save, force)
    chosen_seed = read_seed(seed)
    # A given seed is asked to repeat the game, so then the nonces and the players' streams follow from it.
    dealer = FairDealer(chosen_seed, GAME, nonces(variant.seats, repeatable=seed is not None))
    streams = BulkGame(chosen_seed, 0)
    seated = [make_player(name, streams.stream(seat)) for seat, name in enumerate(names)]
    labels = [f"{name.capitalize()} {seat}" for seat, name in enumerate(names, start=1)]
    remark(f"the dealer's commitment: {dealer.commitment}")

    def watch(turn: "Turn", state: "State") -> None:
        out().print(turn_line(turn, state, labels))
        if out().is_terminal:
            time.sleep(pause)

    game = play_game(variant, board_set, dealer, seated, watch)
    out().print(gardens_drawing(game.state, labels, edition))
    out().print(score_table(game.state, labels))
    if save is not None:
        entries = [{"name": label, "player": name} for label, name in zip(labels, names, strict=True)]
        write_new_file(save, write_record(game_record(game, entries, write_fair(dealer))), force)
        remark(f"the record is in {save}; prove it: sanssouci verify --seed {save}")


def nonces(seats: int, repeatable: bool) -> tuple[str, ...]:
    """What each seat adds to the shuffle; nothing, if the seed alone is to give the game again."""
    return tuple("" if repeatable else secrets.token_hex(16) for _ in range(seats))
