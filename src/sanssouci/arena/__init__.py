"""Many games: playing them, recording them, counting what came of them."""

from .game import Game, game_record, play_game
from .simulation import Simulation
from .summary import SeatSummary, Summary

__all__ = ["Game", "SeatSummary", "Simulation", "Summary", "game_record", "play_game"]
