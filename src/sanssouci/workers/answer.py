"""The answer of a worker process: a choice, and the fault of the player if it failed.

Everyone at the table sees a fault, so it names only its kind: the text of a player's exception, or an illegal
turn, could reveal the player's hand.
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
"""The public fault for each reason that a guard gives; any other reason is a refusal by the rules."""


class BadResponse(Exception):
    """A worker has sent something that is no valid response."""


class Preempted(Exception):
    """A worker has given up a job at the pool's request."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A turn or a side that the rules allow."""

    choice: T
    fault: UserError | None = None
    """Why the player failed; the choice is then a substitute's."""


def public_fault(reason: str) -> str:
    """The locale key of the public fault for a guard's reason."""
    return _FAULTS.get(reason, ILLEGAL if reason.startswith("refusal.") else RAISED)


def read_fault(key: object) -> UserError | None:
    if key is None:
        return None
    if key not in (RAISED, WRONG_KIND, ILLEGAL, NOT_MADE):
        raise BadResponse
    return UserError(str(key))
