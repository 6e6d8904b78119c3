"""Fuzz: malformed and hostile messages, on the wire of a real server and by the description of its routes.

::

    Malice --> Requests, Words --> attacker (a process) --> wire --> server <-- Company (honest, timed)
    schemathesis --> Reader --> the application itself
"""

from ...share import Share
from ..fault import Fault, Progress
from ..table import Row

TEST = "fuzz"
GOAL = "200,000 messages: no 5xx, no change of state, honest clients' p99 < 2 ×"


def rows(progress: Progress, share: Share) -> list[Row]:
    """The messages of a share."""
    from .assault import MESSAGES, run  # schemathesis takes its time to load

    return [run(share.part(MESSAGES), share.seed, progress, timed=share.is_whole)]


FAULT = Fault("fuzz", TEST, GOAL, rows)
