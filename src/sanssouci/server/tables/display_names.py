"""Names of people, as others see them: a name cannot hide, reorder or overflow what stands beside it.

What a person types is cleaned rather than refused; only a name of which nothing is left is a mistake.
Letters of scripts that run from right to left stay, so a page shows a name in an element of its own
(``<bdi>``). The only sign in a name that is not seen joins emoji to one picture, and stands nowhere else.
"""

import re
import unicodedata
from itertools import accumulate

from sanssouci.locale import UserError

LONGEST = 24
"""Characters, each with its marks."""
MOST_BYTES = 96
"""In UTF-8."""
MOST_MARKS = 3
"""Marks on one character: enough for every living script, too few to climb out of the line."""
_READ = 1000
"""So much of a text is looked at."""
_UNSEEN = frozenset(
    map(chr, [0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2800, 0x3164, 0xFFA0])
) | frozenset(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))
"""Letters, signs and marks that show nothing, although Unicode has them among what is seen."""
_JOINER = "\u200d"
_EMOJI = (
    "\u2194\u2195\u2620\u2640\u2642\u2695\u2696\u26a7\u26d3\u26f9\u2708\u2764\u27a1\u2b1b"
    "\U0001f300-\U0001f3fa\U0001f400-\U0001f5ff\U0001f600-\U0001f64f\U0001f680-\U0001f6ff"
    "\U0001f7e0-\U0001f7eb\U0001f900-\U0001f9ff\U0001fa70-\U0001faff"
)
"""Of the older signs those that are joined to others."""
_TONES = "\U0001f3fb-\U0001f3ff"
_STRAY = re.compile(f"(?<![{_EMOJI}{_TONES}]){_JOINER}|{_JOINER}(?![{_EMOJI}])")
_TONED = re.compile(f"[{_EMOJI}][{_TONES}]")
MOST_JOINED = 4
"""Emoji in one picture: a family of four."""


def clean_name(text: str) -> str:
    """The name as it is shown, or ``UserError`` if nothing is left of it."""
    shown = "".join(map(_shown, _composed(text[:_READ])))
    characters = _characters(_composed(_STRAY.sub("", " ".join(shown.split()))))
    sizes = accumulate(len(character.encode("utf-8")) for character in characters)
    fits = sum(size <= MOST_BYTES for size in sizes)
    name = "".join(characters[: min(fits, LONGEST)]).strip()
    if not name:
        raise UserError("name.empty")
    return name


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _shown(sign: str) -> str:
    """A sign, a space for everything that parts words, or nothing."""
    if sign.isspace():
        return " "
    if sign == _JOINER:
        return sign
    return "" if unicodedata.category(sign).startswith("C") or sign in _UNSEEN else sign


def _characters(text: str) -> list[str]:
    """The characters of a text, each with its marks but those too many, or on nothing.

    Emoji that are joined are one character, so no picture is cut in two.
    """
    characters: list[str] = []
    for sign in text:
        last = characters[-1] if characters else " "
        if sign == _JOINER:
            if last.count(_JOINER) < MOST_JOINED - 1:
                characters[-1] += sign
        elif _is_mark(sign):
            if last != " " and sum(map(_is_mark, last)) < MOST_MARKS:
                characters[-1] += sign
        elif last.endswith(_JOINER) or _TONED.fullmatch(last[-1] + sign):
            characters[-1] += sign
        elif (last, sign) != (" ", " "):  # marks that were on nothing may have stood between two
            characters.append(sign)
    return characters


def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign).startswith("M")
