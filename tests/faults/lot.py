"""Drawing lots: the few ways in which a test leaves something to chance, the same for the same key."""

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

from sanssouci.dealer import BulkStream, Stream, shuffled

T = TypeVar("T")


class Lot:
    """Chance for one test; whatever is drawn follows from the words that it is made with."""

    def __init__(self, *words: object) -> None:
        self.stream: Stream = BulkStream(int.from_bytes(sha256(repr(words).encode()).digest()[:8], "big"))

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound`` - 1."""
        return self.stream.below(bound)

    def one(self, things: Sequence[T]) -> T:
        """One of some things."""
        return things[self.below(len(things))]

    def often(self, percent: int) -> bool:
        """True in so many of a hundred cases."""
        return self.below(100) < percent

    def some(self, things: Sequence[T], least: int, most: int) -> tuple[T, ...]:
        """So many of some things, in any order."""
        return shuffled(things, self.stream)[: least + self.below(most - least + 1)]
