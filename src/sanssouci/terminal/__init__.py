"""The game in a terminal, as drawings or plain text: playing, saving and replaying."""

from .console import PlayerConsole, QuitGame
from .game_loop import GameLoop
from .graph import share_strip
from .post_game import offer_review
from .replayer import Replayer
from .rule_page import rule_drawing, rules_page
from .savefile import AutoSave, default_folder, latest_game, read_game, write_game
from .session import PERSON, Seat, Session
from .text_wrap import WrappedText, fitted, spelled

__all__ = [
    "PERSON",
    "AutoSave",
    "GameLoop",
    "PlayerConsole",
    "QuitGame",
    "Replayer",
    "Seat",
    "Session",
    "WrappedText",
    "default_folder",
    "fitted",
    "latest_game",
    "offer_review",
    "read_game",
    "rule_drawing",
    "rules_page",
    "share_strip",
    "spelled",
    "write_game",
]
