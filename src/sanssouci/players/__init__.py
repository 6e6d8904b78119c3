"""Those who decide: a view in, a turn out."""

from .fault import PlayerFault, ask_pick, ask_turn
from .player import Budget, Factory, Player
from .random import RandomPlayer
from .registry import (
    BrokenPlayer,
    UnknownPlayer,
    check_player,
    is_prepared,
    make_player,
    player_names,
    prepare_player,
)

__all__ = [
    "BrokenPlayer",
    "Budget",
    "Factory",
    "Player",
    "PlayerFault",
    "RandomPlayer",
    "UnknownPlayer",
    "ask_pick",
    "ask_turn",
    "check_player",
    "is_prepared",
    "make_player",
    "player_names",
    "prepare_player",
]
