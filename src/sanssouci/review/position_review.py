"""A look at one position of a game: its turn judged, if one was played, and how the game stands.

A game is looked at position by position, here or in another process: every look can be written, and read.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

from sanssouci.dealer import Seed, derive_seed
from sanssouci.notation import parse_turn, write_turn
from sanssouci.rules import State, Turn

from .evaluation import SEED
from .forecast import Errors, Forecast
from .turn_review import CancelCheck, Depth, TurnReview, review_turn, stewards_turn, try_in_pieces

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PositionReview:
    """What was found at a position."""

    turn_review: TurnReview | None
    """Of its turn; None where the game ended or stopped."""
    forecast: Forecast
    """How the game stood if stewards played on, all cards open; at the end, the result."""
    errors: Errors
    """Of the forecast; a result has none."""


def review_position(
    state: State,
    turn: Turn | None,
    rollouts: int,
    seed: Seed = SEED,
    check_cancelled: CancelCheck = lambda: None,
) -> PositionReview:
    """Look at a position and the turn that was played there; the same seed and rollouts give the same."""
    check_cancelled()
    if state.over:
        return PositionReview(None, Forecast.of_result(state), Errors.none(state.variant.seats))
    depth, part = Depth.of(rollouts), derive_seed(seed, f"turn {state.turn}")
    view = state.view(state.to_move)
    turn_review = None if turn is None else review_turn(view, turn, part, depth, check_cancelled)
    opened = try_in_pieces(
        state, (stewards_turn(view),), derive_seed(part, "open"), depth.open, check_cancelled
    )
    pieces = [Forecast.of_estimate(estimate) for (estimate,) in opened]
    return PositionReview(turn_review, Forecast.mean(pieces), Errors.of(pieces))


def write_position_review(found: PositionReview) -> Json:
    """A look as an object of JSON; what the game itself tells is left out."""
    turn_review = found.turn_review
    return {
        "outlook": asdict(found.forecast),
        "errors": asdict(found.errors),
        "judgement": None
        if turn_review is None
        else {
            "best": write_turn(turn_review.best),
            **{name: asdict(getattr(turn_review, name)) for name in (*_OUTLOOKS, *_ERRORS)},
        },
    }


def parse_position_review(document: Mapping[str, Any], state: State, turn: Turn | None) -> PositionReview:
    """The look at a position that an object tells of: its best turn is legal, all its figures are numbers.

    ``ValueError``, ``LookupError`` or ``TypeError`` if it tells of none.
    """
    seats, judged = state.variant.seats, document["judgement"]
    if (judged is None) != (turn is None):
        raise ValueError("a turn is judged where one was played")
    turn_review = None
    if turn is not None:
        best = parse_turn(judged["best"])
        if best not in state.view(state.to_move).options():
            raise ValueError("the best turn is not legal")
        forecasts = [_forecast(judged[name], seats) for name in _OUTLOOKS]
        errors = [_errors(judged[name], seats) for name in _ERRORS]
        turn_review = TurnReview(state.to_move, turn, best, *forecasts, *errors)  # type: ignore[arg-type]
    return PositionReview(
        turn_review, _forecast(document["outlook"], seats), _errors(document["errors"], seats)
    )


_OUTLOOKS = ("before", "after", "possible")
_ERRORS = ("skill_errors", "cost_errors")


def _forecast(document: Mapping[str, Any], seats: int) -> Forecast:
    return Forecast(_figures(document["shares"], seats), _figures(document["scores"], seats))


def _errors(document: Mapping[str, Any], seats: int) -> Errors:
    return Errors(_figures(document["shares"], seats), _figures(document["leads"], seats))


def _figures(figures: object, seats: int) -> tuple[float, ...]:
    """A number for each seat."""
    if not isinstance(figures, list) or len(figures) != seats:
        raise ValueError("not a number for each seat")
    if not all(type(figure) in (int, float) and isfinite(figure) for figure in figures):
        raise ValueError("not a number")
    return tuple(map(float, figures))
