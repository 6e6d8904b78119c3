"""Rivals: commands that cannot all be carried out, and what each may be answered."""

import secrets
from dataclasses import dataclass

from sanssouci.dealer import Stream

from .guest import Json, Sent
from .turns import some_command

STALE = "declined.stale"
NOT_YOUR_TURN = "refusal.not_your_turn"


@dataclass(frozen=True, slots=True)
class Answer:
    """What one try was answered."""

    seq: int | None = None
    """The event that has carried it out."""
    repeated: bool = False
    refused: str = ""

    @property
    def kind(self) -> str:
        """In a word: done, repeated or refused."""
        return "refused" if self.seq is None else "repeated" if self.repeated else "done"


def make_rivals(table: str, views: list[Json], count: int, chance: Stream) -> list[Sent]:
    """Commands that all expect the same event; the first could be carried out.

    Some of the others come from a chair that is not to move, with what the one that is could do.
    """
    awaited = views[0]["waiting"]
    idle = [chair for chair in range(len(views)) if chair not in awaited]
    rivals = []
    for number in range(count):
        actor = awaited[chance.below(len(awaited))]
        intrudes = number > 0 and views[0]["stage"] == "playing" and chance.below(4) == 0
        chair = idle[chance.below(len(idle))] if intrudes else actor
        command = some_command(views[actor], chance)
        rivals.append(Sent(table, chair, secrets.token_hex(12), views[0]["seq"], command))
    return rivals
