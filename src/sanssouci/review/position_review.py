"""The review of one position: its turn, if one was played, and a forecast.

A game is reviewed position by position, here or in worker processes; reviews are exchanged as JSON.
"""

from dataclasses import dataclass

from pydantic import FiniteFloat
from typing_extensions import TypedDict

from sanssouci.dealer import Seed, derive_seed
from sanssouci.notation import parse_turn, read_typed, write_turn
from sanssouci.rules import State, Turn

from .evaluation import SEED
from .evaluator import CancelCheck
from .forecast import Errors, Forecast
from .turn_review import ReviewEffort, TurnReview, find_best_turn, review_turn, standard_turn, try_in_pieces


@dataclass(frozen=True, slots=True)
class PositionReview:
    """The review of one position."""

    turn_review: TurnReview | None
    """The review of its turn; None where the game ended or stopped."""
    forecast: Forecast
    """The forecast with all cards known; at the end, the result."""
    errors: Errors
    """The errors of the forecast; 0 for a result."""


def review_position(
    state: State,
    turn: Turn | None,
    rollouts: int,
    seed: Seed = SEED,
    check_cancelled: CancelCheck = lambda: None,
) -> PositionReview:
    """Review a position and the turn played there; the same seed and rollouts give the same review."""
    check_cancelled()
    if state.over:
        return PositionReview(None, Forecast.of_result(state), Errors.none(state.variant.seats))
    depth, part = ReviewEffort.of(rollouts), derive_seed(seed, f"turn {state.turn}")
    view = state.view(state.to_move)
    best = find_best_turn(view, part, depth)
    check_cancelled()
    turn_review = None if turn is None else review_turn(view, turn, part, depth, check_cancelled, best)
    (opened,) = try_in_pieces(
        state, (standard_turn(view, best),), derive_seed(part, "open"), depth.open, check_cancelled
    )
    return PositionReview(turn_review, Forecast.mean(opened), Errors.of(opened))


class ForecastJson(TypedDict):
    """A ``Forecast``."""

    shares: list[FiniteFloat]
    scores: list[FiniteFloat]


class ErrorsJson(TypedDict):
    """The standard errors of a forecast."""

    shares: list[FiniteFloat]
    leads: list[FiniteFloat]


class TurnReviewJson(TypedDict):
    """A ``TurnReview`` without the turn that was played."""

    best: str
    before: ForecastJson
    after: ForecastJson
    possible: ForecastJson
    skill_errors: ErrorsJson
    cost_errors: ErrorsJson


class PositionReviewJson(TypedDict):
    """A ``PositionReview`` as a worker sends it."""

    outlook: ForecastJson
    errors: ErrorsJson
    judgement: TurnReviewJson | None


def write_position_review(found: PositionReview) -> PositionReviewJson:
    """The review as JSON, without what the game itself tells."""
    review = found.turn_review
    return {
        "outlook": _write_forecast(found.forecast),
        "errors": _write_errors(found.errors),
        "judgement": None
        if review is None
        else {
            "best": write_turn(review.best),
            "before": _write_forecast(review.before),
            "after": _write_forecast(review.after),
            "possible": _write_forecast(review.possible),
            "skill_errors": _write_errors(review.skill_errors),
            "cost_errors": _write_errors(review.cost_errors),
        },
    }


def parse_position_review(document: object, state: State, turn: Turn | None) -> PositionReview:
    """The review that a document holds of this position, or ``ValueError``; its best turn is legal."""
    fields = read_typed(PositionReviewJson, document)
    judged, seats = fields["judgement"], state.variant.seats
    if (judged is None) != (turn is None):
        raise ValueError("a turn is judged where one was played")
    turn_review = None
    if turn is not None and judged is not None:
        best = parse_turn(judged["best"])
        if best not in state.view(state.to_move).options():
            raise ValueError("the best turn is not legal")
        turn_review = TurnReview(
            state.to_move,
            turn,
            best,
            _forecast(judged["before"], seats),
            _forecast(judged["after"], seats),
            _forecast(judged["possible"], seats),
            _errors(judged["skill_errors"], seats),
            _errors(judged["cost_errors"], seats),
        )
    return PositionReview(turn_review, _forecast(fields["outlook"], seats), _errors(fields["errors"], seats))


def _write_forecast(forecast: Forecast) -> ForecastJson:
    return {"shares": list(forecast.shares), "scores": list(forecast.scores)}


def _write_errors(errors: Errors) -> ErrorsJson:
    return {"shares": list(errors.shares), "leads": list(errors.leads)}


def _forecast(fields: ForecastJson, seats: int) -> Forecast:
    return Forecast(_per_seat(fields["shares"], seats), _per_seat(fields["scores"], seats))


def _errors(fields: ErrorsJson, seats: int) -> Errors:
    return Errors(_per_seat(fields["shares"], seats), _per_seat(fields["leads"], seats))


def _per_seat(figures: list[float], seats: int) -> tuple[float, ...]:
    if len(figures) != seats:
        raise ValueError("not a number for each seat")
    return tuple(figures)
