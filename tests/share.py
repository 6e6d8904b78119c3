"""A share of an exhaustive run: ``3/5`` is the third of five shares, which together are the whole.

Tests are assigned to shares by name. Runs of many rounds are split by giving each share some of the rounds
and a different seed.
"""

import re
import zlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Share:
    """Share ``number`` of ``of``, counted from 1."""

    number: int = 1
    of: int = 1

    @classmethod
    def parse(cls, text: str) -> "Share":
        """Parse ``3/5``; ``ValueError`` explains the format."""
        found = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", text)
        if found is None or int(found[1]) > int(found[2]):
            raise ValueError(f"a share is written as 3/5, the third of five, not {text!r}")
        return cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def __contains__(self, name: str) -> bool:
        """Whether a test, by name, is in this share; each test is in exactly one."""
        return zlib.crc32(name.encode()) % self.of == self.number - 1

    @property
    def is_whole(self) -> bool:
        """Whether this is the only share. Timing goals are judged in whole runs only."""
        return self.of == 1

    @property
    def seed(self) -> int:
        """A seed that differs for each share."""
        return self.number

    def part(self, rounds: int) -> int:
        """The number of rounds in this share, at least one."""
        return -(-rounds // self.of)


WHOLE = Share()
