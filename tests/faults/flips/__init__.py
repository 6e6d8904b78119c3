"""Flipped bits: one bit of the data file changes, and every kind of viewer requests every route.

::

    play() -> Fixture (data file, viewers) -> Flip -> server -> answers, logs -> Judge: leak, wrong status
"""

from ...share import Share
from ..report import Fault, Progress, Row

TEST = "flipped bits"
GOAL = "5,000 flips in every column: 0 leaks, only documented statuses, other games work"


def rows(progress: Progress, share: Share) -> list[Row]:
    """Test the flips of a share, then planted leaks that must be found."""
    from .campaign import FLIPS, full  # loading the server is slow
    from .planting import plant_all

    count = share.part(FLIPS)
    first = (share.number - 1) * count
    return [full(range(first, first + count), progress), plant_all(progress)]


FAULT = Fault("flips", TEST, GOAL, rows)
