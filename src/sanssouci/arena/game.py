"""One whole game between players."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sanssouci.dealer import Dealer, DealtBoards, prepare, write_boards_dealt
from sanssouci.editions import BoardSet
from sanssouci.notation import Record, RecordFairJson, write_result, write_turn
from sanssouci.players import Player, ask_pick, ask_turn, check_side
from sanssouci.rules import Deal, Result, SetupView, State, Turn, Variant

Watcher = Callable[[Turn, State], None]
"""Called with every turn and the state after it."""


@dataclass(frozen=True, slots=True)
class Game:
    """A finished game: the deal, the turns, the final state."""

    deal: Deal
    dealt_boards: DealtBoards
    turns: tuple[Turn, ...]
    state: State


def play_game(
    variant: Variant,
    boards: BoardSet,
    dealer: Dealer,
    players: Sequence[Player],
    watcher: Watcher | None = None,
) -> Game:
    """Play a game from the first pick to the last turn; ``PlayerFault`` if a player cannot go on."""
    if len(players) != variant.seats:
        raise ValueError(f"{len(players)} players cannot sit at {variant.seats} seats")
    deal, dealt_boards = prepare(variant, boards, dealer, lambda seat, view: _side(players[seat], view))
    state = deal.start()
    turns: list[Turn] = []
    while not state.over:
        turn, state = _play(players[state.to_move], state, deal)
        turns.append(turn)
        if watcher is not None:
            watcher(turn, state)
    return Game(deal, dealt_boards, tuple(turns), state)


def _side(player: Player, view: SetupView) -> int:
    return ask_pick(player, view, lambda side: check_side(view, side))


def _play(player: Player, state: State, deal: Deal) -> tuple[Turn, State]:
    chance = deal.chance(state.turn)
    return ask_turn(player, state.view(state.to_move), lambda turn: (turn, state.play(turn, chance)))


def game_record(
    game: Game,
    seats: Sequence[Mapping[str, Any]],
    fair: RecordFairJson | None = None,
    extra: Mapping[str, Any] | None = None,
) -> Record:
    """The record of a finished game."""
    if len(seats) != game.deal.variant.seats:
        raise ValueError(f"{len(seats)} entries do not describe {game.deal.variant.seats} seats")
    return Record(
        game.deal,
        tuple(seats),
        tuple(map(write_turn, game.turns)),
        write_result(Result.of(game.state)),
        fair,
        write_boards_dealt(game.dealt_boards),
        dict(extra or {}),
    )
