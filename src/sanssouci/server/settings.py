# ruff: noqa: RUF009 - every one of these calls makes a field
"""Settings of the server: one table, from which docs/hosting.md is made and the command line is checked.

Every setting has a name, ``max_message``, and a variable in the environment, ``SANSSOUCI_MAX_MESSAGE``. Those
that one types to try something out are options of ``sanssouci serve`` too, and then override the variable.
A variable that is empty counts as not set.
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
    """One line of the table."""

    name: str
    read: Callable[[str], object]
    kind: str
    """What one writes: NUMBER, FILE, URL ..."""
    help: str
    default: str
    """What holds if nothing is said, in words."""
    secret: bool = False

    @property
    def variable(self) -> str:
        """Its name in the environment."""
        return PREFIX + self.name.upper()

    @property
    def option(self) -> str | None:
        """Its name on the command line, if it has one."""
        return "--" + self.name.replace("_", "-") if self.name in OPTION_TEXTS else None


def _setting(
    default: Any, read: Callable[[str], object], kind: str, help_text: str, shown: str | None = None
) -> Any:
    """A field with its line of the table; a default that depends on the machine is a function."""
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
    """A setting that can be typed; what is said of it is what the command line says."""
    text = OPTION_TEXTS[name]
    return _setting(default, read, text.kind, text.help, text.default)


def _count(default: int, help_text: str, least: int = 1, most: int = 1_000_000) -> Any:
    return _setting(default, number(least, most), "NUMBER", help_text)


def _log_format() -> str:
    return "text" if sys.stderr.isatty() else "json"


def _log_level() -> str:
    """On a terminal somebody wants to see the address, not every request."""
    return "warning" if sys.stderr.isatty() else "info"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of a server."""

    host: str = _option("host", "127.0.0.1", read_host)
    port: int = _option("port", 8017, number(0, 65535))
    data: Path = _option("data", default_data, read_file_name)
    public_url: str | None = _option("public_url", None, read_site)
    trusted_proxies: tuple[Network, ...] = _setting(
        (),
        several(read_network),
        "LIST",
        "Addresses and networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.",
        "none",
    )
    origins: tuple[str, ...] = _setting(
        (), several(read_site), "LIST", "More sites at which players find the server.", "none"
    )
    players: tuple[str, ...] = _setting(
        own_player_names,
        several(read_player),
        "LIST",
        "The computer players that may be chosen.",
        "all that come with sanssouci",
    )
    workers: int = _setting(
        spare_cores,
        number(1, 1024),
        "NUMBER",
        "How many processes computer players think in.",
        "one for each processor but one",
    )
    player_seconds: int = _count(
        10,
        "Seconds after which a computer player that has not answered is stopped; greedy plays that turn.",
        1,
        3600,
    )
    tables_per_guest: int = _count(20, "How many unfinished tables a guest may have opened.")
    seats_per_guest: int = _count(60, "At how many unfinished tables a guest may sit.")
    reviews_per_guest: int = _count(50, "How many reviews of games are kept of a guest; the oldest give way.")
    review_rollouts: int = _count(
        8000, "Imagined games for each position of a review: more are surer, and take longer.", 16
    )
    watchers_per_table: int = _count(100, "How many may watch a table at the same time.", 0)
    sockets: int = _count(5000, "How many sockets may be open, of all guests together.")
    sockets_per_guest: int = _count(24, "How many sockets of one guest may be open.")
    connections_per_address: int = _count(
        256, "How many connections one address may have, sockets among them; trusted proxies any number."
    )
    rates: Rates = _setting(
        lambda: DEFAULT_RATES,
        read_rates,
        "RATES",
        "How often one guest may ask, like command=600/minute,join=1/second; the others stay as they are.",
        write_rates(DEFAULT_RATES),
    )
    address_factor: int = _count(ADDRESS_FACTOR, "How many guests' worth may be asked from one address.")
    max_message: int = _count(16384, "Bytes of the largest message or request.", 1024, MIB)
    max_import: int = _count(LARGEST, "Bytes of the largest record that is sent in.", 1024, 64 * MIB)
    outbox_messages: int = _count(
        128, "How many messages may wait for a slow reader before its socket is closed."
    )
    outbox_bytes: int = _count(MIB, "And how many bytes.", 1024, 1024 * MIB)
    store_queue: int = _count(4096, "How many writes may wait for the disk before more are refused.")
    worker_queue: int = _count(
        1024, "How many turns may wait for computer players before no more of them can be put on chairs."
    )
    log_level: str = _setting(
        _log_level,
        choice(*LEVELS),
        "LEVEL",
        "From which level on lines are logged: debug, info, warning or error.",
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
        "With this bearer token metrics can be read; without it on this machine, if no public URL is set.",
        "none",
    )


def _line(each: "Field[Any]") -> Setting:
    return Setting(each.name, secret=each.metadata["read"] is read_secret, **each.metadata)


SETTINGS: tuple[Setting, ...] = tuple(map(_line, fields(Settings)))
"""The table."""


def read_settings(
    typed: Mapping[str, str | None] | None = None, environ: Mapping[str, str] | None = None
) -> Settings:
    """What was typed, by the names of the settings, else the environment, else the defaults."""
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
    """The data file alone: whoever looks after it need not have the other settings right."""
    variable = PREFIX + "DATA"
    return read_settings({"data": typed}, {variable: environ.get(variable, "")}).data


def _read(setting: Setting, source: str, text: str) -> object:
    try:
        return setting.read(text)
    except UserError as user_error:
        raise UserError("settings.bad", source=source, reason=user_error) from None


def unknown_variables(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Variables that look like settings and are none: most likely misspelt."""
    known = {setting.variable for setting in SETTINGS}
    return tuple(sorted(name for name in environ if name.startswith(PREFIX) and name not in known))
