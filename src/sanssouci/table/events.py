"""Events: executed commands, with caller, time and the answers of chance.

A table is stored as its events, and nothing else. They contain everything that was dealt, so that a replay
needs no seed. Therefore they never leave the server; clients get ``public_events``.
"""

from dataclasses import dataclass, field
from typing import Annotated, Any

import orjson
from pydantic import Field
from typing_extensions import TypedDict

from sanssouci.locale import UserError
from sanssouci.notation import FieldError, read_typed_json

from .commands import Command, write_command

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who issued a command: their chair and rights."""

    chair: int | None = None
    owner: bool = False
    may_join: bool = False
    system: bool = False
    undecided: bool = False
    """The caller holds several chairs and has not said which one the command is for."""


SYSTEM = Caller(system=True)


@dataclass(frozen=True, slots=True)
class Event:
    seq: int
    command_id: str
    """Unique at the table. Its prefix names the caller's chair, so that ids of two callers never clash."""
    chair: int | None
    """The chair that acted, or for which the server acted."""
    system: bool
    """Whether the server gave the command: for a computer player, a stand-in or a clock."""
    at: float
    command: Command
    answers: Json = field(default_factory=dict, repr=False)
    """The answers of chance, in the notation of records."""


class EventJson(TypedDict):
    """The part of an event that the log stores as JSON."""

    at: Annotated[float, Field(allow_inf_nan=False)]
    house: bool
    command: Annotated[Command, Field(discriminator="type")]
    answers: dict[str, Any]


def write_body(event: Event) -> str:
    """The JSON that the log stores for an event, beside its number, id and chair."""
    body = {
        "at": event.at,
        "house": event.system,
        "command": write_command(event.command),
        "answers": event.answers,
    }
    return orjson.dumps(body, option=orjson.OPT_SORT_KEYS).decode("utf-8")


def parse_body(seq: int, command_id: str, chair: int | None, text: str) -> Event:
    """The event in a row of the log, or ``UserError``."""
    try:
        body = read_typed_json(EventJson, text)
    except FieldError:
        raise UserError("table.bad_event", seq=seq) from None
    return Event(seq, command_id, chair, body["house"], body["at"], body["command"], body["answers"])
