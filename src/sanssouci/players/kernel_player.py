"""The base class of players that use the kernel."""

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
