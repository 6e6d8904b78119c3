"""Standard output, whose failures can be told from those of every other file."""

import io
import os
import sys

from sanssouci.locale import UserError, os_error_reason


class OutputFailed(Exception):
    """Nothing more can be printed. No ``OSError``: whoever writes a file does not take it for its own."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error

    @property
    def unread(self) -> bool:
        """Whether the reader of a pipe has seen enough, which is no mistake."""
        return isinstance(self.error, BrokenPipeError)

    def translate(self, language: str) -> str:
        """The sentence in a language."""
        return UserError("cli.no_output", reason=os_error_reason(self.error)).translate(language)


class StandardOutput(io.TextIOWrapper):
    """What is printed; ``OutputFailed`` where that cannot be done."""

    def write(self, text: str, /) -> int:
        """Print a text."""
        try:
            return super().write(text)
        except OSError as error:
            raise OutputFailed(error) from None

    def flush(self) -> None:
        """Let go of what was collected."""
        try:
            super().flush()
        except OSError as error:
            raise OutputFailed(error) from None


def watch_output() -> None:
    """From now on a failure of standard output is known as one."""
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
    """What is still collected has nowhere to go."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
