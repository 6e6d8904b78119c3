"""A series of games from one seed."""

from dataclasses import dataclass

from sanssouci.dealer import BulkGame, Seed, write_bulk
from sanssouci.editions import BoardSet
from sanssouci.notation import Record
from sanssouci.players import make_player
from sanssouci.rules import Variant

from .game import Game, game_record, play_game


@dataclass(frozen=True, slots=True)
class Simulation:
    """Which games to play: game n is the same whenever and wherever it is played."""

    variant: Variant
    boards: BoardSet
    players: tuple[str, ...]
    """The player of each seat, in turn order."""
    seed: Seed

    def play(self, number: int) -> Game:
        """Game ``number``, counted from 1."""
        chance = BulkGame(self.seed, number)
        players = [make_player(name, chance.stream(seat)) for seat, name in enumerate(self.players)]
        return play_game(self.variant, self.boards, chance.dealer(), players)

    def record(self, number: int, game: Game) -> Record:
        """The record of game ``number``; it names the seed, so anyone can deal it again."""
        seats = [
            {"name": f"{name.capitalize()} {seat}", "player": name}
            for seat, name in enumerate(self.players, start=1)
        ]
        return game_record(game, seats, extra={"bulk": write_bulk(self.seed, number)})
