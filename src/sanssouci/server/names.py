"""Names of people, as others see them: a name cannot hide, reorder or overflow what stands beside it.

What a person types is cleaned rather than refused; only a name of which nothing is left is a mistake.
Letters of scripts that run from right to left stay, so a page shows a name in an element of its own
(``<bdi>``).
"""

import unicodedata
from itertools import accumulate

from sanssouci.locale import Complaint

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


def clean_name(text: str) -> str:
    """The name as it is shown, or ``Complaint`` if nothing is left of it."""
    shown = "".join(map(_shown, _composed(text[:_READ])))
    characters = _characters(_composed(" ".join(shown.split())))
    sizes = accumulate(len(character.encode("utf-8")) for character in characters)
    fits = sum(size <= MOST_BYTES for size in sizes)
    name = "".join(characters[: min(fits, LONGEST)]).strip()
    if not name:
        raise Complaint("name.empty")
    return name


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _shown(sign: str) -> str:
    """A sign, a space for everything that parts words, or nothing."""
    if sign.isspace():
        return " "
    return "" if unicodedata.category(sign).startswith("C") or sign in _UNSEEN else sign


def _characters(text: str) -> list[str]:
    """The characters of a text, each with its marks but those too many, or on nothing."""
    characters: list[str] = []
    for sign in text:
        if not unicodedata.category(sign).startswith("M"):
            characters.append(sign)
        elif characters and characters[-1] != " " and len(characters[-1]) <= MOST_MARKS:
            characters[-1] += sign
    return characters
