"""Players: given a view, they decide on a turn."""

from .bot import Bot
from .characters import LEVELS, about, character, display_name
from .external_engine import LIMIT, PREFIX, ExternalEngine, stop_engines
from .fallback import fallback_turn, greedy_points_turn
from .fault import PlayerFault, ask_pick, ask_turn
from .guard import Guard, UnavailablePlayer, check_side
from .player import Budget, Factory, Player
from .random import RandomPlayer
from .registry import (
    BrokenPlayer,
    UnknownPlayer,
    check_player,
    is_prepared,
    make_player,
    player_faults,
    player_names,
    prepare_player,
)

__all__ = [
    "LEVELS",
    "LIMIT",
    "PREFIX",
    "Bot",
    "BrokenPlayer",
    "Budget",
    "ExternalEngine",
    "Factory",
    "Guard",
    "Player",
    "PlayerFault",
    "RandomPlayer",
    "UnavailablePlayer",
    "UnknownPlayer",
    "about",
    "ask_pick",
    "ask_turn",
    "character",
    "check_player",
    "check_side",
    "display_name",
    "fallback_turn",
    "greedy_points_turn",
    "is_prepared",
    "make_player",
    "player_faults",
    "player_names",
    "prepare_player",
    "stop_engines",
]
