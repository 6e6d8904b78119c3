"""The base classes of players that use the kernel."""

from typing import ClassVar

from sanssouci.dealer import Stream
from sanssouci.kernel import is_compiled, precompile
from sanssouci.rules import SetupView

from .player import Budget


class KernelPlayer:
    """Needs compiled code and picks boards at random; subclasses decide on turns."""

    job: ClassVar[str]
    """The part of the kernel it needs: one of ``kernel.COMPILE_UNITS``."""
    spends: ClassVar[tuple[str, ...]] = ()
    """The fields of a ``Budget`` that it uses."""

    def __init__(self, stream: Stream, budget: Budget = Budget()) -> None:  # noqa: B008 - it is frozen
        self._stream = stream
        self._budget = budget

    @classmethod
    def prepared(cls) -> bool:
        """Whether everything it needs is in the cache."""
        return is_compiled(cls.job)

    @classmethod
    def prepare(cls) -> None:
        """Compile everything it needs."""
        precompile(cls.job)

    def pick(self, view: SetupView) -> int:
        """One of the sides at random: on balanced boards there is nothing to choose between."""
        return self._stream.below(len(view.sides()))


ROLLOUTS = 1000
"""Rollouts for a turn without a budget."""


class SearchPlayer(KernelPlayer):
    """Searches within a number of rollouts, a time, or both."""

    spends: ClassVar[tuple[str, ...]] = ("seconds", "rollouts")

    def _seed(self) -> bytes:
        """A new seed for the random numbers of one search."""
        return b"".join(self._stream.below(1 << 32).to_bytes(4, "big") for _ in range(8))

    def _rollouts(self) -> int | None:
        """The limit of rollouts; None if only time is limited."""
        if self._budget.rollouts is None and self._budget.seconds is None:
            return ROLLOUTS
        return self._budget.rollouts
