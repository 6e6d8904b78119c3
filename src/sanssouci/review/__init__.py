"""Judging play: what is expected of each turn, which is best, and why; and the analysis of a record.

A turn is judged from a view: what its seat may know, and nothing else. The kernel is loaded when something is
to be evaluated, not before.
"""

from .analysis import ROLLOUTS_A_TURN, Analysis, analyse, positions
from .evaluation import SEED, prepare, prepared
from .evaluator import CancelCheck, Comparison, Evaluator, evaluator_for
from .forecast import Errors, Forecast
from .gains import best_of_space, best_stop, gain, laying_points
from .hint import HINT_ROLLOUTS, Hint, TurnOutlook, hint, rank_turns
from .position_review import PositionReview, parse_position_review, review_position, write_position_review
from .reason import Detail, Reason, say_reason
from .reasons import reasons
from .report_html import write_analysis
from .report_json import ReviewDocument, analysis_document, review_document
from .report_text import (
    INTERVAL,
    Section,
    account_cells,
    account_sections,
    better_line,
    cost_figures,
    costliest,
    headline,
    misses,
    names_of,
    percent,
    provenance,
    share_line,
    turning_line,
    turns_of,
)
from .skill_and_luck import (
    Cause,
    Figure,
    SkillAndLuck,
    TurningPoint,
    leads,
    luck_of,
    shares,
    skill_of,
    split_skill_and_luck,
    turning_points,
)
from .turn_review import ReviewEffort, TurnReview, review_turn

__all__ = [
    "HINT_ROLLOUTS",
    "INTERVAL",
    "ROLLOUTS_A_TURN",
    "SEED",
    "Analysis",
    "CancelCheck",
    "Cause",
    "Comparison",
    "Detail",
    "Errors",
    "Evaluator",
    "Figure",
    "Forecast",
    "Hint",
    "PositionReview",
    "Reason",
    "ReviewDocument",
    "ReviewEffort",
    "Section",
    "SkillAndLuck",
    "TurnOutlook",
    "TurnReview",
    "TurningPoint",
    "account_cells",
    "account_sections",
    "analyse",
    "analysis_document",
    "best_of_space",
    "best_stop",
    "better_line",
    "cost_figures",
    "costliest",
    "evaluator_for",
    "gain",
    "headline",
    "hint",
    "laying_points",
    "leads",
    "luck_of",
    "misses",
    "names_of",
    "parse_position_review",
    "percent",
    "positions",
    "prepare",
    "prepared",
    "provenance",
    "rank_turns",
    "reasons",
    "review_document",
    "review_position",
    "review_turn",
    "say_reason",
    "share_line",
    "shares",
    "skill_of",
    "split_skill_and_luck",
    "turning_line",
    "turning_points",
    "turns_of",
    "write_analysis",
    "write_position_review",
]
