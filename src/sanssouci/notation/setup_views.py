"""What a seat may know before the game, as JSON; parsed back it is the same."""

from typing import Annotated

from sanssouci.rules import GardenBoard, Phase, RewardBoard, SetupView

from .json_types import JsonObject, SeatNumber, SquareText
from .rewards import parse_marks, write_marks
from .squares import write_squares
from .typed_reader import check_length, one_of, read_typed, within
from .views import (
    MarksJson,
    MissionsJson,
    VariantJson,
    check_seat,
    read_missions,
    read_squares,
    read_variant,
    write_missions,
    write_variant,
)

_PHASES = {phase.value: phase for phase in Phase}

SideJson = Annotated[int, within(range(2))] | None
"""The side that a seat has picked; null while it is open or hidden."""


class SetupViewJson(JsonObject):
    """The choices before the first turn: each seat picks a side of its garden, then of its reward board."""

    variant: VariantJson
    seat: SeatNumber | None
    """Your seat; null for a spectator."""
    phase: Annotated[str, one_of(_PHASES)]
    """The current choice: `garden_sides`, then `reward_sides`. The other phases pass at once."""
    gardens: list[list[list[SquareText]]]
    """The printed squares of each seat's garden board, by side."""
    garden_sides: list[SideJson]
    """The side each seat has picked; null for others until all have picked."""
    missions: list[MissionsJson]
    """Each seat's two columns, null for other seats; empty until missions are dealt."""
    rewards: list[list[MarksJson]]
    """The marks of each seat's reward board, by side; empty if not in play."""
    reward_sides: list[SideJson]
    """The same as `garden_sides`; empty if not in play."""
    picked: list[bool]
    """Whether each seat has picked in this phase."""


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
    fields = read_typed(SetupViewJson, document, "view", extra="ignore")
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
