"""Fake position reviews: complete and deterministic, but without any search."""

from pathlib import Path
from typing import Any

from sanssouci.notation import read_record
from sanssouci.review import Errors, Forecast, PositionReview, TurnReview, positions
from sanssouci.rules import State, Turn
from sanssouci.server.reviews import dump_position_reviews, kept_record, write_review
from sanssouci.store import ReviewRow

Json = dict[str, Any]
STRONG = 17
"""The turn that raises a winning chance most."""
WEAK = 10
"""The turn that misses most."""


def fake_position_review(state: State, turn: Turn | None) -> PositionReview:
    """Chances rise and fall; every fifth turn misses a better one, and one turn is strong."""
    seats = state.variant.seats
    none = Errors.none(seats)
    if state.over or turn is None:
        return PositionReview(None, Forecast.of_result(state), none)
    seat, best = state.to_move, next(iter(state.view(state.to_move).options()))
    now = Forecast(_shares(state.turn, seats), tuple(60.0 + 2 * at for at in range(seats)))
    missed = best != turn and state.turn % 5 == 0
    after = _more(now, seat, 0.25) if state.turn == STRONG else now
    possible = _more(after, seat, 0.375 if state.turn == WEAK else 0.125) if missed else after
    return PositionReview(TurnReview(seat, turn, best, now, after, possible, none, none), now, none)


def fake_review(path: Path, language: str) -> Json:
    """The response document of a review of a record."""
    record = read_record(path)
    reviews = [fake_position_review(*place) for place in zip(*positions(record), strict=True)]
    text, subject = kept_record(record)
    row = ReviewRow("A" * 43, "friedrich", subject, 5.0, text, dump_position_reviews(reviews, 8000))
    document: Json = {**(write_review(row, language) or {})}
    return document


def _shares(turn: int, seats: int) -> tuple[float, ...]:
    """Winning chances in which each seat has better and worse rounds."""
    weights = [8 + min((turn + 9 * seat) % 24, -(turn + 9 * seat) % 24) for seat in range(seats)]
    return tuple(weight / sum(weights) for weight in weights)


def _more(forecast: Forecast, seat: int, share: float) -> Forecast:
    """The forecast with more for one seat, at the cost of the others."""
    lost = share / (len(forecast.shares) - 1)
    shares = tuple(one + (share if at == seat else -lost) for at, one in enumerate(forecast.shares))
    return Forecast(shares, tuple(score + 4 * (at == seat) for at, score in enumerate(forecast.scores)))
