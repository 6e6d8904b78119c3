# ruff: noqa: RUF009 - every one of these calls makes a field
"""Settings of the server, declared once; docs/hosting.md and the command line are generated from them.

Every setting has a name, such as ``max_message``, and an environment variable, ``SANSSOUCI_MAX_MESSAGE``.
Some are also options of ``sanssouci serve``, which override the variable. An empty variable counts as unset.
"""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any

from sanssouci.locale import OPTION_TEXTS, UserError
from sanssouci.notation import LARGEST
from sanssouci.players.registry import own_player_names

from .auth.tokens import Token
from .limits.rate_limits import ADDRESS_FACTOR, DEFAULT_RATES, Rates, read_rates, write_rates
from .middleware.proxy_headers import Network
from .ops.logs import FORMATS, LEVELS
from .setting_values import (
    choice,
    default_data,
    number,
    read_file_name,
    read_host,
    read_network,
    read_player,
    read_secret,
    read_site,
    several,
    spare_cores,
)

PREFIX = "SANSSOUCI_"
MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Setting:
    """The declaration of a setting."""

    name: str
    read: Callable[[str], object]
    kind: str
    """The placeholder for its value: NUMBER, FILE, URL and so on."""
    help: str
    default: str
    """The default value in words."""
    secret: bool = False

    @property
    def variable(self) -> str:
        return PREFIX + self.name.upper()

    @property
    def option(self) -> str | None:
        """The command-line option, if there is one."""
        return "--" + self.name.replace("_", "-") if self.name in OPTION_TEXTS else None


def _setting(
    default: Any, read: Callable[[str], object], kind: str, help_text: str, shown: str | None = None
) -> Any:
    """A field with its declaration; ``default`` is a function if it depends on the machine."""
    line = {
        "read": read,
        "kind": kind,
        "help": help_text,
        "default": str(default) if shown is None else shown,
    }
    if callable(default):
        return field(default_factory=default, metadata=line)
    return field(default=default, metadata=line)


def _option(name: str, default: Any, read: Callable[[str], object]) -> Any:
    """A setting that is also a command-line option, with the option's help text."""
    text = OPTION_TEXTS[name]
    return _setting(default, read, text.kind, text.help, text.default)


def _count(default: int, help_text: str, least: int = 1, most: int = 1_000_000) -> Any:
    return _setting(default, number(least, most), "NUMBER", help_text)


def _log_format() -> str:
    return "text" if sys.stderr.isatty() else "json"


def _log_level() -> str:
    """On a terminal people want to see the URL, not every request."""
    return "warning" if sys.stderr.isatty() else "info"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    host: str = _option("host", "127.0.0.1", read_host)
    port: int = _option("port", 8017, number(0, 65535))
    data: Path = _option("data", default_data, read_file_name)
    public_url: str | None = _option("public_url", None, read_site)
    trusted_proxies: tuple[Network, ...] = _setting(
        (),
        several(read_network),
        "LIST",
        "Addresses and networks of trusted proxies, whose X-Forwarded-For and X-Forwarded-Proto are used.",
        "none",
    )
    origins: tuple[str, ...] = _setting(
        (), several(read_site), "LIST", "Other public sites of this server.", "none"
    )
    players: tuple[str, ...] = _setting(
        own_player_names,
        several(read_player),
        "LIST",
        "The available computer players.",
        "all built-in players",
    )
    workers: int = _setting(
        spare_cores,
        number(1, 1024),
        "NUMBER",
        "Worker processes for computer players.",
        "one per core, less one",
    )
    player_seconds: int = _count(
        10,
        "Seconds until a computer player that has not moved is stopped; greedy plays that turn.",
        1,
        3600,
    )
    tables_per_guest: int = _count(20, "Unfinished tables a guest may own.")
    seats_per_guest: int = _count(60, "Unfinished tables at which a guest may sit.")
    reviews_per_guest: int = _count(50, "Game reviews kept per guest; the oldest are deleted.")
    review_rollouts: int = _count(
        8000, "Simulated games per position of a review; more are more accurate and take longer.", 16
    )
    watchers_per_table: int = _count(100, "Spectators a table may have at the same time.", 0)
    sockets: int = _count(5000, "Open sockets, of all guests together.")
    sockets_per_guest: int = _count(24, "Open sockets per guest.")
    connections_per_address: int = _count(
        256, "Open connections per address, including sockets; trusted proxies have no limit."
    )
    rates: Rates = _setting(
        lambda: DEFAULT_RATES,
        read_rates,
        "RATES",
        "Rate limits per guest, such as command=600/minute,join=1/second; others keep their defaults.",
        write_rates(DEFAULT_RATES),
    )
    address_factor: int = _count(ADDRESS_FACTOR, "Rate limits per address, as a multiple of those per guest.")
    max_message: int = _count(16384, "Maximum size of a message or request, in bytes.", 1024, MIB)
    max_import: int = _count(LARGEST, "Maximum size of an uploaded record, in bytes.", 1024, 64 * MIB)
    outbox_messages: int = _count(128, "Messages queued for a slow client before its socket is closed.")
    outbox_bytes: int = _count(
        MIB, "Bytes queued for a slow client before its socket is closed.", 1024, 1024 * MIB
    )
    store_queue: int = _count(4096, "Writes queued for the disk before more are refused.")
    worker_queue: int = _count(
        1024, "Turns queued for computer players before no more of them can be seated."
    )
    log_level: str = _setting(
        _log_level,
        choice(*LEVELS),
        "LEVEL",
        "Minimum log level: debug, info, warning or error.",
        "warning on a terminal, else info",
    )
    log_format: str = _setting(
        _log_format,
        choice(*FORMATS),
        "FORMAT",
        "json for programs, text for people.",
        "text on a terminal, else json",
    )
    metrics_token: Token | None = _setting(
        None,
        read_secret,
        "SECRET",
        "Bearer token for reading metrics; without it, only from this machine and if no public URL is set.",
        "none",
    )


def _line(each: "Field[Any]") -> Setting:
    return Setting(each.name, secret=each.metadata["read"] is read_secret, **each.metadata)


SETTINGS: tuple[Setting, ...] = tuple(map(_line, fields(Settings)))


def read_settings(
    typed: Mapping[str, str | None] | None = None, environ: Mapping[str, str] | None = None
) -> Settings:
    """Settings from the command line (``typed``), else the environment, else the defaults."""
    typed = typed or {}
    environ = os.environ if environ is None else environ
    values: dict[str, Any] = {}
    for setting in SETTINGS:
        if (text := typed.get(setting.name)) is not None:
            values[setting.name] = _read(setting, setting.option or setting.name, text)
        elif text := environ.get(setting.variable):
            values[setting.name] = _read(setting, setting.variable, text)
    return Settings(**values)


def data_setting(typed: str | None, environ: Mapping[str, str]) -> Path:
    """The data file alone, so admin commands work even if other settings are invalid."""
    variable = PREFIX + "DATA"
    return read_settings({"data": typed}, {variable: environ.get(variable, "")}).data


def _read(setting: Setting, source: str, text: str) -> object:
    try:
        return setting.read(text)
    except UserError as user_error:
        raise UserError("settings.bad", source=source, reason=user_error) from None


def unknown_variables(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Variables with the prefix that are not settings: probably misspelt."""
    known = {setting.variable for setting in SETTINGS}
    return tuple(sorted(name for name in environ if name.startswith(PREFIX) and name not in known))
