"""Captures the log lines of the server."""

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import structlog
from structlog.types import EventDict

from sanssouci.server.ops import logs

_LOGGERS = ("", "sanssouci", "uvicorn", "uvicorn.error", "uvicorn.access")


class CapturedLog:
    """The lines since they were last read."""

    def __init__(self) -> None:
        self.stream = io.StringIO()

    def read(self) -> str:
        text = self.stream.getvalue()
        self.stream.seek(0)
        self.stream.truncate()
        return text


@contextmanager
def captured_log() -> Iterator[CapturedLog]:
    """Capture all lines of this process as JSON, from the lowest level on; their time is always the same."""
    log = CapturedLog()
    saved = [(logger := logging.getLogger(name), logger.__dict__.copy()) for name in _LOGGERS]
    with patch.object(logs, "_SHARED", (*logs._SHARED[:-1], _stamp)):
        logs.configure_logs("debug", "json", log.stream)
    try:
        yield log
    finally:
        for logger, contents in saved:
            logger.__dict__.update(contents)
            logger.manager._clear_cache()  # type: ignore[attr-defined]  # it remembers what is enabled
        logging.captureWarnings(False)
        structlog.reset_defaults()


def _stamp(_logger: object, _method: str, line: EventDict) -> EventDict:
    return {**line, "timestamp": "now"}
