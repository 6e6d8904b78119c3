"""Those who decide: a view in, a turn out."""

from .player import PLAYERS, Player, UnknownPlayer, make_player
from .random import RandomPlayer

__all__ = ["PLAYERS", "Player", "RandomPlayer", "UnknownPlayer", "make_player"]
