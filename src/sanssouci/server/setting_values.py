"""Parsers for the values of settings; each raises ``UserError`` for invalid text."""

import os
import re
from collections.abc import Callable
from ipaddress import ip_network
from pathlib import Path
from typing import TypeVar

from sanssouci.locale import UserError
from sanssouci.players import check_player

from .auth.tokens import Token
from .middleware.allowed_origins import site
from .middleware.proxy_headers import Network

T = TypeVar("T")
SHORTEST_SECRET = 16
_HOST = re.compile(r"[A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:.]{2,45}")


def number(least: int, most: int) -> Callable[[str], int]:
    """A parser for whole numbers in a range."""

    def read(text: str) -> int:
        if not re.fullmatch("[0-9]{1,12}", text) or not least <= int(text) <= most:
            raise UserError("settings.number", text=text, least=least, most=most)
        return int(text)

    return read


def choice(*known: str) -> Callable[[str], str]:
    """A parser for one of several words."""

    def read(text: str) -> str:
        if text not in known:
            raise UserError("settings.choice", text=text, known=", ".join(known))
        return text

    return read


def several(read: Callable[[str], T]) -> Callable[[str], tuple[T, ...]]:
    """A parser for a comma-separated list; duplicates are dropped."""
    return lambda text: tuple(dict.fromkeys(read(part.strip()) for part in text.split(",")))


def read_host(text: str) -> str:
    if not _HOST.fullmatch(text):
        raise UserError("settings.host", text=text)
    return text


def read_file_name(text: str) -> Path:
    """The path of a file that exists or can be created."""
    path = Path(os.path.expanduser(text))  # noqa: PTH111 - never raises
    if not text or "\0" in text or os.path.isdir(path):  # noqa: PTH112 - never raises
        raise UserError("settings.file", text=text)
    return path


def read_site(text: str) -> str:
    """The URL of a site without a path; a trailing slash is dropped."""
    found = site(text.removesuffix("/"))
    if found is None:
        raise UserError("settings.site", text=text)
    return found


def read_network(text: str) -> Network:
    try:
        return ip_network(text, strict=False)
    except ValueError:
        raise UserError("settings.network", text=text) from None


def read_player(text: str) -> str:
    """The name of an installed player."""
    check_player(text)
    return text


def read_secret(text: str) -> Token:
    """A secret chosen by the host; the error does not show it."""
    if len(text) < SHORTEST_SECRET or not re.fullmatch("[!-~]+", text):
        raise UserError("settings.secret", least=SHORTEST_SECRET)
    return Token(text)


def default_data() -> Path:
    """The default data file, in the user's state directory."""
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(os.path.expanduser(state)) / "sanssouci" / "tables.db"  # noqa: PTH111 - never raises


def spare_cores() -> int:
    """The number of usable cores, less one for the server itself."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores - 1)
