"""The engine protocol, version 1: the messages between a game and a program that plays in it.

Each is one JSON object on one line. docs/engine-protocol.md documents them for authors of programs. Both ends
of this project, ``EnginePlayer`` and ``Bot``, build and read them here.
"""

import json
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from sanssouci import __version__
from sanssouci.dealer import Seed, parse_seed, write_seed
from sanssouci.locale import UserError
from sanssouci.notation import (
    FieldError,
    NotationError,
    parse_json,
    parse_setup_view,
    parse_view,
    read_typed,
    within,
    write_options,
    write_result,
    write_setup_view,
    write_variant,
    write_view,
)
from sanssouci.rules import Result, SetupView, Variant, View

from .player import Budget

PROTOCOL = 1

Message = dict[str, Any]


class BudgetJson(TypedDict):
    """The thinking time and the rollouts that a player may spend on a turn; null is no limit."""

    seconds: NotRequired[Annotated[float, Field(gt=0)] | None]
    rollouts: NotRequired[Annotated[int, Field(gt=0)] | None]


class NewGame(TypedDict):
    """The fields of a ``new_game`` message that a bot reads."""

    seat: Annotated[int, within(range(4))]
    budget: NotRequired[BudgetJson]


def write_message(message: Message) -> bytes:
    """A message as a line, without the end of the line."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode("ascii")


def parse_message(line: bytes) -> Message:
    """The message of a line, or ``UserError``: a JSON object with a type."""
    message = parse_json(line.rstrip(b"\r"))
    if not isinstance(message, dict):
        raise UserError("record.want_object")
    if not isinstance(message.get("type"), str):
        raise UserError("record.missing_field", name="type")
    return message


def hello() -> Message:
    """The first message, of both sides."""
    return {"type": "hello", "protocol": PROTOCOL, "name": f"sanssouci {__version__}"}


def new_game(variant: Variant, seat: int, budget: Budget, seed: Seed) -> Message:
    """The start of a game, or of the rest of one: variant, seat, budget and seed."""
    return {
        "type": "new_game",
        "variant": write_variant(variant),
        "seat": seat,
        "budget": {"seconds": budget.seconds, "rollouts": budget.rollouts},
        "seed": write_seed(seed),
    }


def pick_question(number: int, view: SetupView) -> Message:
    """The question for a side of the board."""
    return {"type": "pick", "id": number, "sides": list(view.sides()), "view": write_setup_view(view)}


def turn_question(number: int, view: View) -> Message:
    """The question for a turn."""
    return {"type": "turn", "id": number, "options": write_options(view.options()), "view": write_view(view)}


def game_result(result: Result) -> Message:
    """The result of the game."""
    return {"type": "result", **write_result(result)}


def quit_message() -> Message:
    """The end of the session."""
    return {"type": "quit"}


def read_new_game(message: Message) -> tuple[int, Budget, Seed]:
    """Seat, budget and seed of a game that begins; without a budget there is no limit."""
    try:
        fields = read_typed(NewGame, message)
    except FieldError:
        raise NotationError("protocol.bad_game") from None
    budget = fields.get("budget", {})
    limits = Budget(budget.get("seconds"), budget.get("rollouts"))
    return fields["seat"], limits, parse_seed(str(message.get("seed")))


def read_setup_view(message: Message) -> SetupView:
    """The view of a question for a side."""
    return parse_setup_view(message.get("view"))


def read_view(message: Message) -> View:
    """The view of a question for a turn."""
    return parse_view(message.get("view"))
