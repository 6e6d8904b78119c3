"""Those who decide: a view in, a turn out."""

from .bot import Bot
from .character import LEVELS, about, calling, character
from .fallback import eager_turn, fallback_turn
from .fault import PlayerFault, ask_pick, ask_turn
from .guard import Absent, Guard, check_side
from .player import Budget, Factory, Player
from .program import LIMIT, PREFIX, Program, dismiss_programs
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
    "LEVELS",
    "LIMIT",
    "PREFIX",
    "Absent",
    "Bot",
    "BrokenPlayer",
    "Budget",
    "Factory",
    "Guard",
    "Player",
    "PlayerFault",
    "Program",
    "RandomPlayer",
    "UnknownPlayer",
    "about",
    "ask_pick",
    "ask_turn",
    "calling",
    "character",
    "check_player",
    "check_side",
    "dismiss_programs",
    "eager_turn",
    "fallback_turn",
    "is_prepared",
    "make_player",
    "player_names",
    "prepare_player",
]
