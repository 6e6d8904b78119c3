"""An analysis as one JSON document."""

from dataclasses import asdict
from typing import Any

from sanssouci.dealer import write_seed
from sanssouci.notation import write_turn

from .analysis import Analysis
from .forecast import Forecast
from .report_text import misses, turns_of, why
from .skill_and_luck import Figure, leads, luck_of, shares, skill_of, split_skill_and_luck, turning_points

FORMAT = "sanssouci-analysis/1"


def analysis_document(analysis: Analysis, language: str) -> dict[str, Any]:
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


def _seat(analysis: Analysis, seat: int) -> dict[str, Any]:
    return {
        **analysis.record.seats[seat],
        "turns": len(turns_of(analysis, seat)),
        "missed": len(misses(analysis, seat)),
        "win_share": asdict(split_skill_and_luck(analysis, seat, shares)),
        "lead": asdict(split_skill_and_luck(analysis, seat, leads)),
    }


def _turn(analysis: Analysis, number: int, language: str) -> dict[str, Any]:
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


def _changes(analysis: Analysis, number: int, of: Any) -> dict[str, list[float]]:
    """Per seat."""
    figures: dict[str, Figure] = {"win_share": shares, "lead": leads}
    return {name: list(of(analysis, number, figure)) for name, figure in figures.items()}


def _forecast(forecast: Forecast) -> dict[str, list[float]]:
    return {"win_share": list(forecast.shares), "score": list(forecast.scores)}
