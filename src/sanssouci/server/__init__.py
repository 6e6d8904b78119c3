"""The game by network: HTTP and WebSocket, their edge, and computer players in processes of their own."""

from .answer import Answer
from .app import bare_app, make_app, make_services
from .employment import Employment
from .hint_answer import Expectation, HintAnswer, squares_of
from .serving import local_url, serve_until_stopped
from .settings import SETTINGS, Settings, read_settings, unknown_variables
from .workforce import Progress, Statistics, Workforce

__all__ = [
    "SETTINGS",
    "Answer",
    "Employment",
    "Expectation",
    "HintAnswer",
    "Progress",
    "Settings",
    "Statistics",
    "Workforce",
    "bare_app",
    "local_url",
    "make_app",
    "make_services",
    "read_settings",
    "serve_until_stopped",
    "squares_of",
    "unknown_variables",
]
