"""Fuzzing: malformed and hostile messages to a real server, and requests derived from its API description.

::

    HostileRequests, HostileFrames --> attacker (a process) --> server <-- HonestClients (timed)
    schemathesis --> SchemaTester --> the application in this process
"""

from ...share import Share
from ..report import Fault, Progress, Row

TEST = "fuzz"
GOAL = "200,000 messages: no 5xx, no change of state, honest clients' p99 < 2 ×"


def rows(progress: Progress, share: Share) -> list[Row]:
    """Send the messages of a share."""
    from .attack import MESSAGES, run  # loading schemathesis is slow

    return [run(share.part(MESSAGES), share.seed, progress, timed=share.is_whole)]


FAULT = Fault("fuzz", TEST, GOAL, rows)
