"""Those who decide: a view in, a turn out."""

from .player import PLAYERS, Player, UnknownPlayer, check_player, make_player
from .random import RandomPlayer

__all__ = ["PLAYERS", "Player", "RandomPlayer", "UnknownPlayer", "check_player", "make_player"]
