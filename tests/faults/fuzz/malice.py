"""Malice: values that nobody means well with, and good documents gone bad. The same for the same lot."""

import json
from typing import Any

from ..lot import Lot

Json = Any

STRINGS = (
    "",
    " ",
    "\x00",
    "\x1b[2J\r\nX-Injected: 1",
    "\u202egnp.exe\u2066",
    "\u200b\u200d\ufeff",
    "a\u0301" * 40,
    "\ud800",
    "\udfff\ud800",
    "\U0010ffff",
    "ﷺ" * 60,
    "../../../../etc/passwd",
    "..%2f..%2fetc%2fpasswd",
    "' OR 1=1 --",
    '"; DROP TABLE event; --',
    "<script>alert(1)</script>",
    "{{7*7}}${7*7}#{7*7}",
    "%s%n%x",
    "${jndi:ldap://127.0.0.1/a}",
    "__proto__",
    "constructor",
    "NaN",
    "null",
    "true",
    "-1",
    "1e999",
    "0x10",
    "١٢٣",
    "x" * 65,
    "x" * 201,
    "x" * 5000,
    "é" * 4000,
    "cmd:true",
    "level:1",
    "level:99999999999999999999",
    "random\n",
    "A" * 43,
    "_" * 42 + "A",
    "0" * 16,
    "ffffffffffffffff",
    "file:///etc/passwd",
    "2026-01-01T00:00:00Z",
    "hello",
    "command",
)
TURNS = (
    "36@2-g3/g3",
    "*@0-a2",
    "*@9-i6~i6/i6",
    "a@0-a2/a2/a2",
    "aa@00-a2",
    "@-/~",
    "36@-1-g3",
    "36@10-g3",
    "99@2-z9/z9",
    "36@2-g3/",
    "36@2-g3~~/g3",
    "36＠2－g3",
    "３６@2-g3",
    "36@2-g3/g3\n",
    "\x0036@2-g3",
    "36@2-G3/G3",
    "36 @ 2 - g3",
    "36@2-g3/g3 36@2-g3/",
    "/" * 20,
    "~" * 20,
    "i6@i-i6/i6",
    "𝟛𝟞@2-g3",
)
"""Turns that are none, or hardly ever one."""
NUMBERS = (
    "-1",
    "0",
    "-0",
    "4",
    "255",
    "2147483648",
    "9223372036854775808",
    "18446744073709551616",
    "1" + "0" * 400,
    "-" + "9" * 4400,
    "1.0",
    "0.1",
    "1e2",
    "1E400",
    "-1e-400",
    "NaN",
    "Infinity",
    "-Infinity",
    "01",
    "+1",
    "0x1f",
    "1_000",
)
"""As they are written; not all are JSON."""
OTHERS = (
    "null",
    "true",
    "false",
    "[]",
    "{}",
    "[[]]",
    '{"":""}',
    "[null,null]",
    '{"type":"hello"}',
    "undefined",
)
KEYS = (
    "__proto__",
    "constructor",
    "type",
    "chair",
    "house",
    "owner",
    "",
    "x" * 300,
    "\u0000",
    "$where",
    "seed",
)
TOML = (
    "",
    "[",
    "gardens = []",
    "a = 1\na = 2",
    "x = " + "[" * 2000,
    "name = '''" + "x" * 5000,
    "d = 9999-99-99",
    "n = 1e99999",
    "i = " + "9" * 5000,
    "[[gardens]]\nsides = [['a1']]",
    'name = "\\uD800"',
    "a." * 3000 + "b = 1",
    "\x00",
    "\ufeff[meta]",
)
"""Boards files that are none."""


class Raw(str):
    """A piece of JSON, or of what looks like it, that is written as it is."""


class Malice:
    """Makes things worse."""

    def __init__(self, lot: Lot) -> None:
        self.lot = lot

    def value(self) -> Json:
        """Something that does not belong where it is put."""
        lot = self.lot
        kind = lot.below(8)
        if kind < 3:
            return lot.one(STRINGS)
        if kind == 3:
            return lot.one(TURNS)
        if kind < 6:
            return Raw(lot.one(NUMBERS))
        if kind == 6:
            return Raw(lot.one(OTHERS))
        depth = lot.one((2, 30, 200, 900))
        return Raw(lot.one(("[" * depth + "]" * depth, '{"a":' * depth + "0" + "}" * depth, "[" * 4 * depth)))

    def spoilt(self, document: Json) -> bytes:
        """A document, changed in one to three places, and some of its bytes perhaps too."""
        for _ in range(1 + self.lot.below(3)):
            document = self._changed(document)
        text = write(document)
        if self.lot.often(4):
            text = text[:-1] + "," + text[1:]  # every name twice
        data = text.encode("utf-8", "surrogatepass")
        return self.scrambled(data) if self.lot.often(15) else data

    def scrambled(self, data: bytes) -> bytes:
        """Cut off, with bytes changed, put in or repeated."""
        lot = self.lot
        at = lot.below(len(data) + 1)
        match lot.below(5):
            case 0:
                return data[:at]
            case 1:
                return data[:at] + self.noise(1 + lot.below(8)) + data[at + 1 :]
            case 2:
                return (
                    data[:at]
                    + lot.one((b"\xff\xfe", b"\xc0\x80", b"\xed\xa0\x80", b"\x00", b"\xf5"))
                    + data[at:]
                )
            case 3:
                return data[:at] + data[: 4096 // (len(data) + 1) * len(data)] + data[at:]
            case _:
                return data + data

    def noise(self, size: int) -> bytes:
        """Bytes without any sense."""
        return bytes(self.lot.below(256) for _ in range(size))

    def _changed(self, document: Json) -> Json:
        lot = self.lot
        if isinstance(document, dict) and document and lot.often(92):
            key, choice = lot.one(list(document)), lot.below(10)
            if choice == 0:
                return {name: value for name, value in document.items() if name != key}
            if choice == 1:
                return {**document, lot.one(KEYS): self.value()}
            if choice == 2:
                return {**document, key: [document[key]]}
            return {**document, key: self._changed(document[key])}
        if isinstance(document, list) and document and lot.often(92):
            at = lot.below(len(document))
            return [
                *document[:at],
                self._changed(document[at]),
                *document[at + 1 :],
                *document[: lot.below(3)],
            ]
        return self.value()


def write(document: Json) -> str:
    """JSON, with whatever is no JSON as it is."""
    if isinstance(document, Raw):
        return str(document)
    if isinstance(document, dict):
        return "{" + ",".join(f"{json.dumps(name)}:{write(value)}" for name, value in document.items()) + "}"
    if isinstance(document, list):
        return "[" + ",".join(map(write, document)) + "]"
    return json.dumps(document)
