"""Flips: one bit of the data file changes, and every kind of viewer asks every route.

::

    play() --> Scene (data file, viewers) --> Flip --> server --> answers, logs --> Judge: leak, wrong status
"""

from ...share import Share
from ..fault import Fault, Progress
from ..table import Row

TEST = "flipped bits"
GOAL = "5,000 flips in every column: 0 leaks, only documented statuses, other games go on"


def rows(progress: Progress, share: Share) -> list[Row]:
    """The flips of a share; then the leaks that must be seen."""
    from .campaign import FLIPS, full  # a whole server takes its time to load
    from .planting import plant_all

    count = share.part(FLIPS)
    first = (share.number - 1) * count
    return [full(range(first, first + count), progress), plant_all(progress)]


FAULT = Fault("flips", TEST, GOAL, rows)
