"""Wraps text to the width of a terminal, and replaces characters that it cannot show."""

from textwrap import wrap

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

_NO_BREAK = "\u00a0"
_FILL = "\0"
"""Placeholder next to a character that is two columns wide, while lines are measured."""
_PLAIN = {" · ": ", ", "→": "->", "–": "-", "±": "+-", "…": "."}
_PLAIN |= dict.fromkeys("«»„“”", '"')
"""Replacements for characters that the terminal cannot show."""


def wrapped(text: str, width: int) -> list[str]:
    """Wrap a text; continuation lines are indented further, and no-break spaces do not break."""
    indent = " " * (len(text) - len(text.lstrip(" ")))
    further = indent + "  " if indent else ""
    filled = text if text.isascii() else "".join(sign + _FILL * (cell_len(sign) - 1) for sign in text)
    lines = wrap(filled, width, subsequent_indent=further, replace_whitespace=False) or [""]
    return [line.replace(_FILL, "") for line in lines]


def lines_of(text: str, width: int, encoding: str) -> list[str]:
    """Replace characters first, as that may lengthen lines, then wrap; no-break spaces become spaces last."""
    return [spelled(line, encoding) for line in wrapped(_in_signs(text, encoding), width)]


def spelled(text: str, encoding: str) -> str:
    """Replace symbols that an encoding lacks."""
    text = _in_signs(text, encoding)
    return text if _has(encoding, _NO_BREAK) else text.replace(_NO_BREAK, " ")


def _in_signs(text: str, encoding: str) -> str:
    for sign, plain in _PLAIN.items():
        if sign in text and not _has(encoding, sign):
            text = text.replace(sign, plain)
    return text


def _has(encoding: str, sign: str) -> bool:
    try:
        sign.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def fitted(text: str, width: int) -> str:
    """Pad or truncate a text to a width, with an ellipsis if it is cut."""
    cut = Text(text)
    cut.truncate(width, overflow="ellipsis", pad=True)
    return cut.plain


class WrappedText:
    """A paragraph for rich, whose own wrapping breaks at no-break spaces."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text("\n".join(lines_of(self.text, options.max_width, console.encoding)))
