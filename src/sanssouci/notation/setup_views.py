"""What a seat may know before the game, as JSON; parsed back it is the same."""

from typing import Annotated

from typing_extensions import TypedDict

from sanssouci.locale import UserError
from sanssouci.rules import GardenBoard, Phase, RewardBoard, SetupView

from .rewards import parse_marks, write_marks
from .squares import write_squares
from .typed_reader import check_length, parsed_by, read_typed, within
from .views import (
    MarksJson,
    MissionsJson,
    SquareText,
    VariantJson,
    check_seat,
    read_missions,
    read_squares,
    read_variant,
    write_missions,
    write_variant,
)

_PHASES = {phase.value: phase for phase in Phase}


def _check_phase(name: str) -> None:
    if name not in _PHASES:
        raise UserError("field.choice", known=", ".join(_PHASES))


SideJson = Annotated[int, within(range(2))] | None
"""The side that a seat has picked; null while it is open or hidden."""


class SetupViewJson(TypedDict):
    """What one seat, or a spectator, may know before the first turn."""

    variant: VariantJson
    seat: int | None
    phase: Annotated[str, parsed_by(_check_phase)]
    gardens: list[list[list[SquareText]]]
    garden_sides: list[SideJson]
    missions: list[MissionsJson]
    rewards: list[list[MarksJson]]
    reward_sides: list[SideJson]
    picked: list[bool]


def write_setup_view(view: SetupView) -> SetupViewJson:
    """The boards as dealt, the sides picked so far as far as they are shown, and the own missions."""
    return {
        "variant": write_variant(view.variant),
        "seat": view.seat,
        "phase": view.phase.value,
        "gardens": [[write_squares(side) for side in board.sides] for board in view.gardens],
        "garden_sides": list(view.garden_sides),
        "missions": [write_missions(missions) for missions in view.missions],
        "rewards": [[write_marks(side) for side in board.sides] for board in view.rewards],
        "reward_sides": list(view.reward_sides),
        "picked": list(view.picked),
    }


def parse_setup_view(document: object) -> SetupView:
    """The view that a document holds, or ``FieldError``."""
    fields = read_typed(SetupViewJson, document, "view")
    variant = read_variant(fields["variant"])
    check_seat(fields["seat"], variant)
    check_length(fields["gardens"], variant.seats, "view", "gardens")
    check_length(fields["garden_sides"], variant.seats, "view", "garden_sides")
    return SetupView(
        variant,
        fields["seat"],
        _PHASES[fields["phase"]],
        tuple(GardenBoard(tuple(map(read_squares, sides))) for sides in fields["gardens"]),
        tuple(fields["garden_sides"]),
        tuple(map(read_missions, fields["missions"])),
        tuple(RewardBoard(tuple(map(parse_marks, sides))) for sides in fields["rewards"]),
        tuple(fields["reward_sides"]),
        tuple(fields["picked"]),
    )
