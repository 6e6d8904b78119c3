"""Names of people, as others see them: a name cannot hide, reorder or overflow what stands beside it.

What a person types is cleaned rather than refused; only a name of which nothing is left is a mistake.
Letters of scripts that run from right to left stay, so a page shows a name in an element of its own
(``<bdi>``).
"""

import unicodedata

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
    name = text[:_READ]
    while name != (cleaner := _cleaned(name)):
        name = cleaner
    if not name:
        raise Complaint("name.empty")
    return name


def _cleaned(text: str) -> str:
    """Once over a text; what was taken out may let its neighbours join, so one looks again."""
    spaced = "".join(map(_shown, unicodedata.normalize("NFC", text)))
    return unicodedata.normalize("NFC", _cut(" ".join(spaced.split())))


def _shown(character: str) -> str:
    """A character, a space for everything that parts words, or nothing."""
    if character.isspace():
        return " "
    category = unicodedata.category(character)
    return "" if category.startswith("C") or character in _UNSEEN else character


def _cut(text: str) -> str:
    """The beginning of a text that is not too long, without the marks that are too many."""
    kept: list[str] = []
    characters = marks = size = 0
    for character in text:
        if unicodedata.category(character).startswith("M"):
            marks += 1
            if not kept or kept[-1] == " " or marks > MOST_MARKS:
                continue
        else:
            characters, marks = characters + 1, 0
        size += len(character.encode("utf-8"))
        if characters > LONGEST or size > MOST_BYTES:
            break
        kept.append(character)
    return "".join(kept).strip()
