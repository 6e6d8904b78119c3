"""Judging play: what is expected of turns, why one is better, and the analysis of a record.

Importing this room loads no kernel; what is judged is judged by imagined games, and they need it.
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
from .analysis import ROLLOUTS, Analysis, analyse
from .document import analysis_document
from .judgement import Depth, Judgement, judge
from .outlook import Outlook
from .page import provenance, write_analysis
from .telling import (
    Section,
    account_sections,
    better_line,
    change,
    cost_line,
    costliest,
    headline,
    misses,
    percent,
    share_line,
    tenths,
    turning_line,
    turns_of,
)

__all__ = [
    "ROLLOUTS",
    "Account",
    "Analysis",
    "Cause",
    "Depth",
    "Figure",
    "Judgement",
    "Outlook",
    "Section",
    "TurningPoint",
    "account",
    "account_sections",
    "analyse",
    "analysis_document",
    "better_line",
    "change",
    "cost_line",
    "costliest",
    "headline",
    "judge",
    "leads",
    "luck_of",
    "misses",
    "percent",
    "provenance",
    "share_line",
    "shares",
    "skill_of",
    "tenths",
    "turning_line",
    "turning_points",
    "turns_of",
    "write_analysis",
]
