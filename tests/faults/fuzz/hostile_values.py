"""Hostile values and corrupted documents, reproducible by seed."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..seeded_random import SeededRandom

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
"""Turns that are malformed, or almost never legal."""
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
"""Literals, not all of which are valid JSON."""
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
"""Invalid boards files."""


@dataclass(frozen=True)
class Target:
    """An attacker's knowledge of a server: an account, a table, and the ids of other tables."""

    host: str
    tables: Sequence[str]
    """Tables of other guests: their ids are known, their secrets are not."""
    own: str = ""
    token: str = ""
    join: str = ""
    seq: int = 0
    """The last event of the attacker's table."""


class Raw(str):
    """A piece of text that is written unquoted, whether it is valid JSON or not."""


class HostileValues:
    """Generates hostile values and corrupts documents."""

    def __init__(self, rng: SeededRandom) -> None:
        self.rng = rng

    def value(self) -> Json:
        """A value that is invalid nearly everywhere."""
        rng = self.rng
        kind = rng.below(8)
        if kind < 3:
            return rng.choice(STRINGS)
        if kind == 3:
            return rng.choice(TURNS)
        if kind < 6:
            return Raw(rng.choice(NUMBERS))
        if kind == 6:
            return Raw(rng.choice(OTHERS))
        depth = rng.choice((2, 30, 200, 900))
        return Raw(
            rng.choice(("[" * depth + "]" * depth, '{"a":' * depth + "0" + "}" * depth, "[" * 4 * depth))
        )

    def corrupted(self, document: Json) -> bytes:
        """A document changed in one to three places, sometimes with corrupted bytes."""
        for _ in range(1 + self.rng.below(3)):
            document = self._changed(document)
        text = write(document)
        if self.rng.chance(4):
            text = text[:-1] + "," + text[1:]  # every key twice
        data = text.encode("utf-8", "surrogatepass")
        return self.scrambled(data) if self.rng.chance(15) else data

    def scrambled(self, data: bytes) -> bytes:
        """Data that is cut off, or has changed, inserted or repeated bytes."""
        rng = self.rng
        at = rng.below(len(data) + 1)
        match rng.below(5):
            case 0:
                return data[:at]
            case 1:
                return data[:at] + self.noise(1 + rng.below(8)) + data[at + 1 :]
            case 2:
                return (
                    data[:at]
                    + rng.choice((b"\xff\xfe", b"\xc0\x80", b"\xed\xa0\x80", b"\x00", b"\xf5"))
                    + data[at:]
                )
            case 3:
                return data[:at] + data[: 4096 // (len(data) + 1) * len(data)] + data[at:]
            case _:
                return data + data

    def noise(self, size: int) -> bytes:
        """Random bytes."""
        return bytes(self.rng.below(256) for _ in range(size))

    def _changed(self, document: Json) -> Json:
        rng = self.rng
        if isinstance(document, dict) and document and rng.chance(92):
            key, choice = rng.choice(list(document)), rng.below(10)
            if choice == 0:
                return {name: value for name, value in document.items() if name != key}
            if choice == 1:
                return {**document, rng.choice(KEYS): self.value()}
            if choice == 2:
                return {**document, key: [document[key]]}
            return {**document, key: self._changed(document[key])}
        if isinstance(document, list) and document and rng.chance(92):
            at = rng.below(len(document))
            return [
                *document[:at],
                self._changed(document[at]),
                *document[at + 1 :],
                *document[: rng.below(3)],
            ]
        return self.value()


def write(document: Json) -> str:
    """JSON, in which ``Raw`` is written unquoted."""
    if isinstance(document, Raw):
        return str(document)
    if isinstance(document, dict):
        return "{" + ",".join(f"{json.dumps(name)}:{write(value)}" for name, value in document.items()) + "}"
    if isinstance(document, list):
        return "[" + ",".join(map(write, document)) + "]"
    return json.dumps(document)
