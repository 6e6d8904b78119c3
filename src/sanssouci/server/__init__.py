"""The game server: HTTP API, WebSockets and the browser game."""

from .app import bare_app, make_app, make_services
from .ops.audit import Fault, audit, check_export, check_guest_export, record_of
from .ops.exposure import is_loopback, lan_urls
from .ops.logs import configure_logs
from .run import local_url, pool_config, serve_until_stopped
from .settings import SETTINGS, Settings, data_setting, read_settings, unknown_variables

__all__ = [
    "SETTINGS",
    "Fault",
    "Settings",
    "audit",
    "bare_app",
    "check_export",
    "check_guest_export",
    "configure_logs",
    "data_setting",
    "is_loopback",
    "lan_urls",
    "local_url",
    "make_app",
    "make_services",
    "pool_config",
    "read_settings",
    "record_of",
    "serve_until_stopped",
    "unknown_variables",
]
