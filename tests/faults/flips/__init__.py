"""Flips: one bit of the data file changes, and every route is asked by every kind of viewer.

::

    play() --> Scene (data file, viewers) --> Flip --> server --> answers, logs --> Judge: leak, wrong status
"""

from ..fault import Fault, Progress
from ..table import Row

TEST = "flipped bits"
GOAL = "5,000 flips in every column: 0 leaks, only documented statuses, other games go on"


def rows(progress: Progress) -> list[Row]:
    """The test as the goal has it; then the leaks that must be seen."""
    from .campaign import full  # a whole server takes its time to load
    from .planting import plant_all

    return [full(progress), plant_all(progress)]


FAULT = Fault("flips", TEST, GOAL, rows)
