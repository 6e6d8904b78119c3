"""Logging: JSON lines for programs or text for people, without secrets.

Every line passes one processor: values under secret-sounding keys are hidden, text is redacted, and objects
that are not plain data are shown as their type. Of exceptions only types and source lines are logged, since
their text may reveal a hand. Other libraries log warnings and above only, because their lower levels contain
URLs with queries and WebSocket messages.
"""

import json
import logging
import re
import sys
import traceback
from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePath
from typing import Any, TextIO

import structlog
from structlog.types import EventDict, ExcInfo, Processor

from ..auth.tokens import HIDDEN, redact
from ..rate_limits import Clock

SECRETS = frozenset(
    [
        "authorization",
        "body",
        "card",
        "claims",
        "cookie",
        "credentials",
        "deck",
        "draw",
        "hand",
        "link",
        "mission",
        "nonce",
        "password",
        "pile",
        "pouch",
        "query",
        "secret",
        "seed",
        "ticket",
        "token",
        "url",
        "view",
    ]
)
"""A key that contains one of these words, singular or plural, has a secret value."""
LEVELS = ("debug", "info", "warning", "error")
FORMATS = ("json", "text")
COMMAND = "sanssouci.cli"
"""The logger of the command line: the server's URL is logged at every level."""
_OURS = "sanssouci"
_MAX_LENGTH = 4000
_MAX_DEPTH = 6


_INTERVAL = 60.0
"""Seconds between two lines of a ``ThrottledWarning``."""


class ThrottledWarning:
    """Logs refusals at most once a minute, with their number, so that a flood does not flood the log."""

    def __init__(self, log: structlog.stdlib.BoundLogger, event: str, clock: Clock) -> None:
        self._log = log
        self._event = event
        self._clock = clock
        self._refused = 0
        self._logged_at: float | None = None

    def refuse(self, **details: object) -> None:
        self._refused += 1
        now = self._clock()
        if self._logged_at is None or now - self._logged_at >= _INTERVAL:
            self._log.warning(self._event, **details, refused=self._refused)
            self._logged_at, self._refused = now, 0


def configure_logs(level: str = "info", form: str = "json", stream: TextIO | None = None) -> None:
    """Send all log lines of this process to a stream, by default standard error."""
    stream = stream or sys.stderr
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_formatter(form, colours=stream.isatty()))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("sanssouci").setLevel(level.upper())
    logging.getLogger(COMMAND).setLevel(logging.INFO)
    for name in ("uvicorn", "uvicorn.error"):
        theirs = logging.getLogger(name)
        theirs.handlers, theirs.propagate = [], True
        theirs.setLevel(logging.WARNING)
    logging.getLogger("uvicorn.access").disabled = True
    logging.captureWarnings(True)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )


_SHARED: tuple[Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)
"""Processors for our lines and those of other libraries."""
_STORE_FIELDS = structlog.stdlib.ExtraAdder(allow=("error", "reason"))
"""The store uses the standard library's logging, with these fields; commands that open it log nothing."""


def _first_line(_logger: Any, _method: str, line: EventDict) -> EventDict:
    """Cut another library's message to its first line; the rest is a traceback or quotes an exception."""
    if str(line.get("logger", "")).split(".")[0] == _OURS:
        return line
    return {**line, "event": str(line["event"]).partition("\n")[0]}


def _formatter(form: str, colours: bool) -> logging.Formatter:
    renderer: Processor = (
        structlog.processors.JSONRenderer(json.dumps)
        if form == "json"
        else structlog.dev.ConsoleRenderer(colors=colours, exception_formatter=structlog.dev.plain_traceback)
    )
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=(*_SHARED, _STORE_FIELDS, _first_line),
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.ExceptionRenderer(_format_exception),
            keep_secrets,
            renderer,
        ],
    )


def _format_exception(exc_info: ExcInfo) -> str:
    """Types and source lines of an exception and its causes, without their texts."""
    error: BaseException | None = exc_info[1]
    lines: list[str] = []
    while error is not None:
        lines += [*traceback.format_tb(error.__traceback__), type(error).__name__]
        error = error.__cause__ or error.__context__
    return "".join(lines)


def error_location(error: BaseException) -> str:
    """File and line where an exception was raised; its text may reveal hidden information."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""


def keep_secrets(_logger: Any, _method: str, line: EventDict) -> EventDict:
    """Remove secrets from a log line."""
    return {
        redact(key): redact(value) if key in ("exception", "stack") else _safe(value, key)
        for key, value in line.items()
    }


def _safe(value: object, key: str = "", depth: int = 0) -> object:
    """A value as it may be logged: plain data, redacted, on one line and of limited length."""
    if _is_secret(key) or depth > _MAX_DEPTH:
        return HIDDEN
    match value:
        case None | bool() | int() | float():
            return value
        case str() | PurePath():
            return _one_line(redact(str(value)))
        case Mapping():
            return {_one_line(redact(str(k))): _safe(v, str(k), depth + 1) for k, v in value.items()}
        case list() | tuple() | set() | frozenset():
            return [_safe(each, "", depth + 1) for each in value]
        case _:
            return f"<{type(value).__name__}>"


@lru_cache(1024)
def _is_secret(key: str) -> bool:
    return any(
        word in SECRETS or word.removesuffix("s") in SECRETS for word in re.split("[^a-z]+", key.lower())
    )


def _one_line(text: str) -> str:
    short = text if len(text) <= _MAX_LENGTH else text[:_MAX_LENGTH] + "…"
    if short.isprintable():
        return short
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in short)
