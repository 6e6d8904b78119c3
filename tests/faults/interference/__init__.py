"""Non-interference: two games that differ only in hidden information look the same to other viewers.

::

    SeededRandom --> Plan (a game, its viewers, a Difference) --> Course --> PairedGames --> two servers
                                                                    |
                        everything sent to each viewer, the log, the jobs of computer players:
                        the same bytes, or a Leak
"""

from ...share import Share
from ..report import Fault, Progress, Row

TEST = "non-interference"
GOAL = "2,000 pairs: byte-identical for every viewer that may not know the difference"


def rows(progress: Progress, share: Share) -> list[Row]:
    """Compare the pairs of a share, then planted leaks that must be found."""
    from .comparison import PAIRS, compare  # loading the server is slow
    from .planting import plant_all

    pairs = range(share.number - 1, PAIRS, share.of)
    return [compare(pairs, 1, progress).row(), plant_all(progress)]


FAULT = Fault("interference", TEST, GOAL, rows)
