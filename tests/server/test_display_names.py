"""Display names are cleaned, shortened and visible, for any input."""

import re
import unicodedata

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sanssouci.locale import UserError
from sanssouci.server.tables.display_names import MAX_BYTES, MAX_LENGTH, MAX_MARKS, clean_name

from ..helpers import user_error

ODD = st.sampled_from(
    "\u202e\u2066\u2069\u200f\u200b\u200d\ufeff\u00ad\u034f\u3164\u2800\ufe0f\ue000\ud800\uffff\U000e0001"
    "\u0301\u0323\u0e31\u1100\u1161\u2000\u2028\u00a0\t\n\r\x1b\x00 \u212b\u0344\u1160\U0001f468\U000e0100"
)
EMOJI = st.sampled_from(
    "\U0001f468\U0001f469\U0001f467\U0001f466\U0001f3f3\U0001f308\U0001f3fd\u2764\u2640\ufe0f\u200d\u200d\u200d"
)
JOINED = re.compile("(?<=[\u2640\u2764\U0001f300-\U0001faff])\u200d(?=[\u2640\u2764\U0001f300-\U0001faff])")
PICTURES = re.compile(
    "[\u2640\u2764\U0001f300-\U0001faff][\U0001f3fb-\U0001f3ff]?"
    "(\u200d[\u2640\u2764\U0001f300-\U0001faff][\U0001f3fb-\U0001f3ff]?)*"
)
TEXTS = st.text(st.one_of(st.characters(), st.characters(codec="utf-8"), ODD), max_size=60)


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"


@settings(max_examples=400, deadline=None)
@given(st.one_of(TEXTS, st.text(st.one_of(EMOJI, ODD), max_size=60)))
@example("\u1100\u200b\u1161")
@example("a" + "\u0301" * 9 + "\u1161")
@example("x" * 23 + " y")
@example("0 \u0300 0")
@example("0" * 24 + "\U0001f3fb")
@example("\u1100" * 32)
def test_properties_of_a_clean_name(text: str) -> None:
    """Cleaning is idempotent, and a clean name is normalised, without hidden characters and short enough."""
    try:
        name = clean_name(text)
    except UserError:
        return
    assert clean_name(name) == name
    assert unicodedata.is_normalized("NFC", name)
    visible = JOINED.sub("", name)
    assert not regex.search(r"[\p{C}\p{Zl}\p{Zp}]", visible)  # by a Unicode newer than Python's
    assert name == name.strip() and "  " not in name
    assert not any(char.isspace() and char != " " for char in name)
    bases = [char for char in visible if unicodedata.category(char)[0] != "M"]
    pictures = [char for char in PICTURES.sub("x", name) if unicodedata.category(char)[0] != "M"]
    assert 1 <= len(pictures) <= MAX_LENGTH and len(name.encode("utf-8")) <= MAX_BYTES
    assert len(visible) <= len(bases) * (1 + MAX_MARKS)


@settings(deadline=None)
@given(st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyzäöüéñ'.-"), min_size=1, max_size=MAX_LENGTH))
def test_a_plain_name_is_unchanged(name: str) -> None:
    """Cleaning does not change an ordinary name."""
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  Anna \t\n Lena ", "Anna Lena"),
        ("Ann\u202eeve\u2066a", "Annevea"),
        ("A\u200bn\u00adn", "Ann"),
        ("Zoe\u0308", "Zoë"),
        ("\u0301Ann", "Ann"),
        ("A \u0301n", "A n"),
        ("Z" + "\u0336" * 20, "Z" + "\u0336" * 3),
        ("x" * 30, "x" * 24),
        ("日\u0301\u0323" * 24, "日\u0323\u0301" * 13),
        ("日" * 30, "日" * 24),
        ("\U0001f98a" * 30, "\U0001f98a" * 24),
        ("Nguyễn Thị Hồng", "Nguyễn Thị Hồng"),
        ("שָׁלוֹם", "שָׁלוֹם"),
        ("<b>Ann</b>\x1b[2J", "<b>Ann</b>[2J"),
        (FAMILY, FAMILY),
        ("Ann \U0001f469\U0001f3fd\u200d\U0001f680", "Ann \U0001f469\U0001f3fd\u200d\U0001f680"),
        ("\U0001f3f3\ufe0f\u200d\U0001f308", "\U0001f3f3\u200d\U0001f308"),
        ("\U0001f9d1\u200d\u2764\ufe0f\u200d\U0001f9d1", "\U0001f9d1\u200d\u2764\u200d\U0001f9d1"),
        ("A\u200dnn\u200d", "Ann"),
        ("Ann\u200d\U0001f469", "Ann\U0001f469"),
        ("\U0001f469\u200dAnn \U0001f469\u200d", "\U0001f469Ann \U0001f469"),
        ("\U0001f469\u200d\u200d\U0001f469", "\U0001f469\U0001f469"),
        ("\U0001f469\u200d\u202e\U0001f469", "\U0001f469\u200d\U0001f469"),
        (
            "\u2764\u200d" * 9,
            "\u200d".join("\u2764" * 4) + "\u2764\u200d\u2764\u200d\u2764\u200d\u2764\u2764",
        ),
        (FAMILY * 4, FAMILY * 3),
        ("क्\u200dष", "क्ष"),
    ],
)
def test_how_names_are_cleaned(typed: str, shown: str) -> None:
    """Examples of spaces, directions, hidden characters, marks, length, scripts, emoji and markup."""
    assert clean_name(typed) == unicodedata.normalize("NFC", shown)


@pytest.mark.parametrize(
    "typed", ["", "   ", "\u200b\u202e", "\u3164", "\u2800\ufe0f", "\u0301", "\ud800", "\x00"]
)
def test_an_empty_name_is_refused(typed: str) -> None:
    """A name without visible characters is a user error."""
    with user_error("name.empty"):
        clean_name(typed)


def test_a_huge_name_is_cut() -> None:
    """A text of millions of combining marks is cut to a short name."""
    assert clean_name("a" + "\u0301\u0323" * 1_000_000) == "ạ" + "\u0323" * MAX_MARKS
