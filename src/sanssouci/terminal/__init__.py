"""The game in a terminal: drawn or told, played, kept and replayed."""

from .desk import Desk, Leave
from .graph import share_strip
from .host import Host
from .prose import Prose, fitted, spelled
from .replayer import Replayer
from .retrospect import offer_review
from .rule_page import rule_drawing, rules_page
from .savefile import Keeper, default_folder, latest_game, read_game, write_game
from .session import PERSON, Seat, Session

__all__ = [
    "PERSON",
    "Desk",
    "Host",
    "Keeper",
    "Leave",
    "Prose",
    "Replayer",
    "Seat",
    "Session",
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
