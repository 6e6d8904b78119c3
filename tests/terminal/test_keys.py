"""Single keys from a real pseudo-terminal."""

import os
import sys
from collections.abc import Iterator

import pytest

from sanssouci.terminal.keys import read_key


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The other end of the terminal that is standard input."""
    typist, terminal = os.openpty()
    with os.fdopen(terminal) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield typist
    os.close(typist)


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        ("a", ["a"]),
        ("qx", ["q", "x"]),
        ("\x1b[A\x1b[B\x1b[C\x1b[D", ["up", "down", "right", "left"]),
        ("\x1bOA\x1bOB\x1bOC\x1bOD", ["up", "down", "right", "left"]),
        ("\x1b[Z", ["?"]),
        ("\x1b", ["\x1b"]),
    ],
)
def test_keys_are_read_one_at_a_time(keyboard: int, typed: str, keys: list[str]) -> None:
    """Arrow keys have names in both encodings; keys typed ahead wait; Esc alone is a key."""
    os.write(keyboard, typed.encode())
    assert [read_key() for _ in keys] == keys


def test_ctrl_c_is_a_key(keyboard: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C is returned as a key, and the terminal settings are restored."""
    import termios

    def interrupted(*arguments: object) -> bytes:
        raise KeyboardInterrupt

    before = termios.tcgetattr(sys.stdin.fileno())
    monkeypatch.setattr(os, "read", interrupted)
    assert read_key() == "\x03"
    assert termios.tcgetattr(sys.stdin.fileno()) == before


def test_the_end_of_input_is_a_key(keyboard: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed terminal returns Ctrl-D, so that the replayer does not loop forever."""
    monkeypatch.setattr(os, "read", lambda *arguments: b"")
    assert read_key() == "\x04"


def test_without_termios_a_line_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without termios, the first character of a line is the key."""
    monkeypatch.setitem(sys.modules, "termios", None)
    monkeypatch.setattr("builtins.input", lambda: " next ")
    assert read_key() == "n"
