"""The interface between games and the processes that play them.

A ``Task`` defines what is done with an item. An ``Executor`` defines where: in worker processes of this
machine (``pool.py``) or on a Ray cluster (``ray_executor.py``). Items do not depend on each other, so the
results do not depend on where, in which order or how often items run.
"""

from collections.abc import Generator, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol, TypeVar

import sanssouci
from sanssouci.editions import shipped_boards
from sanssouci.locale import UserError

from .signals import Interruption

Item = TypeVar("Item")
Item_contra = TypeVar("Item_contra", contravariant=True)
Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)

MOST_CRASHES = 3
"""Workers that may die on one item before the run is given up."""
_ENGINE_PACKAGES = ("rules", "dealer", "kernel", "network", "players", "arena")
"""The packages that determine the games."""


class ExecutorFault(UserError):
    """The run cannot continue; the results so far are valid."""


class Task(Protocol[Item_contra, Result_co]):
    """Work for other processes; it is pickled. A ``UserError`` of a method ends the run."""

    @property
    def most_items(self) -> int:
        """The most items of one batch: a limit for the size of the result."""

    def prepare(self) -> None:
        """Called once in every process of another machine: check that it has all the task needs."""

    def run(self, items: Sequence[Item_contra]) -> Result_co:
        """Do consecutive items."""

    def crash_fault(self, item: Any) -> ExecutorFault:
        """The reason for giving up after ``item`` has killed ``MOST_CRASHES`` workers."""


class Executor(Protocol):
    """Runs tasks in other processes, and repeats items whose process dies."""

    def run(
        self, task: Task[Item, Result], items: Iterable[Item], interruption: Interruption
    ) -> Generator[Result, None, None]:
        """Yield the result of each batch of items as it finishes; ``KeyboardInterrupt`` after Ctrl-C.

        When the generator ends, nothing runs any more. ``ExecutorFault`` if the run cannot continue.
        """


def engine_digest() -> str:
    """A short hash of the sources and networks that determine the games."""
    digest = sha256(shipped_boards("reference").sha256.encode())
    root = Path(sanssouci.__file__).parent
    sources = [path for package in _ENGINE_PACKAGES for path in (root / package).glob("*.py")]
    for path in sorted((*sources, *(root / "network" / "data").glob("*.network"))):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]
