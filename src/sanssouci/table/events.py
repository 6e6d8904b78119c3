"""An event: a command that was carried out, by whom and when, and what chance answered.

Events are all that is kept of a table. They hold chance's answers, so that a replay needs no seed; so they
are for the house only, and everyone else gets what ``tellings`` makes of them.
"""

import json
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from sanssouci.locale import UserError

from .commands import Command, parse_command, write_command

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who gives a command: from which chair, and with which rights beside that."""

    chair: int | None = None
    owner: bool = False
    may_join: bool = False
    system: bool = False
    undecided: bool = False
    """Whether the caller holds several chairs and has named none of them."""


SYSTEM = Caller(system=True)


@dataclass(frozen=True, slots=True)
class Event:
    """One step of a table."""

    seq: int
    command_id: str
    """Unique at its table; marked with the chair it was given from, so that nobody meets another's."""
    chair: int | None
    """Who did it, or for whom it was done."""
    system: bool
    """Whether the house did it: a computer player, a clock."""
    at: float
    command: Command
    answers: Json = field(default_factory=dict, repr=False)
    """What chance answered, in the words of the record."""


def write_body(event: Event) -> str:
    """What the log keeps of an event beside its number, id and chair."""
    body = {
        "at": event.at,
        "house": event.system,
        "command": write_command(event.command),
        "answers": event.answers,
    }
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def parse_body(seq: int, command_id: str, chair: int | None, text: str) -> Event:
    """The event that the log holds, or ``UserError``."""
    try:
        body = json.loads(text)
        command = parse_command(body["command"])
        event = Event(seq, command_id, chair, body["house"], body["at"], command, body["answers"])
        write_body(event).encode("utf-8")  # half of a surrogate pair can be written as JSON, but not shown
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise UserError("table.bad_event", seq=seq) from None
    if not _is_sound(event):
        raise UserError("table.bad_event", seq=seq)
    return event


def _is_sound(event: Event) -> bool:
    """Whether the parts of an event have their types; what they say is for the table to judge."""
    timed = type(event.at) in (int, float) and isfinite(event.at)
    return timed and type(event.system) is bool and type(event.answers) is dict
