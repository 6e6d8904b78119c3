"""Single keys from a terminal, arrows included."""

import os
import select
import sys

_ARROWS = {
    "[A": "up",
    "[B": "down",
    "[C": "right",
    "[D": "left",
    "OA": "up",
    "OB": "down",
    "OC": "right",
    "OD": "left",
}
_ESCAPE = "\x1b"
_ESCAPE_TIMEOUT = 0.1
"""Seconds to wait for the rest of an arrow key; enough for a slow connection."""


def read_key() -> str:
    """The next key: a character or the name of an arrow; without a terminal, a line."""
    try:
        import termios
        import tty
    except ImportError:  # not a POSIX system
        return input().strip()[:1]
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    try:
        tty.setcbreak(keyboard, termios.TCSADRAIN)  # keeps keys that were typed ahead
        key = _read_one(keyboard)
        return _rest_of_arrow(keyboard) if key == _ESCAPE else key
    except KeyboardInterrupt:
        return "\x03"
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)


def _read_one(keyboard: int) -> str:
    """One character, unbuffered; empty at the end of the input."""
    return os.read(keyboard, 1).decode("utf-8", errors="replace") or "\x04"


def _rest_of_arrow(keyboard: int) -> str:
    rest = ""
    while len(rest) < 2 and select.select([keyboard], [], [], _ESCAPE_TIMEOUT)[0]:
        rest += _read_one(keyboard)
    return _ARROWS.get(rest, "?") if rest else _ESCAPE
