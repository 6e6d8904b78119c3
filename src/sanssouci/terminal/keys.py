"""Single keys from a terminal, arrows included."""

import os
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


def read_key() -> str:
    """The next key: a character, or the name of an arrow; where keys cannot be read, a line."""
    try:
        import termios
        import tty
    except ImportError:  # no such terminals on this system
        return input().strip()[:1]
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    try:
        tty.setcbreak(keyboard)
        return _decoded(os.read(keyboard, 8))
    except KeyboardInterrupt:
        return "\x03"
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)


def _decoded(data: bytes) -> str:
    text = data.decode("utf-8", errors="replace")
    if text.startswith("\x1b") and len(text) > 1:
        return _ARROWS.get(text[1:3], "?")
    return text[:1] or "\x04"
