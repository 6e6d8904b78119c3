"""An event: a command that was carried out, by whom and when, and what chance answered.

Events are all that is kept of a table. They hold chance's answers, so that a replay needs no seed; so they
are for the house only, and everyone else gets what ``tellings`` makes of them.
"""

import json
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from sanssouci.locale import UserError
from sanssouci.notation import FieldError, read_typed_json

from .commands import Command, write_command

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


class EventJson(TypedDict):
    """The part of an event that the log stores as JSON."""

    at: Annotated[float, Field(allow_inf_nan=False)]
    house: bool
    command: Annotated[Command, Field(discriminator="type")]
    answers: dict[str, Any]


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
        body = read_typed_json(EventJson, text)
    except FieldError:
        raise UserError("table.bad_event", seq=seq) from None
    return Event(seq, command_id, chair, body["house"], body["at"], body["command"], body["answers"])
