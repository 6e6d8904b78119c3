"""A share of an exhaustive run: ``3/5`` is the third of five shares, which together are the whole.

Tests are spread over the shares by name. A run of many rounds is cut into shares by giving each a part of the
rounds and a seed of its own.
"""

import re
import zlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Share:
    """The share ``number`` of ``of``, counted from 1."""

    number: int = 1
    of: int = 1

    @classmethod
    def parse(cls, text: str) -> "Share":
        """Read ``3/5``; ``ValueError`` says what a share looks like."""
        found = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", text)
        if found is None or int(found[1]) > int(found[2]):
            raise ValueError(f"a share is written as 3/5, the third of five, not {text!r}")
        return cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def __contains__(self, name: str) -> bool:
        """Whether the test of a name is in this share; each is in exactly one."""
        return zlib.crc32(name.encode()) % self.of == self.number - 1

    @property
    def is_whole(self) -> bool:
        """Whether this is everything. Goals about time are judged by whole runs only."""
        return self.of == 1

    @property
    def seed(self) -> int:
        """A seed that no other share has."""
        return self.number

    def part(self, rounds: int) -> int:
        """So many of the rounds: at least one."""
        return -(-rounds // self.of)


WHOLE = Share()
