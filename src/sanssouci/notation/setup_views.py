"""What a seat may know before the game, as JSON; parsed back it is the same."""

from sanssouci.rules import GardenBoard, Phase, RewardBoard, SetupView

from .error import NotationError
from .fields import a_flag, a_number, a_text, an_object, each, or_null, read_field
from .rewards import parse_marks, write_marks
from .squares import write_squares
from .views import Json, parse_missions, parse_variant, squares_in, write_missions, write_variant

_SIDES = range(2)


def write_setup_view(view: SetupView) -> Json:
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
    """The view that a document holds, or ``NotationError``."""
    fields = an_object(document, "view")
    variant = read_field(fields, "variant", parse_variant)
    seats = variant.seats
    return SetupView(
        variant,
        read_field(fields, "seat", or_null(lambda value, here: a_number(value, here, range(seats)))),
        read_field(fields, "phase", _phase),
        tuple(read_field(fields, "gardens", lambda value, here: each(value, here, _garden_board, seats))),
        tuple(read_field(fields, "garden_sides", lambda value, here: each(value, here, _pick, seats))),
        tuple(read_field(fields, "missions", lambda value, here: each(value, here, parse_missions))),
        tuple(read_field(fields, "rewards", lambda value, here: each(value, here, _reward_board))),
        tuple(read_field(fields, "reward_sides", lambda value, here: each(value, here, _pick))),
        tuple(read_field(fields, "picked", lambda value, here: each(value, here, a_flag))),
    )


def _phase(value: object, where: str) -> Phase:
    known = {phase.value: phase for phase in Phase}
    text = a_text(value, where)
    if text not in known:
        raise NotationError("field.choice", field=where, known=", ".join(known))
    return known[text]


def _pick(value: object, where: str) -> int | None:
    return None if value is None else a_number(value, where, _SIDES)


def _garden_board(value: object, where: str) -> GardenBoard:
    return GardenBoard(tuple(each(value, where, squares_in)))


def _reward_board(value: object, where: str) -> RewardBoard:
    return RewardBoard(tuple(each(value, where, _marks)))


def _marks(value: object, where: str) -> int:
    return parse_marks({square: a_text(mark, where) for square, mark in an_object(value, where).items()})
