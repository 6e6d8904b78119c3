"""Settings of the server, declared once: name, default, check and help text.

``sanssouci serve --help`` takes its texts from the same place (``locale.OPTION_TEXTS``). The table in
docs/hosting.md repeats the declarations: a test compares both, and
``python -m tests.server.test_hosting_docs`` rewrites the table.

Every setting has a name, such as ``max_message``, and an environment variable, ``SANSSOUCI_MAX_MESSAGE``.
Some are also options of ``sanssouci serve``, which override the variable. An empty variable counts as unset.
"""

import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from ipaddress import ip_network
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, make_url
from sqlalchemy.exc import SQLAlchemyError

from sanssouci.locale import OPTION_TEXTS, UserError
from sanssouci.notation import LARGEST
from sanssouci.players import check_player
from sanssouci.players.registry import own_player_names

from .auth.tokens import Token
from .middleware.client_info import Network
from .middleware.origin_check import site
from .ops.logs import FORMATS, LEVELS
from .rate_limits import ADDRESS_FACTOR, DEFAULT_RATES, Rates, read_rates, write_rates

T = TypeVar("T")
SHORTEST_SECRET = 16
_HOST = re.compile(r"[A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:.]{2,45}")


def number(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not re.fullmatch("[0-9]{1,12}", text) or not least <= int(text) <= most:
            raise UserError("settings.number", text=text, least=least, most=most)
        return int(text)

    return read


def choice(*known: str) -> Callable[[str], str]:
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


_LIKE_A_URL = re.compile(r"://|^\W*postgres\S*:", re.IGNORECASE)
"""No file name: the error for a misspelt URL must not show its password."""
_REDIS_OPTIONS = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_cert_reqs")
_SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")


def read_data(text: str) -> Path | URL:
    """A data file, or the URL of a PostgreSQL database; the error does not show its password."""
    if not _LIKE_A_URL.search(text):
        return read_file_name(text)
    try:
        url = make_url(text)
    except (SQLAlchemyError, ValueError):
        raise UserError("settings.database") from None
    _check_password_place(url)
    if url.drivername not in ("postgres", "postgresql", "postgresql+psycopg") or not url.database:
        raise UserError("settings.database")
    if url.query.get("sslmode", "prefer") not in _SSL_MODES:
        raise UserError("settings.sslmode", modes=", ".join(_SSL_MODES))
    return url.set(drivername="postgresql+psycopg")


def read_redis(text: str) -> URL:
    """The URL of a Redis server; the error does not show its password."""
    try:
        url = make_url(text)
    except (SQLAlchemyError, ValueError):
        raise UserError("settings.redis") from None
    _check_password_place(url)
    lone_name = url.username and not url.password  # more likely a password without its colon
    if url.drivername not in ("redis", "rediss") or not url.host or lone_name:
        raise UserError("settings.redis")
    if not re.fullmatch(r"\d*", url.database or ""):
        raise UserError("settings.redis")
    if not set(url.query) <= set(_REDIS_OPTIONS):
        raise UserError("settings.redis_option", options=", ".join(_REDIS_OPTIONS))
    return url


def _check_password_place(url: URL) -> None:
    """``UserError`` if a password, or a part of it, is where URLs are shown with it."""
    if "@" in (url.host or "") or any("password" in name.lower() for name in url.query):
        raise UserError("settings.password")


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
    check_player(text)
    return text


def read_secret(text: str) -> Token:
    """A secret chosen by the host; the error does not show it."""
    if len(text) < SHORTEST_SECRET or not re.fullmatch("[!-~]+", text):
        raise UserError("settings.secret", least=SHORTEST_SECRET)
    return Token(text)


def default_data() -> Path:
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(os.path.expanduser(state)) / "sanssouci" / "tables.db"  # noqa: PTH111 - never raises


def spare_cores() -> int:
    """The number of usable cores, less one for the server itself."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores - 1)


# ruff: noqa: RUF009 - every one of these calls makes a field


PREFIX = "SANSSOUCI_"
MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Setting:
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
        return "--" + self.name.replace("_", "-") if self.name in OPTION_TEXTS else None


def _setting(
    default: Any, read: Callable[[str], object], kind: str, help_text: str, shown: str | None = None
) -> Any:
    """A field with its declaration; ``default`` is a function if it depends on the machine."""
    words = str(default) if shown is None else shown
    line = {"read": read, "kind": kind, "help": help_text, "default": words}
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
    data: Path | URL = _option("data", default_data, read_data)
    redis: URL | None = _setting(
        None,
        read_redis,
        "URL",
        "The URL of a Redis server, through which servers share news and limits, and reach workers.",
        "none",
    )
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
        "Worker processes of this server for computer players.",
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
    lobby_days: int = _count(
        7, "Days without an event until a table that has not started is deleted.", 1, 36500
    )
    solo_lobby_hours: int = _count(
        24, "The same in hours, if only its creator sits there and nobody is connected.", 1, 876_000
    )
    megabytes_per_address: int = _count(
        32, "Megabytes an address may add to the data file in a day; running games may add as much again."
    )
    reviews_per_guest: int = _count(50, "Game reviews kept per guest; the oldest are deleted.")
    review_rollouts: int = _count(
        2000, "Simulated games per position of a review; more are more accurate and take longer.", 16
    )
    watchers_per_table: int = _count(100, "Spectators a table may have at the same time.", 0)
    sockets: int = _count(5000, "Open sockets, of all guests together.")
    sockets_per_guest: int = _count(24, "Open sockets per guest.")
    sockets_per_address: int = _count(192, "Open sockets per address, of all guests there together.")
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
    drain_seconds: int = _count(
        0,
        "Seconds between a stop signal, when /ready fails, and the closing of sockets; with several servers,"
        " longer than the proxy takes to notice.",
        0,
        600,
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


SETTINGS = tuple(
    Setting(each.name, secret=each.metadata["read"] is read_secret, **each.metadata)
    for each in fields(Settings)
)


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


def data_setting(typed: str | None, environ: Mapping[str, str]) -> Path | URL:
    """The data file or database alone, so admin commands work even if other settings are invalid."""
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
