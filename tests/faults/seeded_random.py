"""Reproducible random choices."""

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

from sanssouci.dealer import BulkStream, Stream, shuffled

T = TypeVar("T")


class SeededRandom:
    """All choices follow from the seed values."""

    def __init__(self, *seed: object) -> None:
        self.stream: Stream = BulkStream(int.from_bytes(sha256(repr(seed).encode()).digest()[:8], "big"))

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound`` - 1."""
        return self.stream.below(bound)

    def choice(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]

    def chance(self, percent: int) -> bool:
        """True with this probability."""
        return self.below(100) < percent

    def sample(self, things: Sequence[T], least: int, most: int) -> tuple[T, ...]:
        """From ``least`` to ``most`` of the things, in random order."""
        return shuffled(things, self.stream)[: least + self.below(most - least + 1)]
