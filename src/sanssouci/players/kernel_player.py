"""What players have in common that decide in the kernel."""

from typing import ClassVar

from sanssouci.dealer import Stream
from sanssouci.kernel import is_compiled, precompile
from sanssouci.rules import SetupView

from .player import Budget


class KernelPlayer:
    """Needs compiled code, and picks its boards at random; how it decides is each one's own affair."""

    job: ClassVar[str]
    """What of the kernel it needs: one of ``kernel.COMPILE_UNITS``."""
    spends: ClassVar[tuple[str, ...]] = ()
    """What of a budget it heeds."""

    def __init__(self, stream: Stream, budget: Budget = Budget()) -> None:  # noqa: B008 - it is frozen
        self._stream = stream
        self._budget = budget

    @classmethod
    def prepared(cls) -> bool:
        """Whether all that it needs has been compiled on this machine before."""
        return is_compiled(cls.job)

    @classmethod
    def prepare(cls) -> None:
        """Compile it."""
        precompile(cls.job)

    def pick(self, view: SetupView) -> int:
        """One of the sides at random: on balanced boards there is nothing to choose between."""
        return self._stream.below(len(view.sides()))
