"""Non-interference: games that differ only in what is hidden, and nobody who may not know it can tell.

::

    Lot --> Plan (a game, a cast, a Difference) --> Course --> Twins --> two Houses, asked the same
                                                                  |
                                              what each viewer is told, the log, the computer players' jobs:
                                              the same bytes, or a Leak
"""

from ...share import Share
from ..fault import Fault, Progress
from ..table import Row

TEST = "non-interference"
GOAL = "2,000 pairs: byte-identical for everyone who may not know the difference"


def rows(progress: Progress, share: Share) -> list[Row]:
    """The test as the goal has it; then the leaks that must be seen."""
    from .comparison import PAIRS, compare  # a whole server takes its time to load
    from .planting import plant_all

    pairs = range(share.number - 1, PAIRS, share.of)
    return [compare(pairs, 1, progress).row(), plant_all(progress)]


FAULT = Fault("interference", TEST, GOAL, rows)
