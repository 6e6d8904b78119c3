"""A series of games from one seed."""

from collections.abc import Callable, Generator
from dataclasses import dataclass

import numpy as np

from sanssouci.dealer import BulkGame, Seed, write_bulk
from sanssouci.editions import BoardSet
from sanssouci.kernel import (
    BOARD_FIELD,
    COMPILES,
    GARDENER_FIELD,
    NO_BOARD,
    PART_FIELDS,
    POLICIES,
    RESULT_FIELDS,
    WINNERS_FIELD,
    Box,
    Chunk,
    Ints,
    play_series,
)
from sanssouci.locale import UserError
from sanssouci.notation import Record
from sanssouci.players import PlayerFault, make_player
from sanssouci.rules import Result, Variant

from .game import Game, game_record, play_game


class GameFault(UserError):
    """A game that could not be finished: its number and the player's fault."""


Keeper = Callable[[int, Game], None]
"""Called with every game and its number."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """The settings of a series; game n is the same whenever and wherever it is played."""

    variant: Variant
    boards: BoardSet
    players: tuple[str, ...]
    """The player of each seat, in turn order."""
    seed: Seed

    @property
    def in_kernel(self) -> bool:
        """Whether the kernel can play it: it has only some of the players."""
        return COMPILES and all(player in POLICIES for player in self.players)

    def chunks(
        self, games: int, threads: int | None = None, keep: Keeper | None = None
    ) -> Generator[Chunk, None, None]:
        """The results of games 1 to ``games``, in chunks and in order.

        Compiled code plays them where it can. With ``keep`` they are played turn by turn through the rules,
        which comes to the same and gives whole games.
        """
        if self.in_kernel and keep is None:
            yield from play_series(Box.of(self.variant, self.boards), self.seed, self.players, games, threads)
            return
        for number in range(1, games + 1):
            game = self.play(number)
            if keep is not None:
                keep(number, game)
            yield Chunk(number, results_of(game))

    def play(self, number: int) -> Game:
        """Game ``number``, counted from 1, turn by turn through the rules; or ``GameFault``."""
        chance = BulkGame(self.seed, number)
        players = [make_player(name, chance.stream(seat)) for seat, name in enumerate(self.players)]
        try:
            return play_game(self.variant, self.boards, chance.dealer(), players)
        except PlayerFault as fault:
            seat = fault.details["seat"]
            assert isinstance(seat, int)
            raise GameFault(
                "simulate.fault", player=self.players[seat - 1], game=number, fault=fault
            ) from fault

    def record(self, number: int, game: Game) -> Record:
        """The record of game ``number``; it names the seed, so anyone can deal it again."""
        seats = [
            {"name": f"{name.capitalize()} {seat}", "player": name}
            for seat, name in enumerate(self.players, start=1)
        ]
        return game_record(game, seats, extra={"bulk": write_bulk(self.seed, number)})


def results_of(game: Game) -> Ints:
    """``[1, 4, RESULT_FIELDS]``: the result of one game in the layout of the kernel."""
    told = np.zeros((1, 4, RESULT_FIELDS), np.int64)
    result, boards = Result.of(game.state), game.dealt_boards
    for seat, score in enumerate(result.scores):
        told[0, seat, :PART_FIELDS] = list(score.parts().values())
        told[0, seat, GARDENER_FIELD] = result.gardeners[seat]
        told[0, seat, WINNERS_FIELD] = len(result.winners) if seat in result.winners else 0
        rewards = (
            (boards.rewards[seat], boards.reward_sides[seat]) if boards.rewards else (NO_BOARD, NO_BOARD)
        )
        told[0, seat, BOARD_FIELD:] = boards.gardens[seat], boards.garden_sides[seat], *rewards
    return told
