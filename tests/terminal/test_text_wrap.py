"""Text on all kinds of terminals: narrow ones, limited character sets, double-width names."""

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from sanssouci.editions import Words
from sanssouci.rules import RAVENSBURGER
from sanssouci.terminal import PlayerConsole, WrappedText, fitted, spelled
from sanssouci.terminal.text_wrap import lines_of, wrapped

SYMBOLS = "Ada · Ben: 3\u00a0% → 5\u00a0% ± 1 – «x» …"


def test_missing_characters_are_replaced() -> None:
    """Symbols that the encoding lacks are replaced; letters are unchanged."""
    assert spelled(SYMBOLS, "utf-8") == SYMBOLS
    assert spelled(SYMBOLS, "ascii") == 'Ada, Ben: 3 % -> 5 % +- 1 - "x" .'
    assert spelled(SYMBOLS, "latin-1") == "Ada · Ben: 3\u00a0% -> 5\u00a0% ± 1 - «x» ."
    assert spelled("Ángela", "ascii") == "Ángela"


@pytest.mark.parametrize("plain", [True, False])
def test_consoles_and_paragraphs_replace_characters(plain: bool) -> None:
    """Console output and wrapped text replace missing symbols."""
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding="ascii", errors="replace")
    console = Console(file=file, width=80)
    PlayerConsole(console, Words("en", RAVENSBURGER), plain).print_lines([SYMBOLS])
    console.print(WrappedText(SYMBOLS))
    file.flush()
    assert b"?" not in raw.getvalue() and raw.getvalue().count(b"Ada, Ben: 3 % -> 5 %") == 2


def test_replaced_characters_still_fit() -> None:
    """Symbols are replaced before lines are broken, and non-breaking spaces are respected."""
    text = "win chance → " * 6 + "Ada · Ben · 3\u00a0%"
    found = lines_of(text, 20, "ascii")
    assert max(map(len, found)) <= 20 and all(line.isascii() for line in found)
    assert found[-1].endswith("3 %") and " ".join(found).endswith("Ada, Ben, 3 %")
    assert lines_of("123456789 3\u00a0%", 11, "ascii") == ["123456789", "3 %"]


def test_wide_characters_take_two_columns() -> None:
    """Wrapping and shortening count double-width characters as two columns."""
    for line in wrapped("太郎さん " * 12, 20):
        assert 0 < cell_len(line) <= 20
    assert fitted("太郎さん太郎さん", 12) == "太郎さん太 …"
    assert [fitted(name, 6) for name in ("Ada", "Johann", "Johanna")] == ["Ada   ", "Johann", "Johan…"]
    assert "".join(wrapped("a 太 b", 20)) == "a 太 b"
