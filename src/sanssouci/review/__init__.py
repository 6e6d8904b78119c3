"""Judging play: what is expected of each turn, which is best, and why; and the analysis of a record.

A turn is judged from a view: what its seat may know, and nothing else. The kernel is loaded when something is
to be evaluated, not before.
"""

from .account import (
    Account,
    Cause,
    Figure,
    TurningPoint,
    account,
    leads,
    luck_of,
    shares,
    skill_of,
    turning_points,
)
from .analysis import ROLLOUTS_A_TURN, Analysis, analyse, positions
from .document import analysis_document
from .evaluation import ROLLOUTS, SEED, evaluate, prepare, prepared
from .gains import best_of_space, best_stop, gain, laying_points
from .hint import Hint, hint, level
from .judgement import Breath, Depth, Judgement, judge
from .look import Look, look, parse_look, write_look
from .outlook import Errors, Outlook
from .page import write_analysis
from .reason import Detail, Reason, say_reason
from .reasons import reasons
from .telling import (
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

__all__ = [
    "INTERVAL",
    "ROLLOUTS",
    "ROLLOUTS_A_TURN",
    "SEED",
    "Account",
    "Analysis",
    "Breath",
    "Cause",
    "Depth",
    "Detail",
    "Errors",
    "Figure",
    "Hint",
    "Judgement",
    "Look",
    "Outlook",
    "Reason",
    "Section",
    "TurningPoint",
    "account",
    "account_cells",
    "account_sections",
    "analyse",
    "analysis_document",
    "best_of_space",
    "best_stop",
    "better_line",
    "cost_figures",
    "costliest",
    "evaluate",
    "gain",
    "headline",
    "hint",
    "judge",
    "laying_points",
    "leads",
    "level",
    "look",
    "luck_of",
    "misses",
    "names_of",
    "parse_look",
    "percent",
    "positions",
    "prepare",
    "prepared",
    "provenance",
    "reasons",
    "say_reason",
    "share_line",
    "shares",
    "skill_of",
    "turning_line",
    "turning_points",
    "turns_of",
    "write_analysis",
    "write_look",
]
