"""Strict JSON: limited in size and depth, without duplicate keys, with translatable errors."""

import json
import math
import re
from collections.abc import Callable
from typing import Any

from sanssouci.locale import UserError

LARGEST = 262_144
DEEPEST = 20
LONGEST_NUMBER = 300
"""Digits; less than what any Python lets through, so that all read the same."""

_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\Z|\\\Z)', re.DOTALL)
"""A string literal; the last one may be unterminated."""
_REASONS = {
    "Expecting value": "json.bad_value",
    "Expecting property name": "json.bad_name",
    "Expecting ':'": "json.no_colon",
    "Expecting ','": "json.no_comma",
    "Unterminated string": "json.open_text",
    "Invalid control character": "json.control",
    "Invalid \\": "json.escape",
    "Illegal trailing comma": "json.last_comma",
    "Extra data": "json.extra",
}
_AS_LISTS = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS = bytes(sorted({*range(256)} - {*b"[]{}"}))


def parse_json(data: bytes, *, integral_as_int: bool = False) -> Any:
    """The value of a document, or ``UserError``.

    With ``integral_as_int``, ``1.0`` becomes the integer 1: JSON Schema does not distinguish them.
    """
    if len(data) > LARGEST:
        raise UserError("file.too_large", limit=LARGEST)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise UserError("file.not_utf8") from None
    if text.startswith("\ufeff"):
        raise UserError("json.byte_order_mark")
    # Few documents have so many brackets or escapes that they need the slow checks.
    if text.count("[") + text.count("{") > DEEPEST and _is_too_deep(text):
        raise UserError("json.too_deep", limit=DEEPEST)
    value = _load(text, _INTEGRAL_DECODER if integral_as_int else _DECODER)
    if "\\u" in text:
        _check_surrogates(value)
    return value


def _is_too_deep(text: str) -> bool:
    """Whether brackets are nested deeper than ``DEEPEST``; those inside a string do not count.

    Without a loop over characters, which would take 50 ms for the largest document. Unbalanced brackets are
    left to the parser, unless too many are open at once.
    """
    brackets = _STRING.sub("", text).encode().translate(_AS_LISTS, _NO_BRACKETS)
    for _ in range(DEEPEST):  # each time without the innermost pairs
        brackets = brackets.replace(b"[]", b"")
    return b"[]" in brackets or brackets.count(b"[") > DEEPEST


def _load(text: str, decoder: json.JSONDecoder) -> Any:
    try:
        return decoder.decode(text)
    except json.JSONDecodeError as error:
        raise UserError(
            "json.bad", line=error.lineno, column=error.colno, reason=_reason(error.msg)
        ) from None
    except RecursionError:
        raise UserError("json.too_deep", limit=DEEPEST) from None


def _reason(said: str) -> UserError | str:
    """What Python's reader has to say, as a sentence that every language has."""
    for beginning, key in _REASONS.items():
        if said.startswith(beginning):
            return UserError(key)
    return said


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise UserError("json.duplicate_key", name=name)
        found[name] = value
    return found


def _reject_constant(name: str) -> None:
    raise UserError("json.not_finite", name=name)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise UserError("json.not_finite", name=text[:20])
    return number


def _int_if_integral(text: str) -> float:
    number = _finite(text)
    return int(number) if number.is_integer() else number


def _whole(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        raise UserError("json.number", limit=LONGEST_NUMBER)
    return int(text)


def _check_surrogates(value: Any) -> None:
    """An escaped half of a surrogate pair is no character and could not be written again."""
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise UserError("json.half_character") from None


def _decoder(parse_float: Callable[[str], float]) -> json.JSONDecoder:
    return json.JSONDecoder(
        object_pairs_hook=_object, parse_constant=_reject_constant, parse_float=parse_float, parse_int=_whole
    )


_DECODER, _INTEGRAL_DECODER = _decoder(_finite), _decoder(_int_if_integral)
