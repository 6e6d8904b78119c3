"""What the server logs while two games are played; the time in every line is the test's own."""

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import structlog
from structlog.types import EventDict

from sanssouci.server.ops import logs

_LOGGERS = ("", "sanssouci", "uvicorn", "uvicorn.error", "uvicorn.access")


class Log:
    """The lines since they were last read."""

    def __init__(self) -> None:
        self._stream = io.StringIO()

    @property
    def stream(self) -> io.StringIO:
        """Where to log."""
        return self._stream

    def read(self) -> bytes:
        """The lines since the last time."""
        text = self._stream.getvalue()
        self._stream.seek(0)
        self._stream.truncate()
        return text.encode()


@contextmanager
def logging_into(log: Log) -> Iterator[None]:
    """All lines of this process go there, from the lowest level on; afterwards it is as before."""
    kept = [(logger := logging.getLogger(name), logger.__dict__.copy()) for name in _LOGGERS]
    with patch.object(logs, "_SHARED", (*logs._SHARED[:-1], _stamp)):
        logs.configure_logs("debug", "json", log.stream)
    try:
        yield
    finally:
        for logger, contents in kept:
            logger.__dict__.update(contents)
            logger.manager._clear_cache()  # type: ignore[attr-defined]  # what is enabled is remembered there
        logging.captureWarnings(False)
        structlog.reset_defaults()


def _stamp(_logger: object, _method: str, line: EventDict) -> EventDict:
    return {**line, "timestamp": "now"}
