"""Sentences at terminals of every kind: narrow ones, those with few signs, names that are twice as wide."""

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from sanssouci.editions import Words
from sanssouci.rules import RAVENSBURGER
from sanssouci.terminal import PlayerConsole, WrappedText, fitted, spelled
from sanssouci.terminal.text_wrap import lines_of, wrapped

SIGNS = "Ada · Ben: 3\u00a0% → 5\u00a0% ± 1 – «x» …"


def test_signs_that_a_terminal_does_not_have() -> None:
    """They are written with those it has; letters are left alone."""
    assert spelled(SIGNS, "utf-8") == SIGNS
    assert spelled(SIGNS, "ascii") == 'Ada, Ben: 3 % -> 5 % +- 1 - "x" .'
    assert spelled(SIGNS, "latin-1") == "Ada · Ben: 3\u00a0% -> 5\u00a0% ± 1 - «x» ."
    assert spelled("Ángela", "ascii") == "Ángela"


@pytest.mark.parametrize("plain", [True, False])
def test_a_desk_and_a_paragraph_are_spelled(plain: bool) -> None:
    """Whatever is told there."""
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding="ascii", errors="replace")
    console = Console(file=file, width=80)
    PlayerConsole(console, Words("en", RAVENSBURGER), plain).tell([SIGNS])
    console.print(WrappedText(SIGNS))
    file.flush()
    assert b"?" not in raw.getvalue() and raw.getvalue().count(b"Ada, Ben: 3 % -> 5 %") == 2


def test_what_is_spelled_still_fits() -> None:
    """Signs that take more room are written before lines are broken; what must not be torn apart is not."""
    text = "win chance → " * 6 + "Ada · Ben · 3\u00a0%"
    found = lines_of(text, 20, "ascii")
    assert max(map(len, found)) <= 20 and all(line.isascii() for line in found)
    assert found[-1].endswith("3 %") and " ".join(found).endswith("Ada, Ben, 3 %")
    assert lines_of("123456789 3\u00a0%", 11, "ascii") == ["123456789", "3 %"]


def test_wide_signs_take_two_columns() -> None:
    """Lines are wrapped, and names cut, by what is seen."""
    for line in wrapped("太郎さん " * 12, 20):
        assert 0 < cell_len(line) <= 20
    assert fitted("太郎さん太郎さん", 12) == "太郎さん太 …"
    assert [fitted(name, 6) for name in ("Ada", "Johann", "Johanna")] == ["Ada   ", "Johann", "Johan…"]
    assert "".join(wrapped("a 太 b", 20)) == "a 太 b"
