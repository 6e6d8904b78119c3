"""Display names: cleans what people type, so that a name cannot hide, reorder or overflow the text around it.

Names are cleaned rather than refused; only a name that has nothing visible is an error. Letters of scripts
that run from right to left are kept, so pages wrap a name in ``<bdi>``. The zero-width joiner is kept only
between emoji, where it makes one picture of them.
"""

import unicodedata
from itertools import accumulate

import regex

from sanssouci.locale import UserError

MAX_LENGTH = 24
"""Characters, each with its marks; an emoji sequence is one."""
MAX_BYTES = 96
"""In UTF-8."""
MAX_MARKS = 3
"""Combining marks on one character: enough for every living script, too few to climb out of the line."""
MAX_JOINED = 4
"""Emoji in one picture: a family of four."""
_MAX_INPUT = 1000

_EMOJI = r"\p{Extended_Pictographic}\p{Emoji_Modifier}?"
_JOINER = "\u200d"
_INVISIBLE = regex.compile(rf"(?!{_JOINER})[\p{{C}}\p{{Default_Ignorable_Code_Point}}\u2800]")
_STRAY_JOINER = regex.compile(rf"(?<!{_EMOJI}){_JOINER}|{_JOINER}(?!\p{{Extended_Pictographic}})")
_JOINER_TOO_MANY = regex.compile(rf"(?:{_EMOJI}{_JOINER}){{{MAX_JOINED - 1}}}{_EMOJI}\K{_JOINER}")
_MARK_TOO_MANY = regex.compile(rf"(?:^|\s|\p{{M}}{{{MAX_MARKS}}})\K\p{{M}}+")
_CHARACTER = regex.compile(r"\P{Extended_Pictographic}\p{M}*|\X")
"""A grapheme cluster, except that only emoji join: a run of Hangul jamo would count as one character."""


def clean_name(text: str) -> str:
    """The name to display; ``UserError`` if nothing visible is left of it."""
    text = _compose(text[:_MAX_INPUT])
    text = _INVISIBLE.sub("", regex.sub(r"\s", " ", text))
    for unwanted in (_STRAY_JOINER, _JOINER_TOO_MANY, _MARK_TOO_MANY):
        text = unwanted.sub("", text)
    characters = _CHARACTER.findall(_compose(" ".join(text.split())))
    sizes = accumulate(len(character.encode("utf-8")) for character in characters)
    fitting = sum(size <= MAX_BYTES for size in sizes)
    name = "".join(characters[: min(fitting, MAX_LENGTH)]).strip()
    if not name:
        raise UserError("name.empty")
    return name


def _compose(text: str) -> str:
    return unicodedata.normalize("NFC", text)
