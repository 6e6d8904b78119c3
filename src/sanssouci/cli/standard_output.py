"""Standard output whose errors can be told apart from those of other files."""

import io
import os
import sys

from sanssouci.locale import UserError, os_error_reason


class OutputFailed(Exception):
    """Standard output has failed. Not an ``OSError``, so that handlers for other files do not catch it."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error

    @property
    def unread(self) -> bool:
        """Whether the reader has closed the pipe, which is not an error."""
        return isinstance(self.error, BrokenPipeError)

    def translate(self, language: str) -> str:
        return UserError("cli.no_output", reason=os_error_reason(self.error)).translate(language)


class StandardOutput(io.TextIOWrapper):
    """A stream that raises ``OutputFailed`` instead of ``OSError``."""

    def write(self, text: str, /) -> int:
        try:
            return super().write(text)
        except OSError as error:
            raise OutputFailed(error) from None

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            raise OutputFailed(error) from None


def watch_output() -> None:
    """Wrap ``sys.stdout``."""
    stream = sys.stdout
    if isinstance(stream, io.TextIOWrapper) and not isinstance(stream, StandardOutput):
        sys.stdout = StandardOutput(
            stream.buffer,
            encoding=stream.encoding,
            errors=stream.errors,
            line_buffering=stream.line_buffering,
            write_through=stream.write_through,
        )


def give_up_output() -> None:
    """Redirect to the null device, so that flushing the buffer at exit does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
