"""Sentences that are wrapped for the terminal's width; a no-break space is never broken."""

from textwrap import wrap

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a text; the rest of an indented line is indented further."""
    indent = " " * (len(text) - len(text.lstrip(" ")))
    further = indent + "  " if indent else ""
    return wrap(text, width, subsequent_indent=further, replace_whitespace=False) or [""]


class Prose:
    """A paragraph for rich, which on its own would break at no-break spaces."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text("\n".join(wrapped(self.text, options.max_width)))
