"""The interface of every random stream: a uniform number below a bound."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Stream(Protocol):
    """A source of random numbers."""

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound`` - 1, each equally likely; ``bound`` is at most 2 ** 32."""
        ...


def check_bound(bound: int) -> None:
    """``ValueError`` for a bound that no stream can serve."""
    if not 1 <= bound <= 1 << 32:
        raise ValueError(f"there is no number below {bound} to draw")


def shuffled(items: Iterable[T], stream: Stream) -> tuple[T, ...]:
    """The items in random order: for each place in turn, one of those that are left."""
    pile = list(items)
    for place in range(len(pile) - 1):
        chosen = place + stream.below(len(pile) - place)
        pile[place], pile[chosen] = pile[chosen], pile[place]
    return tuple(pile)
