"""The game by network: HTTP and WebSocket."""

from .app import bare_app, make_app, make_services
from .serving import local_url, serve_until_stopped
from .settings import SETTINGS, Settings, read_settings, unknown_variables

__all__ = [
    "SETTINGS",
    "Settings",
    "bare_app",
    "local_url",
    "make_app",
    "make_services",
    "read_settings",
    "serve_until_stopped",
    "unknown_variables",
]
