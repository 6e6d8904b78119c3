"""Logs: lines of JSON for programs or of text for people, and no secret in any of them.

What is logged passes one processor: a value under the name of something secret is hidden, a text is shown
without what looks like a token, and a thing that is not plain data is shown as its type alone. Of what was
raised only the types are lines and the lines it came from, never what it said, for that may be a hand. Other
libraries speak from a warning upwards only, for what they say below it are paths with their queries and
messages of sockets.
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

SECRETS = frozenset(
    {
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
    }
)
"""Words in a key, one or many of them, that make its value a secret."""
LEVELS = ("debug", "info", "warning", "error")
FORMATS = ("json", "text")
COMMAND = "sanssouci.cli"
"""The logger of the command itself: where the server is found is lines whatever the level."""
UVICORN: Mapping[str, Any] = {"log_config": None, "access_log": False}
"""How uvicorn is lines to leave the logs alone."""
_OURS = "sanssouci"
_MAX_LENGTH = 4000
_MAX_DEPTH = 6


def configure_logs(level: str = "info", form: str = "json", stream: TextIO | None = None) -> None:
    """Send every line of this process to a stream, standard error if none is named."""
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
"""What every line gets, ours and other libraries'."""


def _first_line(_logger: Any, _method: str, line: EventDict) -> EventDict:
    """Cut what another library says to its first line: the rest is a traceback, or quotes an exception."""
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
        foreign_pre_chain=(*_SHARED, _first_line),
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.ExceptionRenderer(_format_exception),
            keep_secrets,
            renderer,
        ],
    )


def _format_exception(exc_info: ExcInfo) -> str:
    """Where an exception came from, and those before it that led to it; none of their texts."""
    error: BaseException | None = exc_info[1]
    lines: list[str] = []
    while error is not None:
        lines += [*traceback.format_tb(error.__traceback__), type(error).__name__]
        error = error.__cause__ or error.__context__
    return "".join(lines)


def error_location(error: BaseException) -> str:
    """Where something went wrong: file and line; what was said of it may tell what is hidden."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""


def keep_secrets(_logger: Any, _method: str, line: EventDict) -> EventDict:
    """The processor that nothing secret passes."""
    return {
        redact(key): redact(value) if key in ("exception", "stack") else _safe(value, key)
        for key, value in line.items()
    }


def _safe(value: object, key: str = "", depth: int = 0) -> object:
    """A value as it may be logged: plain data, without secrets, in one line and not too long."""
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
