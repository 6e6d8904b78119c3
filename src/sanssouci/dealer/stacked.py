"""A dealer with stacked piles, for tests and for games whose order is known."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from .dealer import Dealer, T


class StackedDealer(Dealer):
    """Puts what it was given on top of each pile; the rest, and other piles, keep their natural order."""

    def __init__(self, tops: Mapping[str, Sequence[Any]] | None = None) -> None:
        self._tops = dict(tops or {})

    def shuffled(self, pile: str, items: tuple[T, ...]) -> tuple[T, ...]:
        """The stacked order; what is stacked must be among the items."""
        rest = list(items)
        top: list[T] = []
        missing = Counter(self._tops.get(pile, ())) - Counter(items)
        if missing:
            raise ValueError(f"the pile {pile} does not hold {sorted(missing.elements(), key=repr)}")
        for item in self._tops.get(pile, ()):
            top.append(rest.pop(rest.index(item)))
        return (*top, *rest)
