"""What comes back from a worker process: a choice, and what went wrong if something did.

A fault is told to everyone at the table, so it says what kind it was and nothing else: what a player raised,
or which turn it wanted to play, may tell its hand.
"""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sanssouci.locale import UserError

T = TypeVar("T")
Json = dict[str, Any]

RAISED, WRONG_KIND, ILLEGAL, NOT_MADE = (
    "workers.raised",
    "workers.wrong_kind",
    "workers.illegal",
    "workers.not_made",
)
DIED, HUNG, NO_WORKER = "workers.died", "workers.hung", "workers.no_worker"
_FAULTS = {
    "player.raised": RAISED,
    "player.wrong_kind": WRONG_KIND,
    "player.no_methods": NOT_MADE,
    "player.not_loaded": NOT_MADE,
    "player.not_made": NOT_MADE,
    "player.twice": NOT_MADE,
    "workers.not_allowed": NOT_MADE,
}
"""What is told of the reasons that a guard has; one that is not here is a refusal."""


class BadResponse(Exception):
    """A worker has said what no worker says."""


class Preempted(Exception):
    """A worker has left a job undone because it was told to."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A turn, or a side; always one that the rules allow."""

    choice: T
    fault: UserError | None = None
    """If the player failed, the choice is another's."""


def public_fault(reason: str) -> str:
    """The key under which a fault is told, of the key under which the guard knows its reason."""
    return _FAULTS.get(reason, ILLEGAL if reason.startswith("refusal.") else RAISED)


def read_fault(key: object) -> UserError | None:
    """The fault that a worker has told."""
    if key is None:
        return None
    if key not in (RAISED, WRONG_KIND, ILLEGAL, NOT_MADE):
        raise BadResponse
    return UserError(str(key))
