"""An analysis as one JSON document."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Literal, NotRequired, cast

from pydantic import Field

from sanssouci.dealer import write_seed
from sanssouci.notation import write_turn
from sanssouci.notation.json_types import (
    Count,
    EditionName,
    ExpansionName,
    HashText,
    JsonObject,
    SeatNumber,
    TurnText,
)

from .analysis import Analysis
from .forecast import Forecast
from .report_text import misses, turns_of, why
from .skill_and_luck import Figure, leads, luck_of, shares, skill_of, split_skill_and_luck, turning_points

FORMAT: Literal["sanssouci-analysis/1"] = "sanssouci-analysis/1"

PerSeat = Annotated[list[float], Field(min_length=2, max_length=4)]
"""One figure for each seat."""
Number = Annotated[int, Field(ge=1)]


class ReviewAccount(JsonObject):
    """How a figure of one seat changed from the start to the end: the first four fields add up to `end`."""

    start: float
    """The same for all: a fair share of the win, or no lead."""
    skill: float
    """Changed by the seat's own turns."""
    others: float
    """Changed by the turns of others."""
    luck: float
    """Changed by the deal and by chance later."""
    end: float
    """The value at the end."""
    error: float
    """The standard error of `skill`."""
    luck_error: float
    """The standard error of `luck`."""


class ReviewSeat(JsonObject):
    """A seat of the game."""

    name: str
    """Its name in the record."""
    player: NotRequired[str | None]
    """The computer player; null for a person."""
    colour: NotRequired[str]
    """The colour at the table, if the record has one for every seat."""
    turns: Count
    """The number of its turns."""
    missed: Count
    """The number of its turns for which a clearly better one existed."""
    win_share: ReviewAccount
    lead: ReviewAccount


class ReviewForecast(JsonObject):
    """The expected result of a position."""

    win_share: PerSeat
    """Each seat's share of the win; they add up to 1."""
    score: PerSeat
    """Each seat's points at the end."""


class ReviewCost(JsonObject):
    """What the player lost by not playing the best turn; negative if nothing."""

    win_share: float
    """Of the share of the win."""
    win_share_error: float
    """The standard error of `win_share`."""
    lead: float
    """In points over the mean of the others."""
    lead_error: float
    """The standard error of `lead`."""


class ReviewChanges(JsonObject):
    """What changed for every seat."""

    win_share: PerSeat
    """Change of the share of the win."""
    lead: PerSeat
    """Change of the lead."""


class ReviewTurn(JsonObject):
    """A turn, judged by what its seat could know."""

    turn: Number
    """The number of the turn, from 1."""
    round: Number
    """Its round."""
    seat: SeatNumber
    """The seat that played it."""
    played: TurnText
    """The turn."""
    best: TurnText
    """The best turn that was found; it may be the same."""
    missed: bool
    """Whether the best turn is clearly better."""
    why: list[str]
    """Why it is better, in sentences; empty if it is not."""
    before: ReviewForecast
    """With the turn of the steward player."""
    after: ReviewForecast
    """With the turn that was played."""
    possible: ReviewForecast
    """With the best turn."""
    cost: ReviewCost
    skill: ReviewChanges
    """Changed by the turn."""
    luck: ReviewChanges
    """Changed between this turn and the next."""


class ReviewPoint(JsonObject):
    """A turning point: a large change of a share of the win."""

    turn: Number
    """The turn that caused it or preceded it."""
    cause: Literal["skill", "missed", "luck"]
    """A turn much better or worse than the steward's, a missed turn, or luck."""
    seat: SeatNumber
    """The seat that played the turn; for luck, the seat that it changed most."""
    change: float
    """The change of that seat's share of the win."""
    change_error: float
    """The standard error of `change`."""


class ReviewDocument(JsonObject):
    """The findings of a review; docs/analysis.md explains every figure."""

    edition: EditionName
    """The edition."""
    expansions: list[ExpansionName]
    """The expansions in play."""
    over: bool
    """Whether the game was played to the last turn."""
    rollouts: Number
    """Simulated games for each position."""
    seats: Annotated[list[ReviewSeat], Field(min_length=2, max_length=4)]
    """In turn order."""
    turns: list[ReviewTurn]
    """All turns, in order."""
    positions: list[ReviewForecast]
    """Before each turn, with all cards open, and after the last: one more than turns."""
    turning_points: Annotated[list[ReviewPoint], Field(max_length=3)]
    """In the order of the game."""


class AnalysisDocument(ReviewDocument):
    """A review as a file, with the seed of its simulated games."""

    format: Literal["sanssouci-analysis/1"]
    seed: HashText


def analysis_document(analysis: Analysis, language: str) -> AnalysisDocument:
    """All figures by name; only ``why`` is in a language."""
    variant = analysis.record.deal.variant
    return {
        "format": FORMAT,
        "edition": variant.edition,
        "expansions": list(variant.expansions),
        "over": analysis.over,
        "rollouts": analysis.rollouts,
        "seed": write_seed(analysis.seed),
        "seats": [_seat(analysis, seat) for seat in range(analysis.seats)],
        "turns": [_turn(analysis, number, language) for number in range(len(analysis.turn_reviews))],
        "positions": [_forecast(forecast) for forecast in analysis.forecasts],
        "turning_points": [
            {
                "turn": point.number + 1,
                "cause": point.cause.value,
                "seat": point.seat,
                "change": point.change,
                "change_error": point.error,
            }
            for point in turning_points(analysis)
        ],
    }


def review_document(analysis: Analysis, language: str) -> ReviewDocument:
    """The same without format and seed."""
    document = analysis_document(analysis, language)
    return cast(ReviewDocument, {name: document[name] for name in ReviewDocument.__annotations__})  # type: ignore[literal-required]


def _seat(analysis: Analysis, seat: int) -> ReviewSeat:
    written = {
        **analysis.record.seats[seat],
        "turns": len(turns_of(analysis, seat)),
        "missed": len(misses(analysis, seat)),
        "win_share": asdict(split_skill_and_luck(analysis, seat, shares)),
        "lead": asdict(split_skill_and_luck(analysis, seat, leads)),
    }
    return cast(ReviewSeat, written)  # a record may say anything else of a seat


def _turn(analysis: Analysis, number: int, language: str) -> ReviewTurn:
    turn_review = analysis.turn_reviews[number]
    return {
        "turn": number + 1,
        "round": analysis.round(number),
        "seat": turn_review.seat,
        "played": write_turn(turn_review.turn),
        "best": write_turn(turn_review.best),
        "missed": turn_review.missed,
        "why": why(analysis, number, language) if turn_review.missed else [],
        "before": _forecast(turn_review.before),
        "after": _forecast(turn_review.after),
        "possible": _forecast(turn_review.possible),
        "cost": {
            "win_share": turn_review.cost_share,
            "win_share_error": turn_review.cost_errors.shares[turn_review.seat],
            "lead": turn_review.cost_points,
            "lead_error": turn_review.cost_errors.leads[turn_review.seat],
        },
        "skill": _changes(analysis, number, skill_of),
        "luck": _changes(analysis, number, luck_of),
    }


def _changes(
    analysis: Analysis, number: int, of: Callable[[Analysis, int, Figure], tuple[float, ...]]
) -> ReviewChanges:
    return {
        "win_share": list(of(analysis, number, shares)),
        "lead": list(of(analysis, number, leads)),
    }


def _forecast(forecast: Forecast) -> ReviewForecast:
    return {"win_share": list(forecast.shares), "score": list(forecast.scores)}
