"""Fuzz: malformed and hostile messages, on the wire of a real server and by the description of its routes.

::

    Malice --> Requests, Words --> attacker (a process) --> wire --> server <-- Company (honest, timed)
    schemathesis --> Reader --> the application itself
"""

from ..fault import Fault, Progress
from ..table import Row

TEST = "fuzz"
GOAL = "200,000 messages: no 5xx, no change of state, honest clients' p99 < 2 ×"


def rows(progress: Progress) -> list[Row]:
    """The test as the goal has it."""
    from .assault import full  # schemathesis takes its time to load

    return [full(progress)]


FAULT = Fault("fuzz", TEST, GOAL, rows)
