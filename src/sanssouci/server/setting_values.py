"""Readings: what the text of a setting means, or ``UserError`` if it means nothing."""

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
    """Reads a whole number between two others."""

    def read(text: str) -> int:
        if not re.fullmatch("[0-9]{1,12}", text) or not least <= int(text) <= most:
            raise UserError("settings.number", text=text, least=least, most=most)
        return int(text)

    return read


def choice(*known: str) -> Callable[[str], str]:
    """Reads one word of a few."""

    def read(text: str) -> str:
        if text not in known:
            raise UserError("settings.choice", text=text, known=", ".join(known))
        return text

    return read


def several(read: Callable[[str], T]) -> Callable[[str], tuple[T, ...]]:
    """Reads a list with commas between; what is named twice counts once."""
    return lambda text: tuple(dict.fromkeys(read(part.strip()) for part in text.split(",")))


def read_host(text: str) -> str:
    """A host name or an address."""
    if not _HOST.fullmatch(text):
        raise UserError("settings.host", text=text)
    return text


def read_file_name(text: str) -> Path:
    """The path of a file that is there or can be made."""
    path = Path(os.path.expanduser(text))  # noqa: PTH111 - never raises
    if not text or "\0" in text or os.path.isdir(path):  # noqa: PTH112 - never raises
        raise UserError("settings.file", text=text)
    return path


def read_site(text: str) -> str:
    """The address of a site, without path; a slash at its end does not count."""
    found = site(text.removesuffix("/"))
    if found is None:
        raise UserError("settings.site", text=text)
    return found


def read_network(text: str) -> Network:
    """An address, or a network of them."""
    try:
        return ip_network(text, strict=False)
    except ValueError:
        raise UserError("settings.network", text=text) from None


def read_player(text: str) -> str:
    """The name of a player that is installed."""
    check_player(text)
    return text


def read_secret(text: str) -> Token:
    """A secret that the host has made up; a user error does not show it."""
    if len(text) < SHORTEST_SECRET or not re.fullmatch("[!-~]+", text):
        raise UserError("settings.secret", least=SHORTEST_SECRET)
    return Token(text)


def default_data() -> Path:
    """Where tables are kept if nothing else is said: the user's folder for what programs remember."""
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(os.path.expanduser(state)) / "sanssouci" / "tables.db"  # noqa: PTH111 - never raises


def spare_cores() -> int:
    """All processors that this process may use but one, which the server itself needs."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores - 1)
